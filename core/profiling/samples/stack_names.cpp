#include "core/profiling/samples/stack_names.h"

#include "core/base/flat_index.h"
#include "core/base/parallel_for.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/timeline_access.h"
#include "core/symbol/tables/demangler.h"
#include "core/trace/process/recorded_names.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <unordered_map>

namespace helio {
namespace {

CodeKind codeKind(const Module& module)
{
    switch (module.kind) {
    case Module::Kind::Unknown: return CodeKind::Unknown;
    case Module::Kind::File: return module.path.find(".so") != std::string::npos ? CodeKind::Library : CodeKind::User;
    case Module::Kind::Vdso: return CodeKind::Vdso;
    case Module::Kind::Anonymous: return CodeKind::Jit;
    case Module::Kind::Kernel:
    case Module::Kind::KernelOther: return CodeKind::Kernel;
    case Module::Kind::KernelModule: return CodeKind::KernelModule;
    case Module::Kind::GuestKernel:
    case Module::Kind::GuestModule:
    case Module::Kind::GuestUser: return CodeKind::Guest;
    }
    return CodeKind::Unknown;
}

/// Names the nodes of a profile; each address is named once.
class Namer {
public:
    Namer(const StackProfile& profile, const Timeline& timeline, Symbolizer* symbolizer, NamingOptions options)
        : m_profile(profile)
        , m_timeline(timeline)
        , m_symbolizer(symbolizer)
        , m_options(options)
    {
        m_names.functions.emplace_back();
        m_names.functions.back().problem = "no module is mapped at its address";
        for (std::size_t node = 1; node < profile.nodes.size(); ++node)
            readModules(profile.nodes[node].store);
    }

    StackNames name(QueryProgress* progress, const std::stop_token& stop)
    {
        const std::size_t count = m_profile.nodes.size();
        if (progress)
            progress->total = count;
        m_names.firstFrame.reserve(count + 1);
        for (std::size_t node = 0; node < count; ++node) {
            m_names.firstFrame.push_back(static_cast<std::uint32_t>(m_names.frames.size()));
            if (node == 0)
                continue;
            if (m_symbolizer && node % 64 == 0 && stop.stop_requested())
                m_symbolizer = nullptr;
            append(m_profile.nodes[node]);
            if (progress && node % 64 == 0)
                progress->done = node;
        }
        m_names.firstFrame.push_back(static_cast<std::uint32_t>(m_names.frames.size()));
        m_names.isComplete = m_symbolizer != nullptr;
        for (std::size_t i = 0; i < m_names.functions.size(); ++i)
            m_names.functions[i].isInlined = !m_hasOwnCode[i] && i > 0;
        distinguishNames(m_names.functions);
        if (progress)
            progress->done = count;
        return std::move(m_names);
    }

private:
    struct ModuleText {
        std::string shown;
        CodeKind code = CodeKind::Unknown;
    };
    /// Cached result: the frames with indices `begin` to `end` (exclusive) in m_names.frames belong to this address.
    struct NamedAddress {
        StoreIndex store;
        ModuleId module;
        std::uint64_t address;
        std::uint32_t begin;
        std::uint32_t end;
    };

    void readModules(StoreIndex store)
    {
        const auto place = static_cast<std::size_t>(store);
        m_modules.resize(std::max(m_modules.size(), place + 1));
        if (m_modules[place].empty())
            for (const Module& module : modulesOf(m_timeline, store))
                m_modules[place].push_back({shortName(module), codeKind(module)});
    }

    void append(const CollectedNode& node)
    {
        if (node.text != 0)
            return appendText(m_profile.texts[node.text]);
        // Look up an address within the call instruction. After a call that never returns, the return address may belong to the next
        // function.
        const std::uint64_t address = node.frame.address - (node.frame.isReturnAddress && node.frame.address > 0 ? 1 : 0);
        const std::uint64_t hash = mixed(address, std::uint64_t(node.store) << 32 | static_cast<std::uint32_t>(node.frame.module));
        const std::uint32_t index = m_index.findOrAdd(hash, [&](std::uint32_t i) {
            return m_places[i].address == address && m_places[i].module == node.frame.module && m_places[i].store == node.store;
        });
        const auto begin = static_cast<std::uint32_t>(m_names.frames.size());
        if (index < m_places.size()) {
            for (std::uint32_t i = m_places[index].begin; i < m_places[index].end; ++i)
                m_names.frames.push_back(NamedFrame(m_names.frames[i]));
            return;
        }
        appendNew(node, address);
        m_places.push_back({node.store, node.frame.module, address, begin, static_cast<std::uint32_t>(m_names.frames.size())});
    }

