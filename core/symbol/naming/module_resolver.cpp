#include "core/symbol/naming/module_resolver.h"

#include "core/symbol/code/code_reader.h"
#include "core/symbol/files/elf_file.h"
#include "core/symbol/tables/demangler.h"

#include <algorithm>

namespace helio {

namespace {

using Entry = SymbolTable::Entry;

const Entry* entryNamed(const SymbolTable& table, std::string_view name)
{
    if (const Entry* entry = table.find(name))
        return entry;
    for (const Demangling how : {Demangling::Name, Demangling::Full})
        for (const Entry& entry : table.entries())
            if (entry.name().starts_with('_') && demangled(entry.name(), how) == name)
                return &entry;
    return nullptr;
}

SymbolFrame frameOf(const Entry& entry, std::string unit)
{
    return {demangled(entry.name()), std::string(entry.name()), {}, false, std::move(unit)};
}

/// Replaces the symbol's frames by the frames of the debug information. As in perf, the outermost frame keeps its name from the symbol
/// table.
void addLines(Symbol& symbol, std::vector<SymbolFrame> frames)
{
    if (frames.empty())
        return;
    if (!symbol.frames.empty()) {
        frames.back().function = std::move(symbol.frames.back().function);
        frames.back().linkageName = std::move(symbol.frames.back().linkageName);
        frames.back().unit = std::move(symbol.frames.back().unit);
    }
    symbol.frames = std::move(frames);
    if (!symbol.frames.back().function.empty())
        symbol.problem = SymbolProblem::None;
}

/// Resolver of a module without symbols. Its results contain the reason why the module has no symbols.
class MissingResolver final : public ModuleResolver {
public:
    MissingResolver(SymbolProblem problem, std::string explanation)
        : m_problem(problem)
        , m_explanation(std::move(explanation))
    {
    }

    Symbol resolve(std::uint64_t, bool) override { return {{}, 0, 0, m_problem}; }
    ModuleSymbols summary() override { return {{}, {}, m_problem, m_explanation, false, false, {}}; }
    std::optional<Symbol> find(std::string_view) override { return std::nullopt; }
    FunctionCode codeOf(std::uint64_t) override
    {
        FunctionCode code;
        code.symbol.problem = m_problem;
        code.noCodeReason = code.noLinesReason = m_explanation;
        return code;
    }

private:
    SymbolProblem m_problem;
    std::string m_explanation;
};

/// Resolver for an ELF file. Addresses are offsets in the file, offsets from its first loaded byte, or vaddrs plus the kernel's `shift`.
class FileResolver final : public ModuleResolver {
public:
    enum class Terms { Offset, FromLoad, Shifted };

    FileResolver(const Module& module, SymbolSources& sources, std::shared_ptr<FileSymbols> symbols, Terms terms, std::uint64_t shift)
        : m_module(module)
        , m_sources(sources)
        , m_symbols(std::move(symbols))
        , m_terms(terms)
        , m_shift(shift)
    {
    }

    Symbol resolve(std::uint64_t address, bool wantsLines) override
    {
        const auto vaddr = vaddrOf(address);
        Symbol symbol;
        if (!vaddr) {
            symbol.problem = SymbolProblem::NoSymbol;
            return symbol;
        }
        if (const Entry* entry = m_symbols->table.find(*vaddr))
            symbol = symbolOf(*entry);
        else
            symbol = namelessAt(*vaddr);
        if (wantsLines)
            if (DebugInfo* info = debugInfo()) {
                addLines(symbol, info->framesAt(*vaddr));
                for (SymbolFrame& frame : symbol.frames)
                    if (frame.isInlined)
                        frame.unit = m_symbols->unitOf(frame, *info);
            }
        return symbol;
    }

    std::string nameAt(std::uint64_t address) override
    {
        const auto vaddr = vaddrOf(address);
        const Entry* entry = vaddr ? m_symbols->table.find(*vaddr) : nullptr;
        return entry ? demangled(entry->name()) : std::string();
    }

