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
        self.init(ofWrapper: metadata.descriptor, around: CellRequest(type: metadata.firstArgument))
    }

    /// The same by the descriptor of a struct, and what is its first argument, which is asked of a wrapper alone.
    init?(ofWrapper descriptor: UnsafeRawPointer?, around argument: @autoclosure () -> CellRequest?) {
        let descriptor = UInt(bitPattern: descriptor)
        let (isWeak, isForAll) = (descriptor == Self.weakInjected, descriptor == Self.injectedAll)
        guard isWeak || isForAll || descriptor == Self.injected, var request = argument() else { return nil }
        request.isWeak = isWeak
        if isForAll {
            func array<Element>(of _: Element.Type) -> Any.Type { [Element].self }
            let element = request.type
            request = CellRequest(
                wanted: _openExistential(element, do: array), optionals: 0, element: element)
        }
        self = request
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