    void appendText(const ProfileText& text)
    {
        const auto [known, isNew] = m_texts.emplace(text.words, static_cast<std::uint32_t>(m_names.functions.size()));
        if (isNew) {
            SampledFunction& function = m_names.functions.emplace_back();
            function.name = text.words;
            function.color = text.color;
            function.code = CodeKind::Thread;
            m_hasOwnCode.push_back(true);
        }
        m_names.frames.push_back({FunctionId{known->second}, false});
    }

    void appendNew(const CollectedNode& node, std::uint64_t address)
    {
        const Module* module = moduleOf(node);
        if (module && module->names)
            return addRecorded(node, module->names->at(address), address);
        if (!module || module->kind == Module::Kind::Unknown) {
            m_names.frames.push_back({FunctionId{}, false});
            m_hasOwnCode[0] = true;
            return;
        }
        if (!m_symbolizer) {
            addNameless(node, *module, {}, address);
            return;
        }
        Symbol symbol = m_symbolizer->resolve(*module, address, m_options.expandsInlined);
        // Look up the address itself if the function is the padding before a kernel function (__pfx_...). The padding contains no
        // calls, so the address is no return address: the function after the padding was interrupted at its first instruction.
        if (node.frame.isReturnAddress && !symbol.frames.empty() && symbol.frames.back().function.starts_with("__pfx_"))
            symbol = m_symbolizer->resolve(*module, node.frame.address, m_options.expandsInlined);
        if (symbol.frames.empty() || symbol.frames.back().function.empty()) {
            addNameless(node, *module, problemText(*module, symbol.problem), symbol.size > 0 ? symbol.begin : address);
            return;
        }
        for (const SymbolFrame& frame : symbol.frames)
            if (m_options.expandsInlined || !frame.isInlined)
                add(node, {frame.function, frame.linkageName, frame.unit}, {}, frame.isInlined || symbol.size == 0 ? address : symbol.begin,
                    frame.isInlined);
    }

    void addRecorded(const CollectedNode& node, const RecordedName& name, std::uint64_t address)
    {
        if (m_options.expandsInlined || !name.isInlined)
            add(node, {name.function, {}, {}}, name.function.empty() ? "the recording has no name for it" : "", address, name.isInlined);
    }

    void addNameless(const CollectedNode& node, const Module& module, const std::string& problem, std::uint64_t address)
    {
        add(node, {}, problem, address, false, placeIn(module, textOf(node).shown, address));
    }

    const ModuleText& textOf(const CollectedNode& node) const
    {
        return m_modules[static_cast<std::size_t>(node.store)][static_cast<std::size_t>(node.frame.module)];
    }

    const Module* moduleOf(const CollectedNode& node) const
    {
        const Module* module = moduleAt(m_timeline, node.store, node.frame.module);
        return static_cast<std::size_t>(node.frame.module) < m_modules[static_cast<std::size_t>(node.store)].size() ? module : nullptr;
    }

    std::string problemText(const Module& module, SymbolProblem problem)
    {
        if (problem == SymbolProblem::None || problem == SymbolProblem::NoSymbol)
            return "its module has no symbol at this address";
        const std::string explanation = m_symbolizer->symbolsOf(module).explanation;
        return explanation.empty() ? "its module has no symbols" : explanation;
    }

    struct NameParts {
        std::string_view name;
        std::string_view linkageName;
        std::string_view unit;
    };

