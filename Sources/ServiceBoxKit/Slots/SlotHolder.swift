// Part of ServiceBox, released under the MIT License.
// Telling the property wrappers with slots from other types.

/// A property wrapper with a slot, type-erased.
protocol SlotHolder {
    var slot: Slot { get }
}

extension CellRequest {
    /// The request of a property that is declared with such a wrapper; nil for any other type.
    ///
    /// Called for every stored property, few of which are slots, so it compares a word of metadata: a cast
    /// would search all conformances of the program.
    init?(ofWrapper type: Any.Type) {
        let metadata = Metadata(type)
        guard metadata.kind == .structure else { return nil }
        self.init(ofWrapper: metadata.declaration, around: CellRequest(type: unsafe metadata.firstArgument))
    }

    /// The same from a struct's declaration and its first generic argument, which is read only for a wrapper.
    init?(ofWrapper declaration: UInt, around argument: @autoclosure () -> CellRequest?) {
        let (isWeak, isForAll) = (declaration == Self.weakInjected, declaration == Self.injectedAll)
        guard isWeak || isForAll || declaration == Self.injected, var request = argument() else { return nil }
        request.isWeak = isWeak
        if isForAll {
            func array<Element>(of _: Element.Type) -> Any.Type { [Element].self }
            let element = request.type
            request = CellRequest(
                wanted: _openExistential(element, do: array), optionals: 0, element: element)
        }
        self = request
    }

    private static let injected = Metadata(Injected<Int>.self).declaration
    private static let weakInjected: UInt = {
        func declaration<Value: ExpressibleByNilLiteral>(of _: Value.Type) -> UInt {
            Metadata(WeakInjected<Value>.self).declaration
        }
        return declaration(of: anyOptional())
    }()
    /// An optional type that is opaque to the optimiser: for a known type, the runtime would search all
    /// conformances of the program.
    @inline(never)
    private static func anyOptional() -> any ExpressibleByNilLiteral.Type { Int?.self }

    private static let injectedAll = Metadata(InjectedAll<Int>.self).declaration
}
