// Part of ServiceBox, released under the MIT License.
// The module of what makes the store faster.

import ServiceBoxKit

/// Wraps the store in a cache, whichever store it is.
struct CachingModule: ServiceModule {
    /// What the cache does is counted.
    var requires: [any ServiceModule.Type] { [WatchingModule.self] }

    func register(in box: ServiceBox) {
        box.decorate(.store) { store, box in CachingStore(over: store, try box.resolve()) }
    }
}
