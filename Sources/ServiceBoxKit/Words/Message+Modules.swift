// Part of ServiceBox, released under the MIT License.
// What is said of modules.

extension Message {
    /// A module is required that nobody has added.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - path: The modules that require it, each the next.
    /// - Returns: The message.
    static func missingModule(_ name: String, path: [String]) -> Explanation {
        Explanation(
            "Can't add \(path.first ?? "")",
            because: "\(path.count > 1 ? path.last ?? "" : "it") requires \(name), which was not added",
            facts: path.count > 1 ? [("Path", way(path + [name]))] : [],
            fix: ["add \(name) before it", "add \(name) together with it"])
    }

    /// Modules require or add each other.
    static func moduleCycle(_ circle: [String]) -> Explanation {
        Explanation(
            "Can't add \(circle.first ?? "")", because: "it is needed to add itself",
            facts: [("Path", way(circle))],
            fix: ["move what both modules need into a third one"])
    }
}
