// Part of ServiceBox, released under the MIT License.
// The name and type that a service is registered under, and the scope that it is shared in.

/// The name and the type of a service.
///
/// Every verb of a box takes a key. A string literal is one, whose type is the service's:
///
/// ```swift
/// box.register(Cache(), as: "cache")
/// let cache: Cache = try box["cache"]
/// ```
///
/// A key that is used more than once is best declared once, as a static member of the key type for its
/// service, which is often a protocol:
///
/// ```swift
/// extension ServiceKey where Service == any Analytics {
///     static var analytics: Self { "analytics" }
/// }
///
/// final class Screen {
///     @Injected(.analytics) var events: (any Analytics)?
/// }
///
/// box.register(FileAnalytics(), as: .analytics)
/// let analytics = try box[.analytics]
/// ```
///
/// A box has one service under a name. Two keys of the same name and different types name the same
/// registration; a look-up by a key whose type the service doesn't fit throws an error.
@frozen
public struct ServiceKey<Service>: Hashable, Sendable {
    /// The name that the service is registered under.
    public let name: String

    /// Creates a key from a name that isn't a literal.
    ///
    /// - Parameter name: The name that the service is registered under.
    @inlinable
    public init(_ name: String) {
        self.name = name
    }
}

extension ServiceKey: ExpressibleByStringInterpolation {
    /// Creates a key from a string literal.
    ///
    /// - Parameter value: The name that the service is registered under.
    @inlinable
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension ServiceKey: CustomStringConvertible {
    /// The name and the type.
    public var description: String { "'\(name)' (\(TypeName.of(Service.self)))" }
}

enum DerivedName {
    /// The name of a service that is registered without a key, or nil if its type has none of its own: a
    /// tuple, a function, a composition of protocols.
    ///
    /// The type's own name without module, enclosing types and generic arguments, its leading capitals in
    /// lower case: `URLCache` → `urlCache`, `Store.Disk<Page>` → `disk`.
    ///
    /// A class declared in Objective-C has the name that it has there, without the prefix that most lose in Swift:
    /// `NSUserDefaults` → `userDefaults`.
    static func of(_ type: Any.Type) -> String? {
        // Compositions of no protocol, whose names say nothing of the service.
        if type == Any.self || type == AnyObject.self { return nil }
        let metadata = Metadata(type)
        let name = metadata.name ?? String(String(describing: type).prefix { $0 != "<" })
        return of(metadata.isObjectiveC ? withoutPrefix(name) : name)
    }

    /// The name of a class in Objective-C, without the prefix of Apple's foundation.
    static func withoutPrefix(_ name: String) -> String {
        let rest = name.dropFirst(2)
        return name.hasPrefix("NS") && rest.unicodeScalars.first?.isCapital == true ? String(rest) : name
    }

    private static func of(_ base: String) -> String? {
        let scalars = base.unicodeScalars
        guard !base.isEmpty, scalars.allSatisfy(\.isPartOfName) else { return nil }
        let capitals = scalars.prefix(while: \.isCapital).count
        // The last capital before a small letter begins the next word.
        let beginsWord = capitals > 1 && scalars.dropFirst(capitals).first?.isSmall == true
        let rest = scalars.index(scalars.startIndex, offsetBy: max(1, beginsWord ? capitals - 1 : capitals))
        return base[..<rest].lowercased() + String(base[rest...])
    }
}

extension Unicode.Scalar {
    // Unicode's tables are consulted only for scalars outside ASCII.
    fileprivate var isPartOfName: Bool {
        self == "_"
            || (isASCII ? isSmall || isCapital || ("0"..."9").contains(self) : properties.isXIDContinue)
    }

    fileprivate var isCapital: Bool { isASCII ? ("A"..."Z").contains(self) : properties.isUppercase }

    fileprivate var isSmall: Bool { isASCII ? ("a"..."z").contains(self) : properties.isLowercase }
}

/// Whether child boxes share a service or create their own.
///
/// ```swift
/// box.register(as: "cart", per: .box) { _ in Cache() }        // each child makes its own
/// ```
public struct ServiceScope: Hashable, Sendable, CustomStringConvertible {
    private let isForBox: Bool

    /// The scope's name.
    public var description: String { isForBox ? "box" : "family" }

    /// The box and its children share the service.
    public static let family = ServiceScope(isForBox: false)
    /// Each child box creates its own service when it first asks for one.
    public static let box = ServiceScope(isForBox: true)
}
