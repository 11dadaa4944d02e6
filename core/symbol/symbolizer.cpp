#include "core/symbol/symbolizer.h"

#include "core/symbol/naming/module_resolver.h"

#include <atomic>
#include <shared_mutex>
#include <unordered_map>

namespace helio {

namespace {

struct ModuleHash {
    std::size_t operator()(const Module& module) const
    {
        std::size_t hash = std::hash<std::string>{}(module.path);
        hash = hash * 31 + std::hash<std::string>{}(module.buildId);
        hash = hash * 31 + static_cast<std::size_t>(module.kind);
        return hash * 31 + static_cast<std::size_t>(module.pid);
    }
};

class CachingSymbolizer final : public Symbolizer {
public:
    explicit CachingSymbolizer(SymbolOptions options)
        : m_sources(std::move(options))
    {
    }

    const SymbolOptions& options() const override { return m_sources.files.options(); }

    Symbol resolve(const Module& module, std::uint64_t address, bool wantsLines) override
    {
        return namesOf(module).resolve(address, wantsLines);
    }
    std::string knownName(const Module& module, std::uint64_t address) override
    {
        const Slot& slot = slotOf(module);
        return slot.isRead.load(std::memory_order_acquire) ? slot.names->nameAt(address) : std::string();
    }
    std::vector<std::filesystem::path> filesBesideRecordings() override { return m_sources.files.usedBesideRecordings(); }
    ModuleSymbols symbolsOf(const Module& module) override
    {
        ModuleSymbols symbols = namesOf(module).summary();
        symbols.doubt = namesOf(module).doubt;
        return symbols;
    }
    std::string doubtOf(const Module& module) override { return namesOf(module).doubt; }
    std::optional<Symbol> find(const Module& module, std::string_view name) override { return namesOf(module).find(name); }
    FunctionCode codeOf(const Module& module, std::uint64_t address) override { return namesOf(module).codeOf(address); }
    std::uint64_t fileAddressOf(const Module& module, std::uint64_t address) override { return namesOf(module).fileAddressOf(address); }
    std::shared_ptr<const ElfFile> fileOf(const Module& module) override { return namesOf(module).file(); }
    std::shared_ptr<const ElfFile> debugFileOf(const Module& module) override { return namesOf(module).debugFile(); }

private:
    /// Symbols of a module. The first thread that needs them reads them; other threads that need the same module wait.
    struct Slot {
        std::once_flag once;
        std::unique_ptr<ModuleResolver> names;
        std::atomic<bool> isRead{false}; ///< True if `names` is set. Callers that must not wait for another thread check it first.
    };

    ModuleResolver& namesOf(const Module& module)
    {
        Slot& slot = slotOf(module);
        std::call_once(slot.once, [&] {
            slot.names = makeModuleResolver(module, m_sources);
            slot.isRead.store(true, std::memory_order_release);
        });
        return *slot.names;
    }

    Slot& slotOf(const Module& module)
    {
        {
            const std::shared_lock lock(m_mutex);
            if (const auto found = m_slots.find(module); found != m_slots.end())
                return *found->second;
        }
        const std::lock_guard lock(m_mutex);
        auto& slot = m_slots[module];
        if (!slot)
            slot = std::make_unique<Slot>();
        return *slot;
    }

    SymbolSources m_sources;
    std::shared_mutex m_mutex;
    /// Symbols of each module; elements are never removed. Guarded by m_mutex.
    std::unordered_map<Module, std::unique_ptr<Slot>, ModuleHash> m_slots;
};

} // namespace

std::shared_ptr<Symbolizer> Symbolizer::make(SymbolOptions options) { return std::make_shared<CachingSymbolizer>(std::move(options)); }

std::string_view explanationOf(SymbolProblem problem)
{
    switch (problem) {
    case SymbolProblem::None: return "";
    case SymbolProblem::NoModule: return "no file was mapped at the address";
    case SymbolProblem::NoFile: return "its file was not found";
    case SymbolProblem::WrongFile: return "its file is from another build";
    case SymbolProblem::Unreadable: return "its file is damaged or not an ELF file";
    case SymbolProblem::Stripped: return "its file has no symbols";
    case SymbolProblem::NoSymbol: return "its file has no symbol at this address";
    case SymbolProblem::NoKernelSymbols: return "the symbols of the recorded kernel were not found";
    case SymbolProblem::Hidden: return "the kernel's addresses were hidden by kptr_restrict";
    }
    return "";
}

} // namespace helio
