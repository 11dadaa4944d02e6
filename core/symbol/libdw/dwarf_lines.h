#pragma once

#include "core/symbol/libdw/die_scopes.h"
#include "core/symbol/symbol.h"

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Source lines and inlined functions of one file, read with libdw. A compilation unit is read at the first query of an address in the
/// unit. If the units use more memory than the limit, all of them are discarded and read again as needed, because libdw keeps all data it
/// has read until it is closed.
///
/// Ownership: the descriptors must stay open.
/// Threads: to be used by one thread.
/// Errors: damaged information is skipped.
class DwarfLines {
public:
    /// `file` and `sharedFile` are descriptors of ELF files; `sharedFile` is the file of dwz to which `file` refers, or -1. `mostBytes` is
    /// the approximate memory limit.
    DwarfLines(int file, int sharedFile, std::size_t mostBytes);
    ~DwarfLines();
    DwarfLines(const DwarfLines&) = delete;
    DwarfLines& operator=(const DwarfLines&) = delete;

    bool isEmpty() const { return m_units.empty(); } ///< True if the file has no debug information.
    /// Returns the paths of files with split-off information (.dwo), as the compiler wrote them; at most 10,000.
    const std::vector<std::string>& splitFiles() const { return m_splitFiles; }
    /// See DebugInfo.
    std::vector<SymbolFrame> framesAt(std::uint64_t vaddr);
    std::vector<LineRange> linesOf(std::uint64_t begin, std::uint64_t end);

private:
    struct View;
    struct Unit {
        Dwarf_Off offset = 0; ///< Offset of the unit's DIE.
        bool isLoaded = false;
        Dwarf_Die die{}; ///< DIE of the unit; valid if isLoaded.
        Dwarf_Lines* lines = nullptr;
        std::size_t lineCount = 0;
        Dwarf_Files* files = nullptr;
        std::size_t fileCount = 0;
        InlineScopes scopes;
    };
    struct UnitRange {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint32_t unit = 0;
    };

    bool open();
    Dwarf* dwarf() const;
    void indexUnits();
    void addRanges(Dwarf_Die& die, std::uint32_t unit);
    Unit* unitAt(std::uint64_t vaddr);
    void load(Unit& unit);
    void forgetUnits();
    static SourceLine lineAt(Unit& unit, std::uint64_t vaddr);
    static SourceLine callOf(Unit& unit, Dwarf_Die& inlined);

    const int m_file;
    const int m_sharedFile;
    const std::size_t m_mostBytes;
    std::unique_ptr<View> m_sharedView; ///< Before m_view, which refers to it.
    std::unique_ptr<View> m_view;
    std::vector<Unit> m_units;
    std::vector<UnitRange> m_ranges; ///< Address ranges of units, sorted by start.
    std::vector<std::string> m_splitFiles;
    DieScopes m_scopes; ///< DIEs (debugging information entries) that enclose functions, for the units of m_view.
    std::size_t m_readBytes = 0; ///< Estimated memory of m_units in bytes.
};

} // namespace helio
