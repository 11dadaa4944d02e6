#pragma once

#include "core/symbol/files/module_files.h"
#include "core/symbol/tables/text_symbols.h"
#include "core/trace/process/module.h"

#include <memory>
#include <mutex>
#include <string>

namespace helio {

/// A kernel's names, and how far its addresses were moved since.
struct FoundKernel {
    std::shared_ptr<const TextSymbols> symbols; ///< Null: see the problem.
    std::filesystem::path path;
    std::uint64_t shift = 0; ///< Recorded address minus kallsyms's, modulo 2^64.
    SymbolProblem problem = SymbolProblem::None;
    std::string explanation;
    std::string doubt; ///< See ModuleSymbols.
    bool isProved = false; ///< By the build-id.
};

/// True if the release that was recorded of the module's kernel is the running kernel's.
bool hasRunningRelease(const Module& module);

/// Finds the kallsyms for a recorded kernel: the running kernel's, where the build-ids are equal; the given file, unless the length of
/// its kernel's text is another; the running kernel's, where its release is the recorded one.
/// Threads: any at once.
class KernelSymbols {
public:
    FoundKernel find(const Module& module, const SymbolOptions& options);

private:
    /// A kallsyms, read when first asked for.
    struct Text {
        bool isRead = false;
        std::shared_ptr<const TextSymbols> symbols;
        std::string failure;
    };
    FoundKernel read(Text& text, const std::filesystem::path& path, const Module& module);
    FoundKernel given(const std::filesystem::path& path, const Module& module);
    FoundKernel running(const Module& module);

    std::mutex m_mutex;
    Text m_given; ///< Guarded by m_mutex, as the next.
    Text m_running;
};

/// A vmlinux with the module's build-id (or, without one recorded, of its release).
FoundFile vmlinuxOf(const Module& module, ModuleFiles& files);

} // namespace helio