    void add(const CollectedNode& node, const NameParts& parts, const std::string& problem, std::uint64_t address, bool isInlined,
             const std::string& place = {})
    {
        const ModuleText& module = textOf(node);
        std::string key(parts.linkageName.empty() ? parts.name : parts.linkageName);
        ((key += '\n') += parts.unit) += '\n';
        ((key += module.shown) += '\n') += problem;
        (key += '\n') += place;
        const auto [known, isNew] = m_ids.emplace(std::move(key), static_cast<std::uint32_t>(m_names.functions.size()));
        if (isNew) {
            const std::string& path = moduleOf(node)->path;
            m_names.functions.push_back(
                {std::string(parts.name), module.shown, path, problem, module.code, false, node.store, node.frame.module, address, place});
            m_names.functions.back().linkageName = parts.linkageName;
            m_names.functions.back().unit = parts.unit;
            m_hasOwnCode.push_back(false);
        }
        if (!isInlined && !m_hasOwnCode[known->second]) {
            // Replace the position of an inlined copy, if one was found first, by the position of the function's own code.
            SampledFunction& function = m_names.functions[known->second];
            function.store = node.store;
            function.moduleId = node.frame.module;
            function.address = address;
            m_hasOwnCode[known->second] = true;
        }
        m_names.frames.push_back({FunctionId{known->second}, isInlined});
    }

    const StackProfile& m_profile;
    const Timeline& m_timeline;
    Symbolizer* m_symbolizer;
    NamingOptions m_options;
    StackNames m_names;
    std::vector<bool> m_hasOwnCode{true}; ///< True for functions with a frame that is not inlined; indexed by function.
    /// Displayed texts of modules, indexed by store, then by module; empty for stores to which no node of the profile belongs.
    std::vector<std::vector<ModuleText>> m_modules;
    std::unordered_map<std::string, std::uint32_t> m_ids; ///< Functions, keyed by linkage name, unit, module, problem and place.
    /// Indices of the functions that show a text instead of code (e.g. a state), keyed by the text.
    std::unordered_map<std::string, std::uint32_t> m_texts;
    FlatIndex m_index;
    std::vector<NamedAddress> m_places;
};

/// A module for which the symbolizer can find names, with one of its addresses in the profile.
struct Wanted {
    const Module* module;
    std::uint64_t address;
    std::size_t places;
};

/// Returns the modules of the profile in descending order of their number of addresses.
std::vector<Wanted> modulesOf(const StackProfile& profile, const Timeline& timeline)
{
    std::unordered_map<const Module*, Wanted> met;
    for (std::size_t i = 1; i < profile.nodes.size(); ++i) {
        const CollectedNode& node = profile.nodes[i];
        const Module* module = moduleAt(timeline, node.store, node.frame.module);
        if (module && module->kind != Module::Kind::Unknown && !module->names)
            ++met.try_emplace(module, Wanted{module, node.frame.address, 0}).first->second.places;
    }
    std::vector<Wanted> wanted;
    for (const auto& [module, it] : met)
        wanted.push_back(it);
    std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) { return a.places > b.places; });
    return wanted;
}

/// Returns the warnings (Symbolizer::doubtOf()) about the symbols of the profile's modules, each once: all modules of a
/// kernel have the same warning.
std::vector<std::string> doubtsOf(const StackProfile& profile, const Timeline& timeline)
{
    std::vector<std::string> doubts;
    for (const Wanted& wanted : modulesOf(profile, timeline))
        if (std::string doubt = timeline.symbolizer->doubtOf(*wanted.module);
            !doubt.empty() && std::ranges::find(doubts, doubt) == doubts.end())
            doubts.push_back(std::move(doubt));
    return doubts;
}

/// Reads the symbols of the profile's modules in parallel, because the first query of a module reads its file and takes long. Begins with
/// the modules that have the most addresses.
void readModules(const StackProfile& profile, const Timeline& timeline, bool wantsLines, const std::stop_token& stop)
{
    const std::vector<Wanted> wanted = modulesOf(profile, timeline);
    std::atomic<std::size_t> next{0};
    parallelFor(std::min(usefulThreadCount(4), wanted.size()), [&](std::size_t) {
        for (std::size_t i = next++; i < wanted.size() && !stop.stop_requested(); i = next++)
            timeline.symbolizer->resolve(*wanted[i].module, wanted[i].address, wantsLines);
    });
}

} // namespace

