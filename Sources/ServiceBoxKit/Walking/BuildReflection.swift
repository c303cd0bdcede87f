// Part of ServiceBox, released under the MIT License.
// Whether this build carries what Mirror reads.

/// What the build keeps from Mirror, asked once in a process, of a type of this module.
///
/// Flags are mostly given to a whole build, so what is true of this module is true of all. A module that was
/// built otherwise is noticed when one of its types is walked.
enum BuildReflection {
    /// What is not there.
    enum Lack: Sendable {
        /// Types show no stored properties.
        case fields
        /// Stored properties have no names.
        case names
    }

    private struct Probe {
        let field: UInt8
    }

    /// What this build lacks; nil if it has everything.
    static let lack: Lack? = {
        guard let child = Mirror(reflecting: Probe(field: 0)).children.first else { return .fields }
        return child.label == nil ? .names : nil
    }()
}

extension TypePlan {
    /// Whether properties of the type may stay unfilled for want of something in the build.
    func mayMissProperties(for lack: BuildReflection.Lack) -> Bool {
        switch lack {
        case .fields: hidesProperties
        case .names: namelessCount > 0 && !hasCustomMirror
        }
    }
}
