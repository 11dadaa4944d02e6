#pragma once

#include "core/base/result.h"
#include "core/symbol/symbol.h"
#include "core/trace/process/module.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

class ElfFile;

/// Places in which symbols are searched in addition to the recorded paths.
struct SymbolOptions {
    std::vector<std::filesystem::path> directories; ///< Folders searched for files by build-id, then by name, in this order.
    std::filesystem::path sysroot; ///< Folder prepended to recorded paths; empty if none.
    /// Symbols of the recording's kernel. Empty: those of the running kernel, if its build-id or release is the recorded one.
    std::filesystem::path kallsyms;
    bool usesDebuginfod = false; ///< True if debuginfod may be asked: only if the user has set DEBUGINFOD_URLS and agreed.
};

/// Origin of a module's symbols, as text for the user.
struct ModuleSymbols {
    std::filesystem::path file; ///< File with the symbols; empty if none was found.
    std::filesystem::path debugFile; ///< File with the debug information, if it is another file.
    SymbolProblem problem = SymbolProblem::None;
    /// Lists what was tried and what the user can do. Without a problem: the reason why there are no lines, if there are none.
    std::string explanation;
    bool hasLines = false;
    bool isChecked = false; ///< True if the file is certainly the recorded one: the build-ids are equal.
    std::string doubt; ///< Sentence about why a file that the user set was not used, or that it may not fit; empty if there is no doubt.
};

/// Finds the symbols of addresses. Caches symbols by module; a module found once by build-id serves all traces.
///
/// Threads: any thread at once; a call may read files and take long, and must not be made on the UI thread.
/// Errors: are part of the results.
/// Cost: the first query of a module finds and reads its symbol table. A name then takes well below 1 us, lines a few us once their
/// compilation unit is read.
class Symbolizer {
public:
    static std::shared_ptr<Symbolizer> make(SymbolOptions options = {});
    virtual ~Symbolizer() = default;

    virtual const SymbolOptions& options() const = 0;

    /// Requires: `address` is in the terms of Module::kind. If `wantsLines` is false, no debug information is read, and the result has at
    /// most one frame.
    virtual Symbol resolve(const Module& module, std::uint64_t address, bool wantsLines = true) = 0;

    /// Returns the name of the function at the address if the module's symbols have been read; empty if unknown or not read yet.
    /// Threads: reads no file and does not wait for threads that do; may be called on the UI thread.
    virtual std::string knownName(const Module&, std::uint64_t /*address*/) { return {}; }

    virtual ModuleSymbols symbolsOf(const Module& module) = 0;
    /// Returns ModuleSymbols::doubt without searching for lines.
    virtual std::string doubtOf(const Module&) { return {}; }

    /// Returns the first function with this name (as in the file, or demangled); begin and size are in the module's terms.
    virtual std::optional<Symbol> find(const Module& module, std::string_view name) = 0;

    /// Returns instructions and lines of the function at the address, or the reasons why there are none.
    virtual FunctionCode codeOf(const Module& module, std::uint64_t address) = 0;

    /// Returns the address as the module's file and objdump have it; unchanged if no file was found.
    virtual std::uint64_t fileAddressOf(const Module&, std::uint64_t address) { return address; }

    /// Returns the module's file, for other code that reads its bytes; nullptr if not found.
    virtual std::shared_ptr<const ElfFile> fileOf(const Module& module) = 0;
    /// Returns the file with the module's debug information, which may be fileOf(); nullptr if there is none.
    virtual std::shared_ptr<const ElfFile> debugFileOf(const Module& module) = 0;
};

} // namespace helio
