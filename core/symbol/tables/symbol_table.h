#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio {

class ElfFile;

/// Names by address, sorted. Among several symbols at one address it keeps the one that perf keeps, so that names equal perf report's.
///
/// Owner:   whoever built it; names are views of what `owner` holds.
/// Threads: any, once finished.
/// Cost:    32 bytes a symbol; find() is a binary search.
class SymbolTable {
public:
    enum class Binding : std::uint8_t { Local, Weak, Global };
    /// What to do where the end of a symbol is not known.
    enum class Ends : std::uint8_t {
        AtNext,
        AtNextOfSameKind, ///< kallsyms: as AtNext, but a kernel's last symbol does not reach to the first of a module.
    };

    struct Entry {
        std::uint64_t begin = 0;
        std::uint64_t end = 0; ///< Of the last byte's successor.
        const char* text = nullptr;
        std::uint32_t length = 0;
        std::uint32_t enclosing : 28 = 0; ///< Index + 1 of the next symbol outside, where symbols nest.
        std::uint32_t binding : 2 = 0;
        std::uint32_t hasSize : 1 = 0;
        std::uint32_t isModule : 1 = 0; ///< kallsyms: of a kernel module.

        std::string_view name() const { return {text, length}; }
    };

    /// `name` must live as long as what is given to hold().
    void add(std::uint64_t begin, std::uint64_t size, std::string_view name, Binding binding, bool isModule = false);
    void hold(std::shared_ptr<const void> owner) { m_owners.push_back(std::move(owner)); }
    /// Sorts, ends what has no size, and drops what shares its address with a better one. A symbol without a size inside one with a size
    /// contains no address, as in perf. Call once, then only read.
    void finish(Ends ends = Ends::AtNext);

    bool isEmpty() const { return m_entries.empty(); }
    const std::vector<Entry>& entries() const { return m_entries; }
    /// The innermost symbol that contains the address; null: none does.
    const Entry* find(std::uint64_t address) const;
    /// The last symbol at or before the address, however small; null: none.
    const Entry* nearest(std::uint64_t address) const;
    /// By name as in the file; the one with the lowest address.
    const Entry* find(std::string_view name) const;
    /// All entries of a name as in the file, by address. Cost: the first call sorts the hashes of all names, about 100 ns an entry.
    std::vector<const Entry*> named(std::string_view name) const;

private:
    /// Places in m_entries below the hashes of their names, sorted. Made by the first named().
    struct NameIndex {
        std::once_flag once;
        std::vector<std::uint64_t> places;
    };

    void endOpenOnes(Ends ends);
    void dropAliases();
    void nest();

    std::vector<Entry> m_entries;
    std::vector<std::shared_ptr<const void>> m_owners;
    std::unique_ptr<NameIndex> m_names = std::make_unique<NameIndex>();
};

/// Adds the functions, labels and objects of the file's .symtab (or .dynsym); false: it has no such table. Names stay in the file.
bool addElfSymbols(SymbolTable& table, const std::shared_ptr<const ElfFile>& file, bool wantsDynamic);

/// Source files of the local symbols of the file's .symtab, by the symbols' addresses: "a.c", as its STT_FILE symbols have them. Views of
/// the file. Cost: one pass over the table.
std::unordered_map<std::uint64_t, std::string_view> sourcesOfLocalSymbols(const ElfFile& file);

/// Adds a name, `sym@plt`, for each stub through which the file calls others.
void addPltSymbols(SymbolTable& table, const std::shared_ptr<const ElfFile>& file);

} // namespace helio
