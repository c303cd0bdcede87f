// Part of ServiceBox, released under the MIT License. What may have been meant where a service is missing or
// of another type: facts, worded in Message+Hints.swift.

/// The likeliest reason why no service was found, or one that does not fit.
enum Hint: Sendable {
    /// By the time of reading a service that fits is registered under the name.
    case present(Message.Service, place: String)
    /// What is wanted and what is there differ in optionals alone.
    case optionals
    /// The service under the name hides one of an ancestor's that fits.
    case hidden(Message.Service, isParents: Bool, place: String)
    /// Services that fit are registered under names that are likely slips of the wanted one.
    case near([String])
    /// Services that fit are registered under other names.
    case elsewhere([Message.Service])

    var isPresent: Bool {
        if case .present = self { true } else { false }
    }

    var isHidden: Bool {
        if case .hidden = self { true } else { false }
    }
}
