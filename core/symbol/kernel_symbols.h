#pragma once

#include "core/symbol/module_files.h"
#include "core/symbol/text_symbols.h"
#include "core/trace/module.h"

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
};

/// Finds the kallsyms for a recorded kernel: the given file, else the running kernel's, where that is the recorded one.
/// Threads: any at once.
class KernelSymbols {
public:
    FoundKernel find(const Module& module, const SymbolOptions& options);

private:
    std::mutex m_mutex;
    std::shared_ptr<const TextSymbols> m_symbols; ///< Guarded by m_mutex, as the next.
    std::string m_failure;
    bool m_isRead = false;
};

/// A vmlinux with the module's build-id (or, without one recorded, of its release).
FoundFile vmlinuxOf(const Module& module, ModuleFiles& files);

} // namespace helio
