// Part of ServiceBox, released under the MIT License.
// The tables of types: where their lines come from, and which fit a type.

extension TypePlan.Table {
    /// The lines of a type's table and those of its superclasses, of which the nearest wins a name.
    ///
    /// - Parameters:
    ///   - table: What the type lists, read where its conformance may be used.
    ///   - superclasses: The classes from the root to the type, without the type.
    /// - Returns: The lines.
    static func lines(_ table: InjectionTable, after superclasses: ArraySlice<Any.Type>) -> [TypePlan
        .TableLine]
    {
        // A cast of a type asks for no actor. But a class has the conformance of its superclass and can have
        // no other, so where its own may be used, the superclass's may be.
        let inherited = superclasses.compactMap { ($0 as? any Injectable.Type)?.injections }
        var lines: [TypePlan.TableLine] = []
        for line in (inherited + [table]).flatMap(\.lines) {
            let new = TypePlan.TableLine(name: line.name, injection: line.injection)
            if let index = lines.firstIndex(where: { $0.name == line.name }) {
                lines[index] = new
            } else {
                lines.append(new)
            }
        }
        return lines
    }
}

extension TypePlan {
    /// Whether the type's own table could be read, if it has one.
    var tableIsKnown: Bool {
        if case .lines = table { true } else { false }
    }

    /// The lines of the type's own table and those that a box was taught, of which the latter win a name.
    func lines(with taught: [TableLine]) -> [TableLine] {
        guard case .lines(let own) = table else { return taught }
        return Self.lines(own, with: taught)
    }

    /// The lines of a type's own table and those that a box was taught, of which the latter win a name.
    static func lines(_ own: [TableLine], with taught: [TableLine]) -> [TableLine] {
        if taught.isEmpty { return own }
        return own.filter { line in !taught.contains { $0.name == line.name } } + taught
    }

    /// Whether a table line is meant for this type and, if it is a key path, named after one of its
    /// properties.
    func problem(with line: TableLine) -> LineProblem? {
        if !Self.isType(type, orInherits: line.injection.root) { return .wrongRoot }
        guard line.injection.channel == .keyPath, showsNames else { return nil }
        return property(for: line) == nil ? .noSuchProperty : nil
    }

    enum LineProblem {
        case wrongRoot
        case noSuchProperty
    }

    /// The stored property that a line of a table writes, if one has its name.
    func property(for line: TableLine) -> Property? {
        properties.first { $0.name == line.name || $0.observedName == line.name }
    }

    private var showsNames: Bool { !properties.isEmpty && !hasCustomMirror && !hidesNames }

    /// Whether a type is another one or, being a class, inherits it.
    static func isType(_ type: Any.Type, orInherits other: Any.Type) -> Bool {
        func open<Other>(_: Other.Type) -> Bool { type is Other.Type }
        return _openExistential(other, do: open)
    }

    /// The classes from the root to a type; of anything else the type alone.
    static func owners(of type: Any.Type) -> [Any.Type] {
        guard var owner = type as? AnyClass else { return [type] }
        var owners: [Any.Type] = [owner]
        while let superclass = _getSuperclass(owner) {
            owners.append(superclass)
            owner = superclass
        }
        return owners.reversed()
    }
}