    ModuleSymbols summary() override
    {
        ModuleSymbols result{m_symbols->file->path(),
                             {},
                             m_symbols->problem,
                             m_symbols->explanation,
                             debugInfo() != nullptr,
                             isSameBuildId(m_module.buildId, m_symbols->file->buildId()),
                             {}};
        const auto debug = debugFile();
        if (debug && debug != m_symbols->file)
            result.debugFile = debug->path();
        if (!result.hasLines && result.explanation.empty())
            result.explanation = m_symbols->noLinesReason();
        return result;
    }

    std::optional<Symbol> find(std::string_view name) override
    {
        const Entry* entry = entryNamed(m_symbols->table, name);
        return entry ? std::optional(symbolOf(*entry)) : std::nullopt;
    }

    FunctionCode codeOf(std::uint64_t address) override
    {
        FunctionCode code;
        const auto vaddr = vaddrOf(address);
        const Entry* entry = vaddr ? m_symbols->table.find(*vaddr) : nullptr;
        Entry nameless;
        if (const auto* bounds = vaddr && !entry ? m_symbols->frames().find(*vaddr) : nullptr) {
            nameless.begin = bounds->begin;
            nameless.end = bounds->end;
            entry = &nameless;
        }
        if (!entry) {
            code.symbol.problem = m_symbols->problem == SymbolProblem::None ? SymbolProblem::NoSymbol : m_symbols->problem;
            code.noCodeReason = code.noLinesReason = m_symbols->file->path().string() + " has no function at this address.";
            return code;
        }
        code.symbol = resolve(addressOf(entry->begin), true);
        const auto toTerms = [this](std::uint64_t at) { return addressOf(at); };
        readCode(code, *m_symbols->file, m_symbols->table, *entry, toTerms);
        readLines(code, debugInfo(), *entry, toTerms, m_symbols->noLinesReason());
        return code;
    }

    std::uint64_t fileAddressOf(std::uint64_t address) const override { return vaddrOf(address).value_or(address); }

    std::shared_ptr<const ElfFile> file() override { return m_symbols->file; }
    std::shared_ptr<const ElfFile> debugFile() override { return m_symbols->debugFile(m_sources.files, m_module.path); }

private:
    DebugInfo* debugInfo() { return m_symbols->debugInfo(m_sources.files, m_module.path); }

    std::optional<std::uint64_t> vaddrOf(std::uint64_t address) const
    {
        switch (m_terms) {
        case Terms::Offset: break;
        case Terms::FromLoad: return m_symbols->file->firstVaddr() + address;
        case Terms::Shifted: return address - m_shift;
        }
        return m_symbols->file->vaddrOfOffset(address);
    }
    std::uint64_t addressOf(std::uint64_t vaddr) const
    {
        switch (m_terms) {
        case Terms::Offset: break;
        case Terms::FromLoad: return vaddr - m_symbols->file->firstVaddr();
        case Terms::Shifted: return vaddr + m_shift;
        }
        return m_symbols->file->offsetOfVaddr(vaddr).value_or(vaddr);
    }
    Symbol symbolOf(const Entry& entry) const
    {
        return {{frameOf(entry, m_symbols->unitOf(entry))}, addressOf(entry.begin), entry.end - entry.begin, SymbolProblem::None};
    }
    Symbol namelessAt(std::uint64_t vaddr) const
    {
        const SymbolProblem problem = m_symbols->problem == SymbolProblem::None ? SymbolProblem::NoSymbol : m_symbols->problem;
        const CallFrames::Function* bounds = m_symbols->frames().find(vaddr);
        return bounds ? Symbol{{}, addressOf(bounds->begin), bounds->end - bounds->begin, problem} : Symbol{{}, 0, 0, problem};
    }

