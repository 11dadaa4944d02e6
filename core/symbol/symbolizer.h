#pragma once

#include "core/trace/module.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Where symbols are looked for, beside the recorded places.
struct SymbolOptions {
    std::vector<std::filesystem::path> directories; ///< Searched for files by build-id, then by name; first come, first served.
    std::filesystem::path sysroot;                  ///< Put before recorded paths. Empty: none.
    std::filesystem::path kallsyms;                 ///< The recording kernel's symbols. Empty: the running kernel's, where its build-id or release is the recorded one.
    bool asksDebuginfod = false;                    ///< Only where the person set DEBUGINFOD_URLS and agreed.
};

/// Why an address has no name, or a name no line.
enum class SymbolProblem : std::uint8_t {
    None,
    NoModule,      ///< The address lies in nothing that was mapped.
    NoFile,        ///< The module's file was not found.
    WrongFile,     ///< Files were found, but of another build.
    Unreadable,    ///< The file is no ELF file, or damaged.
    Stripped,      ///< The file has no symbols.
    NoSymbol,      ///< The file has symbols, but none here.
    NoKernelSymbols, ///< kallsyms is of another kernel, hidden or missing.
    Hidden,        ///< kptr_restrict made all addresses zero.
};

struct SourceLine {
    std::string file;             ///< As the compiler was told, made absolute by its folder. Empty: not known.
    std::uint32_t line = 0;       ///< From 1. 0: not known.
    bool operator==(const SourceLine&) const = default;
};

/// A function at an address: the innermost, or one that it was inlined into.
struct SymbolFrame {
    std::string function;         ///< Demangled. Empty: not known.
    std::string linkageName;      ///< As in the file.
    SourceLine source;            ///< Of the address, or of the call where something was inlined.
    bool isInlined = false;       ///< Its code was copied into the next one.
};

/// What is known of one address.
struct Symbol {
    std::vector<SymbolFrame> frames;  ///< Innermost first; the last one is not inlined. Empty: nothing is known.
    std::uint64_t begin = 0;          ///< Of the function, in the terms of the module's addresses.
    std::uint64_t size = 0;           ///< Bytes. 0: not known.
    SymbolProblem problem = SymbolProblem::None;
};

/// Where a module's symbols come from, in words for people.
struct ModuleSymbols {
    std::filesystem::path file;       ///< The file used. Empty: none.
    std::filesystem::path debugFile;  ///< Where its debug information lies, if elsewhere.
    SymbolProblem problem = SymbolProblem::None;
    std::string explanation;          ///< What was tried, and what can be done; empty without a problem.
    bool hasLines = false;
};

/// Names addresses. Keeps what it found by module; a module found once by build-id serves all traces.
///
/// Threads: any at once; a call may read files and take long: never from the UI thread.
/// Errors:  told in the answers.
class Symbolizer {
public:
    static std::shared_ptr<Symbolizer> make(SymbolOptions options = {});
    virtual ~Symbolizer() = default;

    virtual const SymbolOptions& options() const = 0;

    /// Requires: `address` is in the terms of Module::kind. With `wantsLines` false no debug information is read.
    virtual Symbol resolve(const Module& module, std::uint64_t address, bool wantsLines = true) = 0;

    virtual ModuleSymbols symbolsOf(const Module& module) = 0;
};

/// The sentence for a problem: "its file is of another build".
std::string_view explanationOf(SymbolProblem problem);

} // namespace helio
