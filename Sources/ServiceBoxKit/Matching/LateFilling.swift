// Part of ServiceBox, released under the MIT License.
// Fills slots later than their object: on read, or when their service is registered.

extension FillRecord {
    /// Notes in a slot why it is empty, for the message of a read.
    func note(_ property: PropertyRecord, in slot: Slot) {
        slot.notes.note(EmptySlotReason(property: property) { [self] in explained(property) })
    }

    /// Fills a slot from the box that created the record.
    ///
    /// - Parameters:
    ///   - slot: The slot; if it stays empty, the reason is noted in it.
    ///   - index: The property's position in the record.
    ///   - object: The object that it belongs to, if known.
    ///   - request: What the property requests; its own request if nil.
    ///   - lost: The cell of a weak slot whose service is gone, if it may still hold that.
    /// - Returns: The finding; nil if the box is gone.
    func fillLate(
        _ slot: Slot, at index: Int, in object: ObjectIdentifier? = nil, as request: CellRequest? = nil,
        replacing lost: AnyCell? = nil
    ) -> Finding? {
        let property = properties[index]
        guard let box = weakBox.owner else {
            slot.notes.note(
                EmptySlotReason(property: property) { Message.boxIsGone(lookingUp: property) })
            return nil
        }
        let finding = box.fillLate(
            slot, property, request ?? property.request, of: type, in: object, replacing: lost)
        if finding.kind == .filled { noteLate(finding, at: index) }
        if finding.kind == .hole, !property.request.isOptional { note(property.with(finding), in: slot) }
        return finding
    }

    /// The look-ups of the slots that are filled on read, by position.
    func lookUps(of slots: [FillPattern.SlotWrite]) -> [Int: SlotLookUp] {
        var lookUps: [Int: SlotLookUp] = [:]
        // The traits first: a record's properties are put together when they are read.
        for (position, slot) in slots.enumerated()
        where slot.traits.contains(.onRead) && !slot.isInTable && properties[slot.index].finding.isOnRead {
            lookUps[position] = { [self] in _ = fillLate($0, at: slot.index) }
        }
        return lookUps
    }
}
