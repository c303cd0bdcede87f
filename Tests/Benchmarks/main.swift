// Part of ServiceBox, released under the MIT License.
// Runs the benchmarks: `swift run -c release Benchmarks [--json FILE] [--chart FILE] [--check]`.

import Foundation

exit(Command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
