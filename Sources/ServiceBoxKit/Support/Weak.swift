// Part of ServiceBox, released under the MIT License.
// A reference that keeps nothing alive.

/// An object that is not kept alive; a class, since a copy of a struct with a weak constant traps in Swift 6.3.1.
///
/// `Sendable` is unchecked because of the object, which is `Sendable`, or a service, whose type is; the reference
/// never changes but to nil, which the runtime does safely.
final class Weak<Object: AnyObject>: @unchecked Sendable {
    weak let object: Object?

    init(_ object: Object) {
        self.object = object
    }
}