const std::string& SampledFunction::label() const
{
    static const std::string unknown = "[unknown]";
    return !distinctName.empty() ? distinctName : !name.empty() ? name : !place.empty() ? place : unknown;
}

bool SampledFunction::isCalled(std::string_view text) const
{
    if (text == label() || text == name || (!linkageName.empty() && text == linkageName))
        return !text.empty();
    return text.find(name) != std::string_view::npos && !linkageName.empty() && text == demangled(linkageName, Demangling::Full);
}

std::string SampledFunction::foldedLabel() const
{
    // Restore the suffix "_[k]" (kernel) or "_[j]" (compiled at run time) of a function's name: parseFoldedFrame() (formats/stack_text)
    // replaces it by the module "[kernel]" or "[compiled]".
    if (!name.empty() && (module == "[kernel]" || module == "[compiled]"))
        return name + (module == "[kernel]" ? "_[k]" : "_[j]");
    if (!name.empty() || module.empty())
        return name.empty() ? label() : name;
    return module == JitModule ? module : '[' + module + ']';
}

FunctionIdentity identityOf(const SampledFunction& function)
{
    const std::string& symbol = !function.linkageName.empty() ? function.linkageName
        : function.name.empty()                               ? function.label()
                                                              : function.name;
    return {symbol, function.unit, function.module};
}

std::optional<FunctionId> findFunction(std::span<const SampledFunction> functions, const SampledFunction& function)
{
    const auto found = std::ranges::find(functions, identityOf(function), [](const SampledFunction& it) { return identityOf(it); });
    return found == functions.end() ? std::nullopt : std::optional(FunctionId(found - functions.begin()));
}

void distinguishNames(std::vector<SampledFunction>& functions)
{
    /// Makers of longer names for functions that have the same name, from the shortest names to the longest. If the names of one maker are
    /// still not unique, the next maker is used. The last maker always makes unique names.
    using MakeName = std::string (*)(const SampledFunction&);
    constexpr MakeName Makers[] = {
        [](const SampledFunction& it) { return demangled(it.linkageName, Demangling::Full); },
        [](const SampledFunction& it) {
            const std::string full = demangled(it.linkageName, Demangling::Full);
            return it.unit.empty() ? full : full + " (" + it.unit + ')';
        },
        [](const SampledFunction& it) { return it.unit.empty() ? it.linkageName : it.linkageName + " (" + it.unit + ')'; },
    };
    std::map<std::pair<std::string_view, std::string_view>, std::vector<SampledFunction*>> byName;
    for (SampledFunction& it : functions)
        if (!it.name.empty() && it.code != CodeKind::Thread)
            byName[{it.name, it.module}].push_back(&it);
    for (auto& [name, namesakes] : byName) {
        std::vector<SampledFunction*> alike = namesakes;
        for (std::size_t maker = 0; maker < std::size(Makers) && alike.size() > 1; ++maker) {
            std::map<std::string, std::vector<SampledFunction*>> made;
            for (SampledFunction* it : alike)
                if (!it->linkageName.empty())
                    made[it->distinctName = Makers[maker](*it)].push_back(it);
            std::erase_if(alike, [&](SampledFunction* it) { return it->linkageName.empty() || made[it->distinctName].size() == 1; });
        }
    }
}

StackNames nameByAddress(const StackProfile& profile, const Timeline& timeline)
{
    return Namer(profile, timeline, nullptr, {}).name(nullptr, {});
}

StackNames nameStacks(const StackProfile& profile, const Timeline& timeline, NamingOptions options, QueryProgress* progress,
                      std::stop_token stop)
{
    if (timeline.symbolizer)
        readModules(profile, timeline, options.expandsInlined, stop);
    StackNames names = Namer(profile, timeline, timeline.symbolizer.get(), options).name(progress, stop);
    if (names.isComplete)
        names.doubts = doubtsOf(profile, timeline);
    return names;
}

} // namespace helio
