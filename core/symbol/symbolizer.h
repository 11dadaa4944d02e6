#pragma once

#include "core/base/result.h"
#include "core/symbol/function_code.h"
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

/// Where symbols are looked for, beside the recorded places.
struct SymbolOptions {
    std::vector<std::filesystem::path> directories; ///< Searched for files by build-id, then by name; first come, first served.
    std::filesystem::path sysroot; ///< Put before recorded paths. Empty: none.
    std::filesystem::path
        kallsyms; ///< The recording kernel's symbols. Empty: the running kernel's, where its build-id or release is the recorded one.
    bool asksDebuginfod = false; ///< Only where the person set DEBUGINFOD_URLS and agreed.
};

/// Where a module's symbols come from, in words for people.
struct ModuleSymbols {
    std::filesystem::path file; ///< The file used. Empty: none.
    std::filesystem::path debugFile; ///< Where its debug information lies, if elsewhere.
    SymbolProblem problem = SymbolProblem::None;
    std::string explanation; ///< What was tried, and what can be done; without a problem: why there are no lines, if so.
    bool hasLines = false;
    bool isChecked = false; ///< The file is surely the recorded one: the build-ids are equal.
    std::string doubt; ///< A sentence: why a file that was set was not used, or that it is not known whether it fits. Empty: none.
};

/// Names addresses. Keeps what it found by module; a module found once by build-id serves all traces.
///
/// Threads: any at once; a call may read files and take long: never from the UI thread.
/// Errors:  stand in the answers.
/// Cost:    the first question of a module finds and reads its symbol table; then a name takes well below a microsecond,
///          lines some microseconds once their compilation unit is read.
class Symbolizer {
public:
    static std::shared_ptr<Symbolizer> make(SymbolOptions options = {});
    virtual ~Symbolizer() = default;

    virtual const SymbolOptions& options() const = 0;

    /// Requires: `address` is in the terms of Module::kind. With `wantsLines` false no debug information is read, and there is one frame.
    virtual Symbol resolve(const Module& module, std::uint64_t address, bool wantsLines = true) = 0;

    /// The name of the function at the address, where the module's symbols were read before. Empty: not known, or not yet. Reads no file
    /// and waits for nobody who does: for the UI thread, too.
    virtual std::string knownName(const Module&, std::uint64_t /*address*/) { return {}; }

    virtual ModuleSymbols symbolsOf(const Module& module) = 0;
    /// ModuleSymbols::doubt alone: looks for no lines.
    virtual std::string doubtOf(const Module&) { return {}; }

    /// The first function so named (as in the file, or demangled); begin and size in the module's terms.
    virtual std::optional<Symbol> find(const Module& module, std::string_view name) = 0;

    /// Instructions and lines of the function at the address. Without code or lines it says why.
    virtual FunctionCode codeOf(const Module& module, std::uint64_t address) = 0;

    /// The address as the module's file has it, and as objdump prints it; the same address where no file was found.
    virtual std::uint64_t fileAddressOf(const Module&, std::uint64_t address) { return address; }

    /// The module's own file, for what else reads code; null: not found.
    virtual std::shared_ptr<const ElfFile> fileOf(const Module& module) = 0;
    /// The file of its debug information, which may be fileOf(); null: there is none.
    virtual std::shared_ptr<const ElfFile> debugFileOf(const Module& module) = 0;
};

} // namespace helio
