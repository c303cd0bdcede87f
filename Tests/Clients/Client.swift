// Part of ServiceBox, released under the MIT License.
// A program that uses the library as a stranger would, and checks what it gets.

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs every check and ends with a code other than zero at the first wrong answer.
///
/// Built without the names of properties or without reflection metadata, it is told so by an argument and checks
/// what is promised then.
@main
struct Client {
    @MainActor
    static func main() async {
        do {
            switch CommandLine.arguments.dropFirst().first {
            case "without-names": try checkWithoutNames()
            case "without-metadata": try checkWithoutMetadata()
            default:
                try checkFilling()
                await checkActor()
                checkReports()
            }
            try checkMaking()
            try await checkGlobalActor()
            try checkFamilies()
        } catch {
            fail("\(error)")
        }
    }
}

/// Ends the program unless something is so.
nonisolated func expect(_ isSo: Bool, _ fact: String) {
    if !isSo { fail(fact) }
}

nonisolated private func fail(_ fact: String) -> Never {
    print("Not so: \(fact)")
    exit(EXIT_FAILURE)
}
