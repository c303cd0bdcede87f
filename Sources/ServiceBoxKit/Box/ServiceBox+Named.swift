// Part of ServiceBox, released under the MIT License.
// Boxes that can be reached from anywhere: the default box and named ones.

extension ServiceBox {
    private static let namedBoxes = Guarded<[String: ServiceBox]>([:])

    /// What stands in the place of the default box for the current task, if anything does.
    @TaskLocal package static var scopedDefault: ServiceBox?

    /// The one box of a name in this process, made when first asked for and never dropped.
    ///
    /// The default box is the one named `default`. May be called from anywhere.
    ///
    /// - Parameter name: Any string; equal strings give the same box.
    /// - Returns: The box.
    public static func named(_ name: String) -> ServiceBox {
        namedBoxes.withLock { boxes in
            if let box = boxes[name] { return box }
            let box = ServiceBox()
            boxes[name] = box
            return box
        }
    }

    /// The box that objects fill themselves from: the one named `default`, unless `withDefault(_:operation:)`
    /// has put another in its place for the current task.
    public static var `default`: ServiceBox { scopedDefault ?? processDefault }

    private static let processDefault = named("default")

    /// Puts another box in the place of the default one while an operation runs.
    ///
    /// The replacement holds for the current task and the child tasks it starts, not for detached ones.
    /// Scopes may nest. May be called from anywhere.
    ///
    /// - Parameters:
    ///   - box: The default box for the operation.
    ///   - operation: Runs at once.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public static func withDefault<Result, Failure: Error>(
        _ box: ServiceBox, operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = $scopedDefault.withValue(box) {
            do throws(Failure) { return .success(try operation()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Puts another box in the place of the default one while an asynchronous operation runs.
    ///
    /// The replacement holds for the current task and the child tasks it starts, not for detached ones.
    /// Scopes may nest. May be called from anywhere; the operation runs in the caller's isolation.
    ///
    /// - Parameters:
    ///   - box: The default box for the operation.
    ///   - operation: Runs at once.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public static func withDefault<Result, Failure: Error>(
        _ box: ServiceBox, operation: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = await $scopedDefault.withValue(box) {
            do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
