// Part of ServiceBox, released under the MIT License.
// The box: what it holds, and under which lock.

import Synchronization

/// A box of services that fills objects by name and type.
///
/// Register services under names, then fill any object: the box walks its properties and gives each injectable one
/// the service that is registered under its name, if the type fits.
///
/// ```swift
/// let box = ServiceBox()
/// box.register(FileAnalytics(), as: "analytics")
/// box.register(StorageManager())              // named after its type: "storageManager"
///
/// final class ProfileScreen {
///     @Injected var analytics: (any Analytics)?
///     @Injected var storageManager: StorageManager
/// }
///
/// let screen = ProfileScreen()
/// print(box.fill(screen))                     // what each property got, or why it got nothing
/// ```
///
/// Registered services are filled with each other on first use, whatever the order they came in. The box is itself
/// a service, named `serviceBox`, and does not keep itself alive.
///
/// A box may be used from any thread and any isolation; an object must be filled in its own. No code of yours runs
/// under a lock of the box.
public final class ServiceBox: Sendable {
    struct State {
        var registrations: [String: Registration] = [:]
        var lastNumber = 0
        /// Counts changes that outdate the programs.
        var version = 0
        /// What a fill writes, by the type of the object; valid for these registrations only.
        var programs = ProgramTable()
        var taughtLines: [ObjectIdentifier: [TypePlan.TableLine]] = [:]
        var crossFill = CrossFill()
    }

    let state = Mutex(State())
    private let lazySelfRegistration = AtomicLazyReference<SelfRegistration>()

    /// The box's entry for itself.
    var selfRegistration: SelfRegistration {
        lazySelfRegistration.load() ?? lazySelfRegistration.storeIfNil(SelfRegistration(self))
    }

    /// Makes an empty box, which shares nothing with any other.
    public init() {}
}
