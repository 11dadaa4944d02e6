#pragma once

#include "core/symbol/files/module_files.h"
#include "core/symbol/lines/debug_info.h"
#include "core/symbol/tables/function_bounds.h"
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

/// What was found for one file: its symbols, and on demand its lines. Shared by all modules that are this file.
struct FileSymbols {
    std::shared_ptr<const ElfFile> file;
    std::shared_ptr<const ElfFile> symbolFile; ///< Where `table` comes from: the file, its debug file or the packed section.
    SymbolTable table;
    SymbolProblem problem = SymbolProblem::None;
    std::string explanation;

    /// The debug information; null: none was found. The first call looks for it.
    DebugInfo* debugInfo(ModuleFiles& files, const std::string& recordedPath);
    std::shared_ptr<const ElfFile> debugFile(ModuleFiles& files, const std::string& recordedPath);
    /// Where the file's functions begin and end, names or not. The first call reads them.
    const FunctionBounds& bounds();
    const std::string& whyNoLines() const { return m_whyNoLines; } ///< After debugInfo().

    /// SymbolFrame::unit of a symbol of `table`: its source file, else its address where the file does not distinguish it either.
    /// Threads: any. Cost: the symbols of each name once.
    std::string unitOf(const SymbolTable::Entry& symbol);
    /// SymbolFrame::unit of an inlined function: that of the symbol with the function's own code, else where the function is declared.
    /// Threads: any. Cost: each function once.
    std::string unitOf(const SymbolFrame& inlined, DebugInfo& info);

private:
    void findDebugFile(ModuleFiles& files, const std::string& recordedPath);
    using UnitsByAddress = std::map<std::uint64_t, std::string>; ///< Of the symbols of one name: several may lie at one address.
    UnitsByAddress makeUnitsOf(const SymbolTable::Entry& symbol);
    std::string makeUnitOf(const SymbolFrame& inlined, DebugInfo& info);

    std::once_flag m_fileOnce, m_infoOnce, m_boundsOnce, m_sourcesOnce;
    std::unordered_map<std::uint64_t, std::string_view> m_sources; ///< Source files of local symbols, by address.
    std::mutex m_unitsMutex;
    std::map<std::tuple<std::string, std::string, std::uint32_t>, std::string>
        m_units; ///< By name and declaration. Guarded by m_unitsMutex.
    std::unordered_map<std::string, UnitsByAddress> m_symbolUnits; ///< By name of the symbols. Guarded by m_unitsMutex.
    std::optional<FunctionBounds> m_bounds;
    std::shared_ptr<const ElfFile> m_debugFile;
    std::shared_ptr<DebugInfo> m_info;
    std::string m_whyNoLines;

    friend std::shared_ptr<FileSymbols> readSymbols(std::shared_ptr<const ElfFile>, ModuleFiles&, const std::string&);
};

/// Reads the names of a file: its .symtab, else that of its debug file, else .dynsym with the packed .gnu_debugdata.
std::shared_ptr<FileSymbols> readSymbols(std::shared_ptr<const ElfFile> file, ModuleFiles& files, const std::string& recordedPath);

/// SymbolFrame::unit of a symbol that its address alone distinguishes: "+0x1139".
std::string addressUnit(std::uint64_t address);

/// The file has lines or functions in DWARF.
bool hasDebugInfo(const ElfFile& file);

} // namespace helio