    const Module m_module;
    SymbolSources& m_sources;
    const std::shared_ptr<FileSymbols> m_symbols;
    const Terms m_terms;
    const std::uint64_t m_shift;
};

/// Resolver for symbols from a text file (kallsyms, perf-PID.map); lines and code come from a vmlinux if one is found.
class TextResolver final : public ModuleResolver {
public:
    /// `unitBase`: functions with the same name are distinguished by their address minus `unitBase` (SymbolFrame::unit); nullopt if
    /// functions with the same name count as one function.
    TextResolver(std::shared_ptr<const TextSymbols> symbols, std::filesystem::path path, std::uint64_t shift,
                 std::unique_ptr<ModuleResolver> code, std::string noCodeReason, std::optional<std::uint64_t> unitBase)
        : m_symbols(std::move(symbols))
        , m_path(std::move(path))
        , m_shift(shift)
        , m_code(std::move(code))
        , m_noCodeReason(std::move(noCodeReason))
        , m_unitBase(unitBase)
    {
    }

    Symbol resolve(std::uint64_t address, bool wantsLines) override
    {
        const Entry* entry = m_symbols->table.find(address - m_shift);
        Symbol symbol;
        if (entry)
            symbol = symbolOf(*entry);
        else
            symbol.problem = SymbolProblem::NoSymbol;
        if (wantsLines && m_code)
            addLines(symbol, m_code->resolve(address, true).frames);
        return symbol;
    }

    ModuleSymbols summary() override
    {
        ModuleSymbols result = m_code ? m_code->summary() : ModuleSymbols{};
        if (!m_code) {
            result.file = m_path;
            result.explanation = m_noCodeReason;
        }
        return result;
    }

    std::optional<Symbol> find(std::string_view name) override
    {
        const Entry* entry = entryNamed(m_symbols->table, name);
        return entry ? std::optional(symbolOf(*entry)) : std::nullopt;
    }

    FunctionCode codeOf(std::uint64_t address) override
    {
        if (m_code)
            return m_code->codeOf(address);
        FunctionCode code;
        code.symbol = resolve(address, false);
        code.fileAddress = code.symbol.begin;
        code.noCodeReason = code.noLinesReason = m_noCodeReason;
        return code;
    }

    std::uint64_t fileAddressOf(std::uint64_t address) const override { return m_code ? m_code->fileAddressOf(address) : address; }

    std::shared_ptr<const ElfFile> file() override { return m_code ? m_code->file() : nullptr; }
    std::shared_ptr<const ElfFile> debugFile() override { return m_code ? m_code->debugFile() : nullptr; }

private:
    Symbol symbolOf(const Entry& entry) const
    {
        const bool isNamesake = m_unitBase && m_symbols->table.named(entry.name()).size() > 1;
        return {{frameOf(entry, isNamesake ? addressUnit(entry.begin + m_shift - *m_unitBase) : std::string())},
                entry.begin + m_shift,
                entry.end - entry.begin,
                SymbolProblem::None};
    }

