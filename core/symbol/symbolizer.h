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

/// Places to search for symbols, in addition to the recorded paths.
struct SymbolOptions {
    std::vector<std::filesystem::path> directories; ///< Folders searched for files by build-id, then by name, in this order.
    std::filesystem::path sysroot; ///< Folder prepended to recorded paths; empty for no folder.
    /// kallsyms file of the recorded kernel. If empty, the running kernel's symbols are used if its build-id or release equals the recorded
    /// one.
    std::filesystem::path kallsyms;
    /// kallsyms of guests (virtual machines) whose code was recorded on the host: a kallsyms file for a single guest, or a folder with a
    /// file PID/proc/kallsyms per guest, where PID is the process ID of the guest's hypervisor (as for perf's option --guestmount). Empty
    /// if the user gave none.
    std::filesystem::path guestKallsyms{};
    /// Paths of the opened recordings; Experiment::open() sets them. Files are also searched beside each recording, i.e. in the folder that
    /// contains it, in the recording itself if it is a folder, and in their subfolders "symbols", ".debug" and "debug". Only files with the
    /// recorded build-id are used there.
    std::vector<std::filesystem::path> recordings{};
    bool usesDebuginfod = false; ///< True to allow requests to debuginfod. Only set if the user has set DEBUGINFOD_URLS and agreed.
};

/// Source of a module's symbols, for display.
struct ModuleSymbols {
    std::filesystem::path file; ///< File that contains the symbols; empty if none was found.
    std::filesystem::path debugFile; ///< File that contains the debug information, if it is not `file`.
    SymbolProblem problem = SymbolProblem::None;
    /// Text for the user. If there is a problem: the searched places and advice. Else the reason why no source lines are known; empty if
    /// source lines are known.
    std::string explanation;
    bool hasLines = false;
    bool isChecked = false; ///< True if the file is certainly the recorded one because the build-ids are equal.
    /// Sentence for the user that says why a file that the user set was not used, or why it may be the wrong file; empty if there is no
    /// doubt.
    std::string doubt;
};

/// Finds the symbols of addresses. Caches symbols by module; a module that was found by its build-id is shared by all traces.
///
/// Threads: any thread at once. Calls may read files and take long, so the UI thread must not make them.
/// Errors: part of the results.
/// Cost: the first query of a module finds its file and reads the symbol table. Later queries take well below 1 us for a name, and a
/// few us for lines once their compilation unit is read.
class Symbolizer {
public:
    static std::shared_ptr<Symbolizer> make(SymbolOptions options = {});
    virtual ~Symbolizer() = default;

    virtual const SymbolOptions& options() const = 0;

    /// Returns the symbol at an address. Requires: `address` is an address as Module::kind defines it. If `wantsLines` is false, no debug
    /// information is read, and the result has at most one frame.
    virtual Symbol resolve(const Module& module, std::uint64_t address, bool wantsLines = true) = 0;

    /// Returns the name of the function at the address if the module's symbols have been read; empty if unknown or not read yet.
    /// Threads: any, also the UI thread. Reads no file and does not wait for threads that read one.
    virtual std::string knownName(const Module&, std::uint64_t /*address*/) { return {}; }

    /// Returns the files beside the recordings (SymbolOptions::recordings) from which symbols or code were read so far, sorted.
    /// Threads: any, also the UI thread. Reads no file.
    virtual std::vector<std::filesystem::path> filesBesideRecordings() { return {}; }

    virtual ModuleSymbols symbolsOf(const Module& module) = 0;
    /// Returns the reason why the module's symbols may be wrong (ModuleSymbols::doubt); empty if there is no doubt. Unlike symbolsOf(),
    /// does not search for source lines.
    virtual std::string doubtOf(const Module&) { return {}; }

    /// Returns the first function with this name, spelled as in the file or demangled. `begin` of the result is an address as Module::kind
    /// defines it.
    virtual std::optional<Symbol> find(const Module& module, std::string_view name) = 0;

    /// Returns the instructions and source lines of the function at the address, or the reasons why there are none.
    virtual FunctionCode codeOf(const Module& module, std::uint64_t address) = 0;

    /// Returns the address as it is in the module's file, for example in objdump's output; unchanged if the file was not found.
    virtual std::uint64_t fileAddressOf(const Module&, std::uint64_t address) { return address; }

    /// Returns the module's file for callers that read its bytes; nullptr if not found.
    virtual std::shared_ptr<const ElfFile> fileOf(const Module& module) = 0;
    /// Returns the file with the module's debug information, which may be the same as fileOf(); nullptr if there is none.
    virtual std::shared_ptr<const ElfFile> debugFileOf(const Module& module) = 0;
};

} // namespace helio
