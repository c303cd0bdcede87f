// Part of ServiceBox, released under the MIT License.
// The property wrappers with slots, told from other types.

/// A property wrapper with a slot, seen without its value type.
protocol SlotHolder {
    var slot: Slot { get }
}

extension CellRequest {
    /// What a property asks for that is declared as a wrapper with a slot; nil for any other type.
    ///
    /// Asked of every stored property, most of which are none: by a word of metadata, since a cast searches all
    /// conformances of the program.
    init?(ofWrapper type: Any.Type) {
        let metadata = Metadata(type)
        guard metadata.kind == .structure else { return nil }
        let descriptor = UInt(bitPattern: metadata.descriptor)
        guard Self.isWrapper(descriptor) else { return nil }
        self.init(ofWrapper: descriptor, around: CellRequest(type: metadata.firstArgument))
    }

    /// The same by the address of the descriptor of a generic struct, and its argument.
    ///
    /// - Parameters:
    ///   - descriptor: The address of the descriptor of any struct.
    ///   - argument: What its first argument is.
    init?(ofWrapper descriptor: UInt, around argument: CellRequest) {
        switch descriptor {
        case Self.injected: self = argument
        case Self.weakInjected:
            self.init(wanted: argument.wanted, optionals: argument.optionals, isWeak: true)
        case Self.injectedAll:
            func array<Element>(of _: Element.Type) -> Any.Type { [Element].self }
            let element = argument.type
            self.init(wanted: _openExistential(element, do: array), optionals: 0, element: element)
        default: return nil
        }
    }

    /// Whether a descriptor is that of a wrapper with a slot.
    static func isWrapper(_ descriptor: UInt) -> Bool {
        descriptor == injected || descriptor == weakInjected || descriptor == injectedAll
    }

    private static let injected = UInt(bitPattern: Metadata(Injected<Int>.self).descriptor)
    private static let weakInjected: UInt = {
        func descriptor<Value: ExpressibleByNilLiteral>(of _: Value.Type) -> UInt {
            UInt(bitPattern: Metadata(WeakInjected<Value>.self).descriptor)
        }
        return descriptor(of: anyOptional())
    }()
    /// An optional type, which the optimiser doesn't know: for one that it knows, the runtime is to find its conformance,
    /// among all of the program.
    @inline(never)
    private static func anyOptional() -> any ExpressibleByNilLiteral.Type { Int?.self }

    private static let injectedAll = UInt(bitPattern: Metadata(InjectedAll<Int>.self).descriptor)
}
