#include "core/sql/model/recorded_stacks.h"

#include "core/profiling/samples/profile_nodes.h"
#include "core/query/rows/timeline_access.h"
#include "core/store/numbered_samples.h"
#include "core/symbol/symbolizer.h"

#include <algorithm>
#include <utility>

namespace helio::sql {

RecordedStacks::RecordedStacks(std::shared_ptr<const Samples> samples)
    : m_samples(std::move(samples))
{
}

bool RecordedStacks::prepare(const std::stop_token& stop) const
{
    if (m_frames)
        return true;
    m_sources.clear();
    m_mappings.clear();
    m_firstMapping.assign(timeline().stores.size(), -1);
    m_siteEnd = 0;
    auto profile = std::make_shared<StackProfile>();
    profile->nodes.emplace_back();
    ProfileNodes frames(*profile);
    for (const SampleSource& it : m_samples->sources()) {
        if (!m_sources.empty() && m_sources.back().store == it.store)
            continue;
        Source source = makeSource(it.store, stop);
        if (stop.stop_requested())
            return false;
        addMappings(it.store);
        numberSites(source, frames);
        source.first = m_siteEnd;
        m_siteEnd += source.sites.size() - 1;
        m_sources.push_back(std::move(source));
    }
    m_frames = std::move(profile);
    return true;
}

/// True if the stacks of the store's samples are not all recorded as they are shown: samples are unwound later, or frame pointers of
/// recorded chains may be invalid.
bool RecordedStacks::needsMaking(StoreIndex store) const
{
    const TimelineTrace& trace = timeline().traces[traceOf(timeline(), store)];
    if (const SampleReader* const reader = trace.trace->samples();
        reader && std::ranges::any_of(reader->events(), &SampleEvent::hasUserState))
        return true;
    // Only chains with several frames outside of all mappings can be circles.
    const auto nodes = storeAt(timeline(), store).stacks().nodes();
    std::vector<std::uint8_t> unknown(nodes.size());
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const auto parent = static_cast<std::size_t>(nodes[i].parent());
        const bool isUnknown = nodes[i].frame().module == UnknownModule && nodes[i].frame().address >> 63 == 0;
        unknown[i] = static_cast<std::uint8_t>((parent < i ? unknown[parent] : 0) + (isUnknown ? 1 : 0));
        if (unknown[i] > 1)
            return true;
    }
    return false;
}

RecordedStacks::Source RecordedStacks::makeSource(StoreIndex store, const std::stop_token& stop) const
{
    Source source;
    source.store = store;
    if (!needsMaking(store))
        return source;
    source.made = std::make_shared<StackProfile>();
    source.made->nodes.emplace_back();
    source.making = std::make_shared<SampleNodes>(timeline(), *source.made);
    source.making->setStore(store, storeAt(timeline(), store), stop);
    for (const SampleSource& it : m_samples->sources()) {
        if (it.store != store)
            continue;
        visitSampleBlocks(
            samplesIn(timeline(), store), it.kind, {},
            [&](std::uint64_t, std::span<const HostSample> samples) {
                for (const HostSample& sample : samples)
                    if (!stop.stop_requested())
                        source.making->nodeOf(sample);
            },
            stop);
    }
    source.making->setStore(store, storeAt(timeline(), store), {}); // Later queries have other stop tokens.
    return source;
}

/// Returns the caller of a node in its source; 0 if there is none.
std::uint32_t RecordedStacks::parentIn(const Source& source, std::uint32_t node) const
{
    const std::uint32_t parent = source.made
        ? source.made->nodes[node].parent
        : static_cast<std::uint32_t>(storeAt(timeline(), source.store).stacks().nodes()[node].parent());
    return parent < node ? parent : 0;
}

void RecordedStacks::numberSites(Source& source, ProfileNodes& frames) const
{
    const Store& store = storeAt(timeline(), source.store);
    frames.setStore(source.store, store.stacks());
    const auto recorded = store.stacks().nodes();
    source.sites.resize(std::max<std::size_t>(1, source.made ? source.made->nodes.size() : recorded.size()));
    for (std::uint32_t node = 1; node < source.sites.size(); ++node) {
        const StackFrame frame = source.made ? source.made->nodes[node].frame : recorded[node].frame();
        const std::uint32_t parent = parentIn(source, node);
        source.sites[node] = {frames.intern(0, frame), parent == 0 ? 0 : source.sites[parent].depth + 1};
    }
}

/// Numbers the modules of a store. Stores that share their modules share the mappings.
void RecordedStacks::addMappings(StoreIndex store) const
{
    const auto modules = modulesOf(timeline(), store);
    for (std::size_t i = 0; i < m_firstMapping.size(); ++i)
        if (m_firstMapping[i] >= 0 && modulesOf(timeline(), StoreIndex(static_cast<std::uint32_t>(i))).data() == modules.data()) {
            m_firstMapping[static_cast<std::size_t>(store)] = m_firstMapping[i];
            return;
        }
    m_firstMapping[static_cast<std::size_t>(store)] = static_cast<std::int64_t>(m_mappings.size());
    for (std::uint32_t i = 0; i < std::max<std::size_t>(1, modules.size()); ++i)
        m_mappings.push_back({store, ModuleId(i)});
}

