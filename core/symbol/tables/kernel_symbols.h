#pragma once

#include "core/symbol/files/module_files.h"
#include "core/symbol/tables/text_symbols.h"
#include "core/trace/process/module.h"

#include <memory>
#include <mutex>
#include <string>

namespace helio {

/// Symbols of a kernel, and the distance by which its addresses were moved since.
struct KernelSearchResult {
    std::shared_ptr<const TextSymbols> symbols; ///< Symbols; if nullptr, see `problem`.
    std::filesystem::path path;
    std::uint64_t shift = 0; ///< Recorded address minus the address in kallsyms, modulo 2^64.
    SymbolProblem problem = SymbolProblem::None;
    std::string explanation;
    std::string doubt; ///< See ModuleSymbols::doubt.
    bool isProvenMatch = false; ///< True if the build-id proves that the symbols are those of the recorded kernel.
};

/// True if the recorded release of the module's kernel is that of the running kernel.
bool hasRunningRelease(const Module& module);

/// Finds the kallsyms of a recorded kernel, in this order: the running kernel's, if the build-ids are equal; the file that the user gave,
/// unless the size of its kernel's text differs from the recorded one; the running kernel's, if its release is the recorded one.
/// Threads: any thread at once.
class KernelSymbols {
public:
    KernelSearchResult find(const Module& module, const SymbolOptions& options);

private:
    /// A kallsyms file, read at first use.
    struct Text {
        bool isRead = false;
        std::shared_ptr<const TextSymbols> symbols;
        std::string failure;
    };
    KernelSearchResult read(Text& text, const std::filesystem::path& path, const Module& module);
    KernelSearchResult given(const std::filesystem::path& path, const Module& module);
    KernelSearchResult running(const Module& module);

    std::mutex m_mutex;
    Text m_given; ///< Guarded by m_mutex.
    Text m_running;
};

/// Finds a vmlinux with the module's build-id.
FileSearchResult vmlinuxOf(const Module& module, ModuleFiles& files);

} // namespace helio
