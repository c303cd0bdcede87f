// Part of ServiceBox, released under the MIT License.
// What can go wrong, each in one line.

/// A reason to stop: a line for people and an exit code for programs.
///
/// The codes are those of the system's `sysexits.h`.
struct TourError: Error, CustomStringConvertible {
    let line: String
    let exitCode: Int32

    /// The line, for messages of the box, which keeps what a factory threw.
    var description: String { line }

    static func usage(_ problem: String) -> TourError {
        TourError(line: "\(problem); \(Command.usage)", exitCode: 64)
    }

    static func damaged(_ path: String) -> TourError {
        TourError(line: "'\(path)' does not hold preferences; mend or remove it.", exitCode: 65)
    }

    static func noFolder(_ path: String) -> TourError {
        TourError(line: "there is no folder '\(path)'.", exitCode: 66)
    }

    static func notAFolder(_ path: String) -> TourError {
        TourError(line: "'\(path)' is a file, not a folder.", exitCode: 66)
    }

    static func broken(_ path: String) -> TourError {
        TourError(line: "'\(path)' is out of reach, as '--broken' asks for.", exitCode: 69)
    }

    static func cannotRead(_ path: String) -> TourError {
        TourError(line: "'\(path)' cannot be read.", exitCode: 66)
    }

    static func cannotWrite(_ path: String) -> TourError {
        TourError(line: "'\(path)' cannot be written.", exitCode: 73)
    }
}
