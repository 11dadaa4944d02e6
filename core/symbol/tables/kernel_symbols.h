#pragma once

#include "core/base/result.h"
#include "core/symbol/files/module_files.h"
#include "core/symbol/tables/symbol_table.h"
#include "core/trace/process/module.h"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace helio {

/// Symbols from a text file: the kernel's kallsyms, or the perf-PID.map that a program with a just-in-time compiler wrote.
struct TextSymbols {
    SymbolTable table;
    bool isHidden = false; ///< True if all addresses are zero, because of kptr_restrict.
    std::uint64_t textAddress = 0; ///< Address of `_text` in kallsyms; 0 if missing.
    std::uint64_t stextAddress = 0; ///< kallsyms: address of `_stext`; 0 if missing.
    std::uint64_t etextAddress = 0; ///< kallsyms: address of `_etext`, the end of the kernel's text; 0 if missing.
    /// kallsyms: address of `_edata`, the end of the kernel's data; 0 if missing. New versions of perf record the kernel's mapping up to
    /// `_edata` if it is listed.
    std::uint64_t edataAddress = 0;
};

/// Parses kallsyms, with lines `hexaddress type name[\t[module]]`. Like perf, keeps the types T, W, D and B and skips all other lines.
TextSymbols kallsymsFrom(std::string text);

/// Parses a perf-PID.map, with lines `hexbegin hexsize name`.
TextSymbols perfMapFrom(std::string text);

/// Parses the output of nm, with lines `hexaddress type name` or, with -S, `hexaddress hexsize type name`. Names may contain blanks (-C).
TextSymbols nmSymbolsFrom(std::string text);

/// Returns the content of a file of at most 512 MiB; works for files in /proc, too.
Result<std::string> textOf(const std::filesystem::path& path);

/// Symbols of a recorded kernel, and the offset from the symbols' addresses to the recorded addresses.
struct KernelSearchResult {
    std::shared_ptr<const TextSymbols> symbols; ///< Symbols of the kernel; nullptr if none were found, with the reason in `problem`.
    std::filesystem::path path;
    std::uint64_t shift = 0; ///< Recorded address minus the address in kallsyms, modulo 2^64.
    SymbolProblem problem = SymbolProblem::None;
    std::string explanation;
    std::string doubt; ///< Reason to doubt the symbols, as a sentence; empty if there is none (ModuleSymbols::doubt).
    bool isProvenMatch = false; ///< True if the build-id proves that the symbols belong to the recorded kernel.
};

/// True if the recorded kernel release of the module equals the release of the running kernel.
bool hasRunningRelease(const Module& module);

/// Finds the kallsyms of a recorded kernel. Uses the first of these that exists:
/// - the symbols of the running kernel, if its build-id equals the recorded one;
/// - a file kallsyms-BUILDID beside the recordings (foldersBeside()), which `heliograph record` saves;
/// - the file that the user set, unless the size of its kernel's text differs from the recorded size;
/// - the symbols of the running kernel, if its release equals the recorded one.
/// Threads: any thread at once.
class KernelSymbols {
public:
    KernelSearchResult find(const Module& module, const SymbolOptions& options);
    /// Finds the kallsyms of a guest's kernel in SymbolOptions::guestKallsyms.
    KernelSearchResult findOfGuest(Module module, const SymbolOptions& options);

private:
    /// Content of a kallsyms file, read at first use.
    struct Text {
        bool isRead = false;
        std::shared_ptr<const TextSymbols> symbols;
        std::string failure;
    };
    KernelSearchResult read(Text& text, const std::filesystem::path& path, const Module& module);
    KernelSearchResult given(Text& text, const std::filesystem::path& path, const Module& module);
    KernelSearchResult running(const Module& module);
    KernelSearchResult saved(const Module& module, const SymbolOptions& options);

    std::mutex m_mutex;
    Text m_given; ///< The kallsyms that the user set; guarded by m_mutex.
    Text m_running;
    std::map<std::filesystem::path, Text> m_saved; ///< Files beside the recordings, keyed by path; guarded by m_mutex.
    std::map<std::filesystem::path, Text> m_ofGuests; ///< Cached kallsyms files of guests, keyed by path; guarded by m_mutex.
};

/// Finds a vmlinux file with the module's build-id.
FileSearchResult vmlinuxOf(const Module& module, ModuleFiles& files);

} // namespace helio
