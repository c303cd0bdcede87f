// Part of ServiceBox, released under the MIT License.
// Filling slots later than their object: when they are read, or when their service comes.

extension FillRecord {
    /// Tells a slot why it is empty, for whoever reads it.
    func note(_ property: PropertyRecord, in slot: Slot) {
        slot.notes.note(EmptySlotReason(property: property) { [self] in explained(property) })
    }

    /// Fills a slot from the box that has made the record.
    ///
    /// - Parameters:
    ///   - slot: The slot; it is told why it stays empty, if it does.
    ///   - index: The property's position in the record.
    ///   - object: The object that it belongs to, if that is known.
    /// - Returns: What came of it; nil if the box is gone.
    func fillLate(_ slot: Slot, at index: Int, in object: ObjectIdentifier? = nil) -> Finding? {
        let property = properties[index]
        guard let box = weakBox?.owner else {
            slot.notes.note(
                EmptySlotReason(property: property) { Message.boxIsGone(lookingUp: property) })
            return nil
        }
        let finding = box.fillLate(slot, property, of: type, in: object)
        if finding.kind == .filled { note(finding, at: index) }
        if finding.kind == .hole, !property.request.isOptional { note(property.with(finding), in: slot) }
        return finding
    }

    /// What fills those of some slots that are looked up when they are read, by their positions.
    func lookUps(of slots: [FillPattern.SlotWrite]) -> [Int: SlotLookUp] {
        guard traits.looksUpOnRead else { return [:] }
        var lookUps: [Int: SlotLookUp] = [:]
        for (position, slot) in slots.enumerated()
        where !slot.isInTable && properties[slot.index].finding.isOnRead {
            lookUps[position] = SlotLookUp { [self] in _ = fillLate($0, at: slot.index) }
        }
        return lookUps
    }
}