const RecordedStacks::Source* RecordedStacks::sourceOf(StoreIndex store) const
{
    const auto found = std::ranges::find(m_sources, store, &Source::store);
    return found != m_sources.end() ? &*found : nullptr;
}

std::uint64_t RecordedStacks::estimatedCallSites() const
{
    std::uint64_t nodes = 0;
    std::optional<StoreIndex> last;
    for (const SampleSource& it : m_samples->sources())
        if (it.store != last) {
            nodes += storeAt(timeline(), it.store).stacks().nodes().size();
            last = it.store;
        }
    return nodes;
}

CallSite RecordedStacks::callSite(std::uint64_t id) const
{
    const Source& source = *(std::ranges::upper_bound(m_sources, id, {}, &Source::first) - 1);
    const auto node = static_cast<std::uint32_t>(id - source.first + 1);
    const std::uint32_t parent = parentIn(source, node);
    CallSite site;
    site.frame = source.sites[node].frame;
    site.depth = source.sites[node].depth;
    if (parent != 0)
        site.parent = static_cast<std::int64_t>(source.first + parent - 1);
    return site;
}

std::vector<std::uint64_t> RecordedStacks::calledFrom(std::int64_t id) const
{
    if (m_callees.empty()) {
        m_callees.resize(std::min<std::uint64_t>(m_siteEnd, NoSite));
        for (std::size_t site = m_callees.size(); site-- > 0;)
            if (const auto caller = callSite(site).parent) {
                Callees& of = m_callees[static_cast<std::size_t>(*caller)];
                m_callees[site].next = std::exchange(of.first, static_cast<std::uint32_t>(site));
            }
    }
    std::vector<std::uint64_t> called;
    if (id < 0 || static_cast<std::size_t>(id) >= m_callees.size())
        return called;
    for (std::uint32_t site = m_callees[static_cast<std::size_t>(id)].first; site != NoSite; site = m_callees[site].next)
        called.push_back(site);
    return called;
}

SampledStack RecordedStacks::stackOf(const SampleRow& sample) const
{
    const Source* const source = sourceOf(m_samples->sources()[sample.source].store);
    if (!source)
        return {};
    auto node = static_cast<std::uint32_t>(sample.sample.stack);
    SampledStack stack{{}, sample.sample.isCut ? UnwindEnd::NotRecorded : UnwindEnd::Complete};
    if (source->making) {
        const SampleNodes::Stack made = source->making->nodeOf(sample.sample);
        node = made.node;
        stack.end = made.end;
    }
    if (node > 0 && node < source->sites.size())
        stack.site = static_cast<std::int64_t>(source->first + node - 1);
    return stack;
}

std::int64_t RecordedStacks::mappingOf(const CollectedNode& frame) const
{
    const std::int64_t first = m_firstMapping[static_cast<std::size_t>(frame.store)];
    // A frame with an unknown module, or with one that does not exist, belongs to the first mapping, which stands for no module.
    const bool exists = moduleAt(timeline(), frame.store, frame.frame.module) != nullptr;
    return first + (exists ? static_cast<std::int64_t>(frame.frame.module) : 0);
}

const Module* RecordedStacks::moduleOf(StoreIndex store, ModuleId module) const { return moduleAt(timeline(), store, module); }

const StackNames* RecordedStacks::names(const std::stop_token& stop) const
{
    if (m_names)
        return &*m_names;
    if (!prepare(stop))
        return nullptr;
    StackNames names = nameStacks(*m_frames, timeline(), {}, nullptr, stop);
    if (stop.stop_requested())
        return nullptr;
    m_names = std::move(names);
    return &*m_names;
}

const SampledFunction* RecordedStacks::functionOf(std::uint32_t frame) const
{
    const auto named = m_names->framesOf(frame);
    return named.empty() ? nullptr : &m_names->functions[static_cast<std::size_t>(named.back().function)];
}

std::optional<std::int64_t> RecordedStacks::symbolSetOf(std::uint32_t frame) const
{
    const SampledFunction* const function = functionOf(frame);
    return function && !function->name.empty() ? std::optional(std::int64_t{m_names->firstFrame[frame]}) : std::nullopt;
}

std::optional<std::uint32_t> RecordedStacks::frameOfSymbol(std::uint64_t symbol) const
{
    if (symbol >= m_names->frames.size())
        return {};
    const auto after = std::ranges::upper_bound(m_names->firstFrame, symbol);
    return static_cast<std::uint32_t>(after - m_names->firstFrame.begin() - 1);
}

std::string_view RecordedStacks::nameOf(const SampledFunction& function)
{
    return function.name.empty() ? std::string_view() : std::string_view(function.label());
}

SourceLine RecordedStacks::sourceOf(std::uint32_t frame, std::size_t name) const
{
    const CollectedNode& node = m_frames->nodes[frame];
    const Module* const module = moduleOf(node.store, node.frame.module);
    if (!module)
        return {};
    const std::uint64_t address = node.frame.address - (node.frame.isReturnAddress && node.frame.address > 0 ? 1 : 0);
    if (module->names) {
        const RecordedName recorded = module->names->at(address);
        return {std::string(recorded.file), recorded.line};
    }
    if (module->kind == Module::Kind::Unknown || !timeline().symbolizer)
        return {};
    const Symbol symbol = timeline().symbolizer->resolve(*module, address, true);
    return name < symbol.frames.size() ? symbol.frames[name].source : SourceLine();
}

} // namespace helio::sql
