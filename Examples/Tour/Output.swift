// Part of ServiceBox, released under the MIT License.
// What several files need to print.

import Foundation

/// Prints a line to the standard error stream.
func printError(_ line: String) {
    FileHandle.standardError.write(Data("Tour: \(line)\n".utf8))
}

/// A number and its noun: `1 file`, `2 files`.
func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
}
