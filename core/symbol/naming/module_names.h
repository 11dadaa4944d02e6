#pragma once

#include "core/symbol/files/module_files.h"
#include "core/symbol/naming/loaded_module.h"
#include "core/symbol/symbolizer.h"
#include "core/symbol/tables/kernel_symbols.h"

#include <map>
#include <memory>
#include <mutex>

namespace helio {

/// Where modules take their names from, shared by all modules of a symbolizer.
struct SymbolSources {
    explicit SymbolSources(SymbolOptions options)
        : files(std::move(options))
    {
    }

    /// The symbols of a file, read once for each build-id (or path, without one).
    std::shared_ptr<FileSymbols> symbolsOf(std::shared_ptr<const ElfFile> file, const std::string& recordedPath);

    ModuleFiles files;
    KernelSymbols kernels;

private:
    struct Slot {
        std::once_flag once;
        std::shared_ptr<FileSymbols> symbols; ///< Set by `once`.
    };
    std::mutex m_mutex;
    std::map<std::string, Slot> m_byBuild; ///< Guarded by m_mutex; a slot stays where it is.
};

/// One module's names. Threads: any at once.
class ModuleNames {
public:
    virtual ~ModuleNames() = default;
    virtual Symbol resolve(std::uint64_t address, bool wantsLines) = 0;
    /// The function's name alone; reads nothing more. Empty: it has none.
    virtual std::string nameAt(std::uint64_t address);
    virtual ModuleSymbols summary() = 0;
    virtual std::optional<Symbol> find(std::string_view name) = 0;
    virtual FunctionCode codeOf(std::uint64_t address) = 0;
    virtual std::uint64_t fileAddressOf(std::uint64_t address) const { return address; }
    virtual std::shared_ptr<const ElfFile> file() { return nullptr; }
    virtual std::shared_ptr<const ElfFile> debugFile() { return nullptr; }

    std::string doubt; ///< See ModuleSymbols. Set by makeModuleNames().
};

/// Never null: a module without symbols has an answer that says why. `sources` must outlive it.
std::unique_ptr<ModuleNames> makeModuleNames(const Module& module, SymbolSources& sources);

} // namespace helio
