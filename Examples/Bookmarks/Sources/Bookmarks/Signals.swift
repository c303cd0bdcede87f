// Part of ServiceBox, released under the MIT License.
// The signals that tell the program to end.

import Dispatch
import Foundation

/// The signals that come from now on, which don't end the process any more.
struct Signals {
    private let stream: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    init(_ numbers: Int32...) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.stream = stream
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                continuation.yield(number)
                // The next one, whichever, ends the process at once.
                for number in numbers { signal(number, SIG_DFL) }
            }
            source.activate()
            return source
        }
    }

    /// The first that comes.
    func first() async -> Int32? {
        for await number in stream { return number }
        return nil
    }
}
