#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio {

class ElfFile;

/// Symbols sorted by address. If several symbols have the same address, the table keeps the one that perf keeps, so that names
/// equal those of perf report.
///
/// Ownership: names are views of memory that the owners passed to hold() keep alive.
/// Threads: any thread after finish().
/// Cost: 32 bytes per symbol; find() is a binary search.
class SymbolTable {
public:
    enum class Binding : std::uint8_t { Local, Weak, Global };
    /// Rule for symbols without a recorded size: they end where the next symbol starts.
    enum class Ends : std::uint8_t {
        AtNext,
        /// For kallsyms: like AtNext, but a kernel's last symbol does not extend to the first symbol of a kernel module.
        AtNextInSameModule,
    };

    struct Entry {
        std::uint64_t begin = 0;
        std::uint64_t end = 0; ///< First address after the symbol.
        const char* text = nullptr;
        std::uint32_t length = 0;
        std::uint32_t enclosing : 28 = 0; ///< Index + 1 of the innermost symbol that encloses this symbol; 0 if none does.
        std::uint32_t binding : 2 = 0;
        std::uint32_t hasSize : 1 = 0;
        std::uint32_t isModule : 1 = 0; ///< True for a symbol of a kernel module in kallsyms.

        std::string_view name() const { return {text, length}; }
    };

    /// Adds a symbol. `name` must stay valid as long as an object passed to hold().
    void add(std::uint64_t begin, std::uint64_t size, std::string_view name, Binding binding, bool isModule = false);
    void hold(std::shared_ptr<const void> owner) { m_owners.push_back(std::move(owner)); }
    /// Sorts the symbols, sets the ends of symbols without a size, and keeps only the best symbol at each address. A symbol without a
    /// size that lies inside a symbol with a size stays empty, as in perf. Must be called once, before the table is read.
    void finish(Ends ends = Ends::AtNext);

    bool isEmpty() const { return m_entries.empty(); }
    const std::vector<Entry>& entries() const { return m_entries; }
    /// Returns the innermost symbol that contains the address; nullptr if no symbol does.
    const Entry* find(std::uint64_t address) const;
    /// Returns the last symbol that begins at or before the address, regardless of its size; nullptr if there is none.
    const Entry* nearest(std::uint64_t address) const;
    /// Returns the symbol with this name, spelled as in the file; of several, the symbol with the lowest address. nullptr if there is none.
    const Entry* find(std::string_view name) const;
    /// Returns all symbols with this name, spelled as in the file, in the order of their addresses.
    /// Cost: the first call sorts the hashes of all names, about 100 ns per symbol.
    std::vector<const Entry*> named(std::string_view name) const;

private:
    /// Sorted words; each contains the hash of a name and, in its low bits, an index into m_entries. Built by the first call of named().
    struct NameIndex {
        std::once_flag once;
        std::vector<std::uint64_t> places;
    };

    void setMissingEnds(Ends ends);
    void dropAliases();
    void nest();

    std::vector<Entry> m_entries;
    std::vector<std::shared_ptr<const void>> m_owners;
    std::unique_ptr<NameIndex> m_names = std::make_unique<NameIndex>();
};

/// Adds the functions, labels and objects of the file's .symtab (or .dynsym). Returns false if the file has no such section. Names are
/// views of the file.
bool addElfSymbols(SymbolTable& table, const std::shared_ptr<const ElfFile>& file, bool wantsDynamic);

/// Returns the source files of the local symbols of .symtab, keyed by symbol address: names such as "a.c" from STT_FILE symbols. The names
/// are views of the file.
/// Cost: one pass over the symbol table.
std::unordered_map<std::uint64_t, std::string_view> sourcesOfLocalSymbols(const ElfFile& file);

/// Adds a symbol `sym@plt` for each stub through which the file calls functions of other files.
void addPltSymbols(SymbolTable& table, const std::shared_ptr<const ElfFile>& file);

} // namespace helio
