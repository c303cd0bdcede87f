// Part of ServiceBox, released under the MIT License.
// Builds a plan from field records.

extension TypePlan {
    /// Reads the field records of a class and its superclasses, or of a struct, and no table.
    ///
    /// Slots are found by *declared* type: directly in the type, and in structs inside it. Optionals, enums,
    /// tuples and existentials may or may not hold a struct with slots, and aren't searched. A field of a
    /// noncopyable type is recorded as an empty tuple.
    ///
    /// - Complexity: O(*n*) for *n* properties.
    init(reading type: Any.Type, _ shape: Shape) {
        self.init(type, shape, table: nil, offsets: [])
        reserveCapacity(FieldRecords.count(of: type))
        // An actor's built-in storage precedes its own properties and is declared as one.
        let ownCount = shape == .actor ? 1 : 0
        var seen = 0
        for owner in owners {
            let count = FieldRecords.count(of: owner)
            if count == seen, Metadata(owner).storedPropertyCount > ownCount {
                hiddenLayers.append(owner)
                StrippedModules.note(owner)
            }
            // Asked of the owner: from a subclass the runtime walks up to it, and counts on each level.
            for index in seen..<max(seen, count) {
                if let field = FieldRecords.quickField(index - seen, of: owner) {
                    let kind = field.request.map { Property.Kind.slot($0, explicitName: nil) }
                    add(
                        PropertyName.inSource(field.label), kind ?? .plain(nil), owner: owner,
                        at: FieldRecords.offset(index, of: owner))
                    continue
                }
                let field = unsafe FieldRecords.field(index, of: owner)
                if index < ownCount, Metadata(field.type).kind == .opaque {
                    mayBeRemote = true
                } else {
                    add(field, owner: owner)
                }
            }
            seen = count
        }
    }

    private mutating func add(_ field: FieldRecords.Field, owner: Any.Type) {
        let name = PropertyName.inSource(field.label)
        if let request = CellRequest(ofWrapper: field.type) {
            add(name, .slot(request, explicitName: nil), owner: owner, at: field.offset)
        } else if let inner = Self.slotted(field.type) {
            add(inner, named: name, owner: owner, at: field.offset)
        } else {
            let wrapped = unwrapped(field.type)
            let hasSlots =
                wrapped != field.type
                && (CellRequest(ofWrapper: wrapped) != nil || Self.slotted(wrapped) != nil)
            var request = CellRequest(type: PropertyName.isLazy(field.label) ? wrapped : field.type)
            request.isWeak = !field.isStrong && request.isOptional
            // Without an offset nobody reads the field.
            add(
                name, hasSlots ? .optionalWithSlots(field.type) : .plain(request), owner: owner,
                at: hasSlots && !FieldRecords.isCopyable(field.type) ? nil : field.offset,
                isConstant: !field.isVariable)
        }
    }

    /// The structs seen inside others; nil for those without slots.
    private static let innerStructs = Guarded<[ObjectIdentifier: TypePlan?]>([:])

    /// The plan of a struct that has anything to fill, even if it has a custom mirror.
    private static func slotted(_ type: Any.Type) -> TypePlan? {
        guard Metadata(type).kind == .structure else { return nil }
        return innerStructs.value(for: ObjectIdentifier(type)) {
            let plan = TypePlan(reading: type, .structure)
            return .some(plan.hasSlots ? plan : nil)
        } ?? nil
    }
}

// MARK: - Trust

extension FieldRecords {
    /// Whether the field records of a probe type match its objects; checked once per process.
    ///
    /// If they don't, on a runtime that nobody has tested yet, `Mirror` is used instead.
    static let areTrusted: Bool = {
        // A build without records has nothing to compare, and `Mirror` would show nothing either.
        if count(of: Probe.self) == 0 { return true }
        // Uses simple types and no collections, since the runtime takes long to find and create others.
        let probe = Probe()
        let base = unsafe Unmanaged.passUnretained(probe).toOpaque()
        func lies(_ slot: Slot, at offset: Int) -> Bool {
            unsafe base.load(fromByteOffset: offset, as: UnsafeRawPointer.self)
                == UnsafeRawPointer(Unmanaged.passUnretained(slot).toOpaque())
        }
        let flag = unsafe field(1, of: Probe.self)
        func says(_ field: QuickField?, _ label: String, _ request: CellRequest?) -> Bool {
            field?.label == (flag.label.isEmpty ? "" : label) && field?.request == request
        }
        let innerOffset = offset(2, of: Probe.self) + offset(1, of: Probe.Inner.self)
        return count(of: ProbeBase.self) == 1 && count(of: Probe.self) == 4
            && Metadata(Probe.self).storedPropertyCount == 3 && Metadata(ProbeActor.self).isActor
            && lies(probe.$base.slot, at: offset(0, of: Probe.self))
            && lies(probe.inner.slot.slot, at: innerOffset)
            && lies(probe.own.slot, at: offset(3, of: Probe.self))
            && flag.type == Bool.self && (flag.label.isEmpty || flag.label == "flag")
            && CellRequest(ofWrapper: type(of: probe.inner.slot)) == CellRequest(type: ProbeActor.self)
            && says(
                quickField(0, of: ProbeBase.self), "_base", CellRequest(wanted: ProbeActor.self, optionals: 1)
            )
            && says(quickField(0, of: Probe.self), "flag", nil)
            && says(quickField(1, of: Probe.Inner.self), "slot", CellRequest(type: ProbeActor.self))
            && says(
                quickField(2, of: Probe.self), "own", CellRequest(wanted: (any SlotHolder).self, optionals: 1)
            )
    }()
}

private class ProbeBase {
    @Injected var base: ProbeActor?
}

private final class Probe: ProbeBase {
    struct Inner {
        let flag = true
        let slot = Injected<ProbeActor>()
    }

    let flag = true
    let inner = Inner()
    let own = Injected<(any SlotHolder)?>()
}

private actor ProbeActor {}
