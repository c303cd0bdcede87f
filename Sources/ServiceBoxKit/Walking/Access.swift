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
        // A value is the caller's own copy, whoever else has copies that share its slots.
        if self == .shared, type(of: subject) is AnyClass {
            return SlotReaders.slots(of: subject as AnyObject, at: offsets)
        }
        return Self.withBase(of: subject) { base in offsets.map { base.slot(at: $0).takeUnretainedValue() } }
    }

    /// Runs a body with where an instance or a value begins, which is valid as long as it runs.
    static func withBase<Result>(of subject: Any, _ body: (UnsafeRawPointer) -> Result) -> Result {
        if type(of: subject) is AnyClass {
            let object = subject as AnyObject
            return withExtendedLifetime(object) {
                body(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
            }
        }
        func open<Value>(_ value: Value) -> Result {
            withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) }
        }
        return _openExistential(subject, do: open)
    }
}
