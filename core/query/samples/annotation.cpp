#include "core/query/samples/annotation.h"

#include "core/query/rows/composed.h"
#include "core/trace/process/recorded_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace helio {
namespace {

/// The same code, perhaps in several traces.
bool isSame(const Module& a, const Module& b)
{
    const bool isProcessOwn = a.kind == Module::Kind::Anonymous;
    return a.kind == b.kind && a.path == b.path && a.buildId == b.buildId && (!isProcessOwn || a.pid == b.pid);
}

/// The code of a function that the recording names itself is that of its name, where the file is here.
FunctionCode codeNamed(Symbolizer& symbolizer, const Module& module, const std::string& name)
{
    if (const auto found = symbolizer.find(module, name); found && !found->frames.empty())
        return symbolizer.codeOf(module, found->begin);
    FunctionCode code;
    code.whyNoCode = code.whyNoLines = symbolizer.symbolsOf(module).explanation;
    if (code.whyNoCode.empty())
        code.whyNoCode = code.whyNoLines = "the file of " + module.path + " has no function of that name";
    return code;
}

/// Adds up over one function's code.
class Annotator {
public:
    Annotator(const StackProfile& profile, const Timeline& timeline, Annotation& annotation)
        : m_profile(profile)
        , m_annotation(annotation)
    {
        const FunctionCode& code = annotation.code;
        m_begin = code.symbol.size > 0  ? code.symbol.begin
            : code.instructions.empty() ? annotation.function.address
                                        : code.instructions.front().address;
        m_end = m_begin + std::max<std::uint64_t>(code.symbol.size, 1);
        for (const Instruction& it : code.instructions) {
            m_annotation.addresses.push_back({it.address, {}, false});
            m_end = std::max(m_end, it.address + std::max<std::uint64_t>(it.size, 1));
        }
        findModules(timeline);
        if (const Module* own = moduleAt(timeline, annotation.function.store, annotation.function.moduleId);
            own && own->names && code.instructions.empty()) {
            m_begin = 0; // All there is are offsets in the function.
            m_end = ~std::uint64_t{0};
        }
        findNodes(timeline);
        placeLines();
    }

    void addUp(const std::stop_token& stop)
    {
        m_addressSeen.resize(m_annotation.addresses.size(), 0);
        m_lineSeen.resize(m_annotation.lines.size(), 0);
        std::uint32_t number = 0;
        for (const CollectedStack& stack : m_profile.stacks) {
            if (++number % 4096 == 0 && stop.stop_requested())
                return;
            add(stack, number);
        }
    }

private:
    static constexpr std::uint32_t Elsewhere = ~0u;

    void findModules(const Timeline& timeline)
    {
        const SampledFunction& function = m_annotation.function;
        const Module* own = moduleAt(timeline, function.store, function.moduleId);
        std::set<StoreIndex> stores;
        for (std::size_t node = 1; own && node < m_profile.nodes.size(); ++node)
            stores.insert(m_profile.nodes[node].store);
        for (const StoreIndex store : stores) {
            const auto modules = modulesOf(timeline, store);
            for (std::uint32_t id = 0; id < modules.size(); ++id)
                if (isSame(*own, modules[id]))
                    m_modules.emplace(std::pair(store, ModuleId{id}), &modules[id]);
        }
    }

    /// The executed address of a frame: a return address is behind its call.
    static std::uint64_t executed(const StackFrame& frame) { return frame.address - (frame.isReturnAddress && frame.address > 0 ? 1 : 0); }

    /// Where a node lies in the terms of the function's code; nothing: in no module of it.
    std::optional<std::uint64_t> addressOf(const CollectedNode& node) const
    {
        const auto module = m_modules.find({node.store, node.frame.module});
        if (module == m_modules.end())
            return {};
        if (!module->second->names)
            return executed(node.frame);
        const RecordedName name = module->second->names->at(node.frame.address);
        if (name.function != m_annotation.function.name || !name.offset || name.isInlined)
            return {};
        return m_begin + *name.offset;
    }

