// Part of ServiceBox, released under the MIT License.
// What this build and this runtime know of the properties of types, checked once in a process.

/// What the build keeps from the field records of types, asked once in a process, of a type of this module.
///
/// Flags are mostly given to a whole build, so what is true of this module is true of all. A module that was
/// built otherwise is noticed when one of its types is looked into.
enum BuildReflection {
    /// What is not there.
    enum Lack: Sendable {
        /// Types show no stored properties.
        case fields
        /// Stored properties have no names.
        case names
    }

    /// What this build lacks; nil if it has everything.
    static let lack: Lack? = {
        guard FieldRecords.count(of: Probe.self) > 0 else { return .fields }
        return FieldRecords.field(0, of: Probe.self).label.isEmpty ? .names : nil
    }()
}

extension FieldRecords {
    /// Whether the records of a type of our own say what is true of its objects.
    ///
    /// Where they don't, in a runtime that nobody has seen yet, `Mirror` walks instead. A build that carries no
    /// records has nothing to compare; `Mirror` would show nothing either.
    static let areTrusted: Bool = {
        if BuildReflection.lack == .fields { return true }
        let probe = Probe(Injected())
        let base = Unmanaged.passUnretained(probe).toOpaque()
        let slots = [probe.base, probe.inner.slot, probe.own].map {
            UnsafeRawPointer(Unmanaged.passUnretained($0.slot).toOpaque())
        }
        guard let plan = TypePlan(reading: Probe.self), let offsets = plan.offsets else { return false }
        let names = plan.properties.map(\.name)
        return offsets.map { base.load(fromByteOffset: $0, as: UnsafeRawPointer.self) } == slots
            && (names == ["base", "byte", "inner.flag", "inner.slot", "own"] || BuildReflection.lack != nil)
            && plan.hiddenLayers.isEmpty && plan.shape == .object && TypeMetadata.isActor(ProbeActor.self)
    }()
}

private class ProbeBase<Value> {
    let base: Injected<Int?>
    init(_ base: Injected<Int?>) { self.base = base }
}

private final class Probe: ProbeBase<Int> {
    struct Inner {
        let flag = true
        let slot = Injected<Int?>()
    }

    let byte: UInt8 = 0
    let inner = Inner()
    let own = Injected<Int?>()
}

private actor ProbeActor {}
