// Part of ServiceBox, released under the MIT License.
// Objects that want to know when they were filled.

/// An object that is told when it was filled.
///
/// ```swift
/// final class ProfileScreen: FillObserving {
///     @Injected var analytics: (any Analytics)?
///
///     func didFill(by report: FillReport) {
///         if !report.isComplete { print(report) }
///     }
/// }
/// ```
///
/// A type on a global actor conforms in isolation, `extension Screen: @MainActor FillObserving`, and is told on that
/// actor only.
public protocol FillObserving: Injectable, AnyObject {
    /// Called when an explicit fill has filled the object, or a box that has created it; under no lock.
    ///
    /// It runs where the fill ran: in the object's own isolation if it was filled as it should be. A service that a box
    /// creates is told when it has all that it requires, and so have the services that it was filled with. What a
    /// registered service gets later, from a cross-fill, it isn't told: those run in nobody's isolation.
    ///
    /// - Parameter report: What each property got, or why it got nothing.
    func didFill(by report: FillReport)
}

extension TypePlan {
    /// Whether objects of the type want to know when they were filled.
    var observesFills: Bool {
        isInjectable && Conformance.isPossible(of: type, to: (any FillObserving).self)
            && type is any FillObserving.Type
    }
}
