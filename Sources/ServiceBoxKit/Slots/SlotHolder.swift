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
        switch UInt(bitPattern: metadata.descriptor) {
        case Self.injected: self.init(type: metadata.firstArgument)
        case Self.weakInjected: self.init(type: metadata.firstArgument, isWeak: true)
        case Self.injectedAll:
            func array<Element>(of _: Element.Type) -> Any.Type { [Element].self }
            let element = metadata.firstArgument
            self.init(type: _openExistential(element, do: array), element: element)
        default: return nil
        }
    }

    private static let injected = UInt(bitPattern: Metadata(Injected<Int>.self).descriptor)
    private static let weakInjected = UInt(bitPattern: Metadata(WeakInjected<Int?>.self).descriptor)
    private static let injectedAll = UInt(bitPattern: Metadata(InjectedAll<Int>.self).descriptor)
}