    void findNodes(const Timeline& timeline)
    {
        std::vector<AnnotatedAddress>& addresses = m_annotation.addresses;
        const bool hasCode = !addresses.empty();
        m_places.assign(m_profile.nodes.size(), {});
        std::vector<std::pair<std::uint32_t, std::uint64_t>> inside; // Nodes and their addresses.
        std::set<std::uint64_t> sampled;
        for (std::uint32_t node = 1; node < m_profile.nodes.size(); ++node) {
            const CollectedNode& it = m_profile.nodes[node];
            if (const Module* module = moduleAt(timeline, it.store, it.frame.module)) {
                m_places[node].isInlined = module->names && module->names->at(it.frame.address).isInlined;
                m_places[node].isKernel = module->isKernel();
            }
            const auto address = addressOf(it);
            if (!address || *address < m_begin || *address >= m_end)
                continue;
            inside.emplace_back(node, *address);
            sampled.insert(*address);
        }
        if (!hasCode)
            for (const std::uint64_t address : sampled)
                addresses.push_back({address, {}, false});
        const auto placeOf = [&](std::uint64_t address) {
            const auto after = std::ranges::upper_bound(addresses, address, {}, &AnnotatedAddress::address);
            return after == addresses.begin() ? 0 : static_cast<std::uint32_t>(after - addresses.begin() - 1);
        };
        m_annotation.knowsPlaces = inside.empty();
        for (const auto& [node, address] : inside) {
            // A call begins at the function's first instruction, and spends its time anywhere in it.
            m_places[node].isWhere = !areCalls(m_profile.kind) || m_profile.nodes[node].frame.isReturnAddress;
            m_annotation.knowsPlaces |= m_places[node].isWhere;
            m_places[node].taken = m_places[node].call = placeOf(address);
            // Recorded names do not say which of their offsets calls return to: that depends on where in a stack they stand.
            if (const Module* module = moduleAt(timeline, m_profile.nodes[node].store, m_profile.nodes[node].frame.module);
                hasCode && module && module->names && address > m_begin)
                m_places[node].call = placeOf(address - 1);
        }
    }

    void placeLines()
    {
        const std::vector<LineRange>& ranges = m_annotation.code.lines;
        std::map<std::string, std::uint32_t> files;
        const auto fileOf = [&](const std::string& file) {
            const auto [place, isNew] = files.emplace(file, static_cast<std::uint32_t>(m_annotation.files.size()));
            if (isNew)
                m_annotation.files.push_back(file);
            return place->second;
        };
        if (const auto& frames = m_annotation.code.symbol.frames; !frames.empty() && !frames.back().source.file.empty())
            fileOf(frames.back().source.file);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> lines;
        for (const LineRange& range : ranges)
            if (range.source.line > 0 && !range.source.file.empty())
                lines.emplace(std::pair(fileOf(range.source.file), range.source.line), 0);
        for (auto& [place, index] : lines) {
            index = static_cast<std::uint32_t>(m_annotation.lines.size());
            m_annotation.lines.push_back({place.first, place.second, {}, true});
        }
        for (const AnnotatedAddress& it : m_annotation.addresses) {
            const auto after = std::ranges::upper_bound(ranges, it.address, {}, &LineRange::begin);
            const bool isKnown = after != ranges.begin() && it.address < (after - 1)->end && (after - 1)->source.line > 0
                && !(after - 1)->source.file.empty();
            m_annotation.lineOf.push_back(isKnown ? lines.at({fileOf((after - 1)->source.file), (after - 1)->source.line})
                                                  : Annotation::NoLine);
        }
    }

