// Part of ServiceBox, released under the MIT License.
// Leads the calls of all loaded libraries to a function elsewhere, for a while.

#if canImport(Glibc)
import Glibc

/// Calls between libraries that were led elsewhere.
///
/// A library calls a function of another one through a word that the loader fills in with its address. This
/// walks the relocation tables of everything that is loaded, finds those words by the function's name, and
/// writes another address into them. No symbol is defined and nothing is replaced for good, so neither tests
/// that link these files nor sanitizers notice.
///
/// The layout is ELF for 64 bits with explicit addends, as on the platforms that Swift and glibc share. To be
/// used while a single thread is busy.
struct CallRedirection {
    private typealias Word = UnsafeMutablePointer<UInt>

    private var originals: [(word: Word, value: UInt)] = []

    /// Leads calls elsewhere.
    ///
    /// - Parameter targets: The address to call instead, for each function's name.
    init(_ targets: [String: UInt]) {
        var found: [(word: Word, target: UInt)] = []
        var library = dlsym(nil, "_r_debug")?.assumingMemoryBound(to: r_debug.self).pointee.r_map
        while let current = library {
            LoadedLibrary(current.pointee)?.forEachImport { name, word in
                if let target = targets[name] { found.append((word, target)) }
            }
            library = current.pointee.l_next
        }
        originals = found.map { ($0.word, $0.word.pointee) }
        for (word, target) in found { Self.write(target, to: word) }
    }

    /// Leads all calls back.
    func undo() {
        for (word, value) in originals { Self.write(value, to: word) }
    }

    /// Writes a word that the loader may have made read-only once it was done with it.
    private static func write(_ value: UInt, to word: Word) {
        let size = sysconf(Int32(_SC_PAGESIZE))
        let page = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: word) & ~UInt(size - 1))
        guard mprotect(page, size, PROT_READ | PROT_WRITE) == 0 else { return }
        word.pointee = value
    }
}

/// The parts of a loaded library that say what it calls in others.
private struct LoadedLibrary {
    private let base: UInt
    private let entries: [Int64: UInt]
    private let symbols: UnsafePointer<Elf64_Sym>
    private let names: UnsafePointer<CChar>

    init?(_ library: link_map) {
        var entries: [Int64: UInt] = [:]
        var entry = library.l_ld.map { UnsafePointer<Elf64_Dyn>($0) }
        while let current = entry, current.pointee.d_tag != DT_NULL {
            entries[current.pointee.d_tag] = UInt(current.pointee.d_un.d_val)
            entry = current + 1
        }
        self.entries = entries
        base = UInt(library.l_addr)
        guard
            let symbols = Self.address(DT_SYMTAB, entries, base).flatMap(
                UnsafePointer<Elf64_Sym>.init(bitPattern:)),
            let names = Self.address(DT_STRTAB, entries, base).flatMap(UnsafePointer<CChar>.init(bitPattern:))
        else { return nil }
        self.symbols = symbols
        self.names = names
    }

    /// Visits the words that hold nothing but another library's address of a name.
    func forEachImport(_ visit: (_ name: String, _ word: UnsafeMutablePointer<UInt>) -> Void) {
        for (table, size) in [(DT_RELA, DT_RELASZ), (DT_JMPREL, DT_PLTRELSZ)] {
            guard let start = Self.address(table, entries, base), let size = entries[Int64(size)] else {
                continue
            }
            let relocations = UnsafeBufferPointer(
                start: UnsafePointer<Elf64_Rela>(bitPattern: start),
                count: Int(size) / MemoryLayout<Elf64_Rela>.stride)
            for relocation in relocations where Self.importKinds.contains(relocation.r_info & 0xffff_ffff) {
                let name = names + Int(symbols[Int(relocation.r_info >> 32)].st_name)
                guard let word = UnsafeMutablePointer<UInt>(bitPattern: base + UInt(relocation.r_offset))
                else {
                    continue
                }
                visit(String(cString: name), word)
            }
        }
    }

    /// The relocations `GLOB_DAT` and `JUMP_SLOT`, of x86-64 and of 64-bit ARM.
    private static let importKinds: Set<UInt64> = [6, 7, 1025, 1026]

    /// The address under a tag; the loader has added the base to most of them, but not to all.
    private static func address(_ tag: Int32, _ entries: [Int64: UInt], _ base: UInt) -> UInt? {
        entries[Int64(tag)].map { $0 < base ? $0 + base : $0 }
    }
}
#endif
