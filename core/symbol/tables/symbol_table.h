#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio {

class ElfFile;

/// Symbols sorted by address. Of several symbols at one address it keeps the one that perf keeps, so that names equal those of perf report.
///
/// Ownership: names are views of what was given to hold().
/// Threads: any thread after finish().
/// Cost: 32 bytes per symbol; find() is a binary search.
class SymbolTable {
public:
    enum class Binding : std::uint8_t { Local, Weak, Global };
    /// End of a symbol without a size.
    enum class Ends : std::uint8_t {
        AtNext,
        AtNextInSameModule, ///< For kallsyms: like AtNext, but a kernel's last symbol does not reach to the first symbol of a module.
    };

    struct Entry {
        std::uint64_t begin = 0;
        std::uint64_t end = 0; ///< Address after the last byte.
        const char* text = nullptr;
        std::uint32_t length = 0;
        std::uint32_t enclosing : 28 = 0; ///< Index + 1 of the enclosing symbol, if symbols nest; 0 if none.
        std::uint32_t binding : 2 = 0;
        std::uint32_t hasSize : 1 = 0;
        std::uint32_t isModule : 1 = 0; ///< True for a symbol of a kernel module in kallsyms.

        std::string_view name() const { return {text, length}; }
    };

    /// `name` must live as long as an object given to hold().
    void add(std::uint64_t begin, std::uint64_t size, std::string_view name, Binding binding, bool isModule = false);
    void hold(std::shared_ptr<const void> owner) { m_owners.push_back(std::move(owner)); }
    /// Sorts the symbols, ends symbols without a size, and drops all but the best symbol at each address. A symbol without a size inside
    /// one with a size contains no address, as in perf. Call once, then only read.
    void finish(Ends ends = Ends::AtNext);

    bool isEmpty() const { return m_entries.empty(); }
    const std::vector<Entry>& entries() const { return m_entries; }
    /// Returns the innermost symbol that contains the address; nullptr if none does.
    const Entry* find(std::uint64_t address) const;
    /// Returns the last symbol that begins at or before the address, whatever its size; nullptr if there is none.
    const Entry* nearest(std::uint64_t address) const;
    /// Returns the symbol with this name as in the file; the one with the lowest address.
    const Entry* find(std::string_view name) const;
    /// Returns all symbols with this name as in the file, by address.
    /// Cost: the first call sorts the hashes of all names, about 100 ns per symbol.
    std::vector<const Entry*> named(std::string_view name) const;

private:
    /// Sorted words, each the hash of a name with an index into m_entries in its low bits. Made by the first named().
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

/// Adds the functions, labels and objects of the file's .symtab (or .dynsym); returns false if it has none. Names are views of the file.
bool addElfSymbols(SymbolTable& table, const std::shared_ptr<const ElfFile>& file, bool wantsDynamic);

/// Returns the source files of the local symbols of the file's .symtab, by symbol address: "a.c", as its STT_FILE symbols have them.
/// Views of the file.
/// Cost: one pass over the table.
std::unordered_map<std::uint64_t, std::string_view> sourcesOfLocalSymbols(const ElfFile& file);

/// Adds a symbol `sym@plt` for each stub through which the file calls functions of other files.
void addPltSymbols(SymbolTable& table, const std::shared_ptr<const ElfFile>& file);

} // namespace helio
