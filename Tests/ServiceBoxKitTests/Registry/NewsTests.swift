// Part of ServiceBox, released under the MIT License.
// Registrations that cross-fills haven't seen yet.

import Testing

@testable import ServiceBoxKit

private final class Entry: Numbered {
    let number: Int

    init(_ number: Int) { self.number = number }
}

@Suite("News")
struct NewsTests {
    @Test("loses what is removed, wherever it is, and no other", arguments: [1, 2, 3, 7, 40])
    func removing(step: Int) {
        var news = News<Entry>()
        let entries = (0..<41).map { Entry($0 * 2) }
        for entry in entries { news.append(entry) }
        var left = entries
        // As 41 is a prime, each index comes up once.
        for index in entries.indices {
            let entry = entries[index * step % entries.count]
            news.remove(entry)
            left.removeAll { $0 === entry }
            #expect(news.all.map(\.number) == left.map(\.number))
            news.remove(entry)
            news.remove(Entry(entry.number))
            news.remove(Entry(entry.number + 1))
            #expect(news.all.map(\.number) == left.map(\.number))
        }
    }

    @Test("keeps nothing that was removed")
    func releasing() {
        var news = News<Entry>()
        weak var removed: Entry?
        do {
            let entry = Entry(1)
            removed = entry
            news.append(entry)
            for number in 2..<10 { news.append(Entry(number)) }
            news.remove(entry)
        }
        #expect(removed == nil)
        #expect(news.all.map(\.number) == Array(2..<10))
    }

    @Test("drops what was seen, removed or not, and takes what comes later")
    func dropping() {
        var news = News<Entry>()
        let entries = (1...6).map(Entry.init)
        for entry in entries { news.append(entry) }
        news.remove(entries[1])
        news.remove(entries[4])
        news.removeAll(upTo: 3)
        news.append(Entry(7))
        #expect(news.all.map(\.number) == [4, 6, 7])
        news.removeAll(upTo: 7)
        #expect(news.all.isEmpty)
    }
}
