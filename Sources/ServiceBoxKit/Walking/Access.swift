// Part of ServiceBox, released under the MIT License.
// Who else may have what is filled, and what follows for reading it.

/// Whether what is filled may be in use elsewhere.
enum Access {
    /// The caller is in the isolation of the owner.
    case owned
    /// Others may have it and be using it now: what a factory or a provider has returned, a service that was
    /// registered ready-made, an actor seen from outside. Nothing but its slots is touched.
    case shared

    /// Who may have a subject that is handed to a box: of an actor, only itself may say that nobody is using it.
    init(of subject: Any) {
        let type: AnyClass? = type(of: subject) as? AnyClass
        self = type.map(TypeMetadata.isActor) == true ? .shared : .owned
    }

    /// The slots of a class instance or a value.
    ///
    /// - Parameters:
    ///   - subject: The instance or the value.
    ///   - offsets: Where the slots lie in instances of its type.
    /// - Returns: The slots, in the order of the offsets.
    func slots(of subject: Any, at offsets: [Int]) -> [Slot] {
        if offsets.isEmpty { return [] }
        guard type(of: subject) is AnyClass else {
            // A value is the caller's own copy, whoever else has copies that share its slots.
            func slots<Value>(in value: Value) -> [Slot] {
                withUnsafePointer(to: value) { pointer in
                    offsets.map { UnsafeRawPointer(pointer).slot(at: $0).takeUnretainedValue() }
                }
            }
            return _openExistential(subject, do: slots)
        }
        let object = subject as AnyObject
        switch self {
        case .owned:
            let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
            return withExtendedLifetime(object) {
                offsets.map { base.slot(at: $0).takeUnretainedValue() }
            }
        case .shared: return SlotReaders.slots(of: object, at: offsets)
        }
    }
}