    const std::shared_ptr<const TextSymbols> m_symbols;
    const std::filesystem::path m_path;
    const std::uint64_t m_shift;
    const std::unique_ptr<ModuleResolver> m_code;
    const std::string m_noCodeReason;
    const std::optional<std::uint64_t> m_unitBase;
};

/// True if the recorded vDSO page is the page of the running kernel: if the build-ids are equal. For recordings without a build-id
/// (through a pipe), compares the kernel releases.
bool isOfRunningKernel(const Module& vdso, const ElfFile& running)
{
    return vdso.buildId.empty() ? hasRunningRelease(vdso) : isSameBuildId(vdso.buildId, running.buildId());
}

/// Returns the resolver for a text of nm that the user gave: for the file with the name of the text (calltree for calltree.nm), or for
/// addresses outside of all known modules, which are then those of a program that is always loaded at the same address. nullptr if the user
/// gave no such text. Offsets in files cannot be looked up, because the text does not tell where the file is loaded.
std::unique_ptr<ModuleResolver> nmNames(const Module& module, const SymbolOptions& options)
{
    const bool isUnknown = module.kind == Module::Kind::Unknown;
    for (const std::filesystem::path& path : options.directories) {
        std::error_code ignored;
        if ((!isUnknown && (!module.isLoadRelative || path.stem() != std::filesystem::path(module.path).filename()))
            || !std::filesystem::is_regular_file(path, ignored))
            continue;
        auto text = textOf(path);
        auto symbols = text ? std::make_shared<const TextSymbols>(nmSymbolsFrom(std::move(*text))) : nullptr;
        if (!symbols || symbols->table.isEmpty())
            continue;
        // Distances from the start of a program that is always loaded at the same address are converted to addresses.
        const bool areAddresses = !isUnknown && module.begin != 0 && symbols->table.entries().front().begin >= module.begin;
        return std::make_unique<TextResolver>(std::move(symbols), path, areAddresses ? 0 - module.begin : 0, nullptr,
                                              "Names come from a text of nm, which has no source lines or instructions.", std::nullopt);
    }
    return nullptr;
}

std::unique_ptr<ModuleResolver> fileNames(const Module& module, SymbolSources& sources)
{
    FileSearchResult found = sources.files.fileOf(module);
    if (!found.file && module.kind == Module::Kind::Vdso)
        if (const auto own = runningVdso(); own && isOfRunningKernel(module, *own))
            found = {own, SymbolProblem::None, {}};
    if (!found.file) {
        auto names = nmNames(module, sources.files.options());
        return names ? std::move(names) : std::make_unique<MissingResolver>(found.problem, found.explanation);
    }
    const auto terms = module.isLoadRelative ? FileResolver::Terms::FromLoad : FileResolver::Terms::Offset;
    return std::make_unique<FileResolver>(module, sources, sources.symbolsOf(found.file, module.path), terms, 0);
}

/// Returns the recorded address of the kernel minus its address in the vmlinux file.
std::uint64_t shiftOf(const Module& module, const SymbolTable& table)
{
    const std::string name = module.referenceName.empty() ? "_text" : module.referenceName;
    const Entry* entry = module.reference == 0 ? nullptr : table.find(name);
    // The table has only one symbol per address, so the reference symbol may be missing. Use _stext instead, which is also at the start of
    // the kernel's code.
    if (!entry && module.reference != 0)
        entry = table.find("_stext");
    return entry ? module.reference - entry->begin : 0;
}

std::unique_ptr<ModuleResolver> kernelNames(const Module& module, SymbolSources& sources)
{
    std::unique_ptr<ModuleResolver> code;
    std::string noCodeReason = "Source lines and instructions of kernel modules and BPF programs are not supported; names come from "
                               "kallsyms.";
    if (module.kind == Module::Kind::Kernel) {
        FileSearchResult found = vmlinuxOf(module, sources.files);
        noCodeReason = found.explanation;
        if (found.file) {
            auto symbols = sources.symbolsOf(found.file, "vmlinux");
            const std::uint64_t shift = shiftOf(module, symbols->table);
            code = std::make_unique<FileResolver>(module, sources, std::move(symbols), FileResolver::Terms::Shifted, shift);
        }
    }
    KernelSearchResult kernel = sources.kernels.find(module, sources.files.options());
    if (!code && !kernel.symbols)
        return std::make_unique<MissingResolver>(kernel.problem, kernel.explanation);
    std::unique_ptr<ModuleResolver> names;
    // Use the names of the vmlinux file unless kallsyms is proved to match: the vmlinux is certain to be the right one, because it
    // was found by its build-id.
    if (code && (!kernel.symbols || !kernel.isProvenMatch))
        names = std::move(code);
    else
        names =
            std::make_unique<TextResolver>(kernel.symbols, kernel.path, kernel.shift, std::move(code), noCodeReason,
                                           module.kind == Module::Kind::Kernel && module.reference != 0 ? module.reference : module.begin);
    names->doubt = std::move(kernel.doubt);
    return names;
}

/// Returns the resolver for the kernel of a guest or for a module of this kernel. It finds names in kallsyms, but no source lines.
std::unique_ptr<ModuleResolver> guestKernelNames(const Module& module, SymbolSources& sources)
{
    KernelSearchResult kernel = sources.kernels.findOfGuest(module, sources.files.options());
    if (!kernel.symbols)
        return std::make_unique<MissingResolver>(kernel.problem, kernel.explanation);
    auto names =
        std::make_unique<TextResolver>(kernel.symbols, kernel.path, kernel.shift, nullptr,
                                       "Source lines and instructions of guests' kernels are not supported; names come from kallsyms.",
                                       module.reference != 0 ? module.reference : module.begin);
    names->doubt = std::move(kernel.doubt);
    return names;
}

/// Returns the resolver for a program that ran in a guest. It uses only files with the recorded build-id, because the file with the
/// recorded path on this machine may be another program.
std::unique_ptr<ModuleResolver> guestProgramNames(Module module, SymbolSources& sources)
{
    if (module.buildId.empty())
        return std::make_unique<MissingResolver>(
            SymbolProblem::NoFile,
            "The code ran in a guest, and no build-id of its file was recorded. Record inside the guest, "
            "then join the recordings with perf inject --guest-data.");
    module.kind = Module::Kind::File;
    return fileNames(module, sources);
}

std::unique_ptr<ModuleResolver> compiledNames(const Module& module, SymbolSources& sources)
{
    const std::string name = "perf-" + std::to_string(module.pid) + ".map";
    std::vector<std::filesystem::path> places = sources.files.named(name);
    if (!sources.files.options().sysroot.empty())
        places.push_back(sources.files.options().sysroot / "tmp" / name);
    for (const auto& folder : foldersBeside(sources.files.options().recordings))
        if (folder.filename() == "symbols") // `heliograph record` saves maps there; elsewhere a map may belong to another process.
            places.push_back(folder / name);
    places.push_back("/tmp/" + name);
    for (const auto& place : places) {
        std::error_code ignored;
        auto text = std::filesystem::is_regular_file(place, ignored) ? textOf(place) : Error{Error::Kind::NotFound, {}};
        if (!text)
            continue;
        auto symbols = std::make_shared<const TextSymbols>(perfMapFrom(std::move(*text)));
        return std::make_unique<TextResolver>(symbols, place, 0, nullptr,
                                              "Code compiled at run time has no file, so there are no source lines or instructions.",
                                              std::nullopt);
    }
    return std::make_unique<MissingResolver>(
        SymbolProblem::NoFile,
        module.path + " is memory without a file, and there is no " + name
            + " (in /tmp or a folder given with --symbols or File > Symbol paths). Runtimes write one on request: "
              "node --perf-basic-prof, java with perf-map-agent, python -X perf.");
}

} // namespace

std::shared_ptr<FileSymbols> SymbolSources::symbolsOf(std::shared_ptr<const ElfFile> file, const std::string& recordedPath)
{
    const std::string key = file->buildId().empty() ? file->path().string() : file->buildId() + (file->hasCode() ? "" : ".debug");
    Slot* slot = nullptr;
    {
        const std::lock_guard lock(m_mutex);
        slot = &m_byBuild[key];
    }
    // Read the symbols without holding the mutex, so that several files are read concurrently.
    std::call_once(slot->once, [&] { slot->symbols = readSymbols(std::move(file), files, recordedPath); });
    return slot->symbols;
}

std::string ModuleResolver::nameAt(std::uint64_t address)
{
    const Symbol symbol = resolve(address, false);
    return symbol.frames.empty() ? std::string() : symbol.frames.back().function;
}

std::unique_ptr<ModuleResolver> makeModuleResolver(const Module& module, SymbolSources& sources)
{
    switch (module.kind) {
    case Module::Kind::File:
    case Module::Kind::Vdso: return fileNames(module, sources);
    case Module::Kind::Anonymous: return compiledNames(module, sources);
    case Module::Kind::Kernel:
    case Module::Kind::KernelModule:
    case Module::Kind::KernelOther: return kernelNames(module, sources);
    case Module::Kind::GuestKernel:
    case Module::Kind::GuestModule: return guestKernelNames(module, sources);
    case Module::Kind::GuestUser: return guestProgramNames(module, sources);
    case Module::Kind::Unknown:
        if (auto names = nmNames(module, sources.files.options()))
            return names;
        break;
    }
    return std::make_unique<MissingResolver>(SymbolProblem::NoModule, "No file was mapped at this address when the code ran.");
}

} // namespace helio