    void add(const CollectedStack& stack, std::uint32_t number)
    {
        const SampleSum sum = sumOf(stack);
        m_annotation.whole += sum;
        bool isInside = false;
        bool isFirst = true; // Of the code that ran itself; what was inlined into it has its address.
        bool isBelowKernel = false;
        for (std::uint32_t node = stack.node; node != 0; node = m_profile.nodes[node].parent) {
            const NodePlace& at = m_places[node];
            if (at.isInlined)
                continue;
            const bool isTaken = isFirst || (isBelowKernel && !at.isKernel);
            const bool isSelf = std::exchange(isFirst, false);
            isBelowKernel = at.isKernel;
            const std::uint32_t place = isTaken ? at.taken : at.call;
            if (place == Elsewhere)
                continue;
            isInside = true;
            if (isSelf)
                m_annotation.sums.self += sum;
            if (!at.isWhere)
                continue;
            const std::uint32_t line = m_annotation.lineOf[place];
            if (isSelf) {
                m_annotation.addresses[place].sums.self += sum;
                if (line != Annotation::NoLine)
                    m_annotation.lines[line].sums.self += sum;
            }
            if (m_addressSeen[place] != number)
                m_annotation.addresses[place].sums.total += sum;
            m_addressSeen[place] = number;
            if (line != Annotation::NoLine && m_lineSeen[line] != number)
                m_annotation.lines[line].sums.total += sum;
            if (line != Annotation::NoLine)
                m_lineSeen[line] = number;
        }
        if (isInside)
            m_annotation.sums.total += sum;
    }

public:
    /// Marks which instructions and lines are inlined code. Cost: some microseconds an instruction.
    void findInlined(Symbolizer& symbolizer, const Module& module, const std::stop_token& stop)
    {
        for (std::size_t i = 0; i < m_annotation.addresses.size() && !stop.stop_requested(); ++i) {
            AnnotatedAddress& it = m_annotation.addresses[i];
            it.isInlined = symbolizer.resolve(module, it.address).frames.size() > 1;
            if (!it.isInlined && m_annotation.lineOf[i] != Annotation::NoLine)
                m_annotation.lines[m_annotation.lineOf[i]].isInlined = false;
        }
    }

private:
    const StackProfile& m_profile;
    Annotation& m_annotation;
    std::uint64_t m_begin = 0;
    std::uint64_t m_end = 0;
    std::map<std::pair<StoreIndex, ModuleId>, const Module*> m_modules; ///< By store.
    /// Where a node lies in `addresses`, or Elsewhere.
    struct NodePlace {
        std::uint32_t taken = Elsewhere; ///< Where what was executed is.
        std::uint32_t call = Elsewhere; ///< Where a call returns to it.
        bool isInlined = false;
        bool isKernel = false;
        bool isWhere = true; ///< Else the function alone is known.
    };
    std::vector<NodePlace> m_places; ///< By node.
    std::vector<std::uint32_t> m_addressSeen; ///< The last stack it was counted for.
    std::vector<std::uint32_t> m_lineSeen;
};

} // namespace

Annotation annotate(const StackProfile& profile, const Timeline& timeline, const SampledFunction& function, std::stop_token stop)
{
    Annotation annotation;
    annotation.function = function;
    const Module* module = moduleAt(timeline, function.store, function.moduleId);
    Module inFile; // Without the recording's names.
    if (module) {
        inFile = *module;
        inFile.names.reset();
    }
    if (module && timeline.symbolizer)
        annotation.code =
            module->names ? codeNamed(*timeline.symbolizer, inFile, function.name) : timeline.symbolizer->codeOf(*module, function.address);
    else
        annotation.code.whyNoCode = annotation.code.whyNoLines = module ? "there are no symbols" : "its module is not known";
    Annotator annotator(profile, timeline, annotation);
    annotator.addUp(stop);
    if (module && timeline.symbolizer && !annotation.code.lines.empty())
        annotator.findInlined(*timeline.symbolizer, inFile, stop);
    return annotation;
}

} // namespace helio
