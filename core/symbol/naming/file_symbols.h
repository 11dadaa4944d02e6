#pragma once

#include "core/symbol/files/module_files.h"
#include "core/symbol/frames/call_frames.h"
#include "core/symbol/lines/debug_info.h"
#include "core/symbol/tables/symbol_table.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace helio {

/// Symbols of one file and, on demand, its debug information. Shared by all modules with this file.
struct FileSymbols {
    std::shared_ptr<const ElfFile> file;
    /// File that contains `table`: `file` itself, its debug file or its unpacked .gnu_debugdata section.
    std::shared_ptr<const ElfFile> symbolFile;
    SymbolTable table;
    SymbolProblem problem = SymbolProblem::None;
    std::string explanation;

    /// Returns the debug information; nullptr if none was found. The first call searches for it.
    DebugInfo* debugInfo(ModuleFiles& files, const std::string& recordedPath);
    std::shared_ptr<const ElfFile> debugFile(ModuleFiles& files, const std::string& recordedPath);
    /// Returns the file's unwind tables, which have the address ranges of functions, including functions without names: stripped files
    /// keep them, because exceptions need them. The first call reads them.
    const CallFrames& frames();
    /// Returns the reason why there are no lines; set by debugInfo().
    std::string noLinesReason() const;

    /// Returns SymbolFrame::unit, the text that distinguishes functions with the same name, for a symbol of `table`. The text is the
    /// symbol's source file, or the symbol's address if several symbols with this name come from one source file.
    /// Threads: any.
    /// Cost: the first call for a name examines all symbols with this name.
    std::string unitOf(const SymbolTable::Entry& symbol);
    /// Returns SymbolFrame::unit for an inlined function: the unit of the symbol with the function's out-of-line code, else the function's
    /// declaration.
    /// Threads: any.
    /// Cost: each function is examined once.
    std::string unitOf(const SymbolFrame& inlined, DebugInfo& info);

private:
    void findDebugFile(ModuleFiles& files, const std::string& recordedPath);
    /// Units of the symbols of one name, keyed by address; aliases share an address.
    using UnitsByAddress = std::map<std::uint64_t, std::string>;
    UnitsByAddress makeUnitsOf(const SymbolTable::Entry& symbol);
    std::string makeUnitOf(const SymbolFrame& inlined, DebugInfo& info);

    std::once_flag m_fileOnce, m_infoOnce, m_framesOnce, m_sourcesOnce;
    std::unordered_map<std::uint64_t, std::string_view> m_sources; ///< Source files of local symbols, by address.
    std::mutex m_unitsMutex;
    std::map<std::tuple<std::string, std::string, std::uint32_t>, std::string>
        m_units; ///< Units (SymbolFrame::unit) of inlined functions, keyed by linkage name and declaration; guarded by m_unitsMutex.
    /// Units (SymbolFrame::unit) of symbols, keyed by the symbols' name; guarded by m_unitsMutex.
    std::unordered_map<std::string, UnitsByAddress> m_symbolUnits;
    std::shared_ptr<const FileFrames> m_frames;
    std::shared_ptr<const ElfFile> m_debugFile;
    std::shared_ptr<DebugInfo> m_info;
    std::string m_noLinesReason;

    friend std::shared_ptr<FileSymbols> readSymbols(std::shared_ptr<const ElfFile>, ModuleFiles&, const std::string&);
};

/// Reads the symbols of a file from its .symtab, else from the .symtab of its debug file, else from .dynsym and the packed .gnu_debugdata.
std::shared_ptr<FileSymbols> readSymbols(std::shared_ptr<const ElfFile> file, ModuleFiles& files, const std::string& recordedPath);

/// Returns SymbolFrame::unit for a symbol with a name that other symbols of the same source file have too, for example "+0x1139".
std::string addressUnit(std::uint64_t address);

/// True if the file contains DWARF debug information.
bool hasDebugInfo(const ElfFile& file);

} // namespace helio
