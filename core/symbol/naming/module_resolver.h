#pragma once

#include "core/symbol/files/module_files.h"
#include "core/symbol/naming/file_symbols.h"
#include "core/symbol/symbolizer.h"
#include "core/symbol/tables/kernel_symbols.h"

#include <map>
#include <memory>
#include <mutex>

namespace helio {

/// Files and kernels in which symbols are found, shared by all modules of a symbolizer.
struct SymbolSources {
    explicit SymbolSources(SymbolOptions options)
        : files(std::move(options))
    {
    }

    /// Returns the symbols of a file. They are read once for each build-id, or for each path if the file has no build-id.
    std::shared_ptr<FileSymbols> symbolsOf(std::shared_ptr<const ElfFile> file, const std::string& recordedPath);

    ModuleFiles files;
    KernelSymbols kernels;

private:
    struct Slot {
        std::once_flag once;
        std::shared_ptr<FileSymbols> symbols; ///< Symbols of the file; set once, with `once`.
    };
    std::mutex m_mutex;
    std::map<std::string, Slot> m_byBuild; ///< Symbols of each file, keyed by build-id or path; elements do not move. Guarded by m_mutex.
};

/// Symbols of one module.
/// Threads: any thread at once.
class ModuleResolver {
public:
    virtual ~ModuleResolver() = default;
    virtual Symbol resolve(std::uint64_t address, bool wantsLines) = 0;
    /// Returns the name of the function at the address without reading lines; empty if the function has no name.
    virtual std::string nameAt(std::uint64_t address);
    virtual ModuleSymbols summary() = 0;
    virtual std::optional<Symbol> find(std::string_view name) = 0;
    virtual FunctionCode codeOf(std::uint64_t address) = 0;
    virtual std::uint64_t fileAddressOf(std::uint64_t address) const { return address; }
    virtual std::shared_ptr<const ElfFile> file() { return nullptr; }
    virtual std::shared_ptr<const ElfFile> debugFile() { return nullptr; }

    std::string doubt; ///< Reason to doubt the symbols, as a sentence (ModuleSymbols::doubt); set by makeModuleResolver().
};

/// Makes the resolver of a module, never nullptr: the resolver of a module without symbols gives the reason.
/// Ownership: `sources` must outlive the result.
std::unique_ptr<ModuleResolver> makeModuleResolver(const Module& module, SymbolSources& sources);

} // namespace helio
