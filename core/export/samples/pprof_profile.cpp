#include "core/export/samples/pprof_profile.h"

#include "core/experiment/timeline.h"
#include "core/export/protobuf_text.h"
#include "core/profiling/samples/amount_text.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/timeline_access.h"
#include "core/symbol/symbolizer.h"

#include <algorithm>

// The protobuf field numbers in this file are those of profile.proto in github.com/google/pprof.

namespace helio {
namespace {

using PprofMessage = protozero::pbf_writer;

/// Returns pprof's word for a unit.
std::string unitWord(const SampleKind& kind) { return kind.unit == "ns" ? "nanoseconds" : kind.unit.empty() ? "count" : kind.unit; }

void addNumber(PprofMessage& message, std::uint32_t field, std::uint64_t value)
{
    if (value != 0)
        message.add_uint64(field, value);
}

void addSigned(PprofMessage& message, std::uint32_t field, std::int64_t value)
{
    if (value != 0)
        message.add_int64(field, value);
}

std::int64_t limited(std::uint64_t value) { return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX)); }

} // namespace

PprofProfile::PprofProfile(const Timeline& timeline)
    : m_timeline(timeline)
{
    text({}); // The format requires that the first text is empty.
}

PprofProfile::StringId PprofProfile::text(std::string_view text)
{
    const auto [place, isNew] = m_textIds.try_emplace(std::string(text), m_texts.size());
    if (isNew)
        m_texts.push_back(&place->first);
    return place->second;
}

void PprofProfile::addType(const SampleKind& kind)
{
    KindValues added{m_types.size(), !kind.isAggregated()};
    const ValueType weights{text(kind.name), text(unitWord(kind))};
    m_types.push_back(weights);
    if (added.hasCount)
        m_types.push_back({text(kind.name + ' ' + std::string(samplesWord(kind))), text(kind.divisor() == 1 ? "count" : kind.unit)});
    if (m_kinds.empty()) {
        const bool isCounted = added.hasCount && defaultWeight(kind) == WeightBy::Samples;
        m_defaultType = m_types[added.firstType + (isCounted ? 1 : 0)].name;
        if (kind.origin == SampleKind::Origin::Event && kind.hasConstantPeriod() && kind.mostWeight > 0) {
            m_periodType = weights;
            m_period = limited(kind.mostWeight);
        }
    }
    m_kinds.push_back(added);
}

void PprofProfile::add(const StackProfile& profile, const StackNames& names)
{
    const KindValues kind = m_kinds[m_nextKind++];
    std::vector<std::uint64_t> locations(profile.nodes.size());
    for (std::uint32_t node = 1; node < profile.nodes.size(); ++node)
        locations[node] = locationOf(profile.nodes[node], names.framesOf(node), names);
    if (profile.samples > 0)
        m_range = {std::min(m_range.begin, profile.range.begin), std::max(m_range.end, profile.range.end)};
    for (const CollectedStack& stack : profile.stacks) {
        Sample sample;
        for (std::uint32_t node = stack.node; node != 0; node = profile.nodes[node].parent)
            if (locations[node] != 0)
                sample.locations.push_back(locations[node]);
        sample.labels = labelsOf(profile.threads[stack.thread], stack.cpu);
        std::vector<std::int64_t>& values = m_samples[std::move(sample)];
        values.resize(m_types.size());
        values[kind.firstType] += limited(stack.weight);
        if (kind.hasCount)
            values[kind.firstType + 1] += limited(stack.samples);
    }
}

/// Returns the id of the location of a frame; 0 if the node has no frames, because inlined functions are left out.
std::uint64_t PprofProfile::locationOf(const CollectedNode& node, std::span<const NamedFrame> frames, const StackNames& names)
{
    if (frames.empty())
        return 0;
    Location location;
    const Module* module = node.text == 0 ? moduleAt(m_timeline, node.store, node.frame.module) : nullptr;
    const bool hasAddress = module && module->kind != Module::Kind::Unknown && !module->names;
    location.mapping = module && module->kind != Module::Kind::Unknown ? mappingOf(node) : 0;
    std::vector<SymbolFrame> sources;
    if (hasAddress) {
        // An address within the call instruction, like nameStacks(): a return address may belong to the next function.
        location.address = node.frame.address - (node.frame.isReturnAddress && node.frame.address > 0 ? 1 : 0);
        if (m_timeline.symbolizer)
            sources = m_timeline.symbolizer->resolve(*module, location.address).frames;
        if (sources.size() != frames.size())
            sources.clear();
    }
    Mapping* mapping = location.mapping != 0 ? &m_mappings[location.mapping - 1] : nullptr;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const SampledFunction& named = names.functions[static_cast<std::size_t>(frames[i].function)];
        if (mapping && named.name.empty()) // Only the address says what it is.
            mapping->hasFunctions = false;
        if (mapping && hasAddress && named.name.empty())
            continue;
        Function function;
        function.name = text(named.label());
        function.systemName = text(named.linkageName.empty() ? named.label() : named.linkageName);
        Line line;
        if (!sources.empty()) {
            const SourceLine& declared = sources[i].declaration;
            const bool isDeclared = !declared.file.empty();
            function.file = text(isDeclared ? declared.file : sources[i].source.file);
            function.line = isDeclared ? declared.line : 0;
            line.line = sources[i].source.line;
        }
        const auto [id, isNew] = m_functionIds.try_emplace(function, m_functions.size() + 1);
        if (isNew)
            m_functions.push_back(function);
        line.function = id->second;
        location.lines.push_back(line);
        if (mapping) {
            mapping->hasFiles |= function.file != 0;
            mapping->hasLines |= line.line != 0;
            mapping->hasInlined |= frames[i].isInlined;
        }
    }
    if (mapping && hasAddress) {
        mapping->begin = module->isKernel() || module->isGuest() ? std::min(mapping->begin, location.address) : mapping->begin;
        mapping->end = std::max(mapping->end, location.address + 1);
    }
    const auto [id, isNew] = m_locationIds.try_emplace(std::move(location), m_locations.size() + 1);
    if (isNew)
        m_locations.push_back(&id->first);
    return id->second;
}

/// Returns the id of the mapping of a frame's module on its host. Addresses in a file are offsets, so its mapping begins at 0.
std::uint64_t PprofProfile::mappingOf(const CollectedNode& node)
{
    const Module& module = *moduleAt(m_timeline, node.store, node.frame.module);
    const std::uint32_t host = m_timeline.traces[traceOf(m_timeline, node.store)].host;
    const auto [id, isNew] =
        m_mappingIds.try_emplace({host, static_cast<int>(module.kind), module.path, module.buildId, module.pid}, m_mappings.size() + 1);
    if (!isNew)
        return id->second;
    Mapping& mapping = m_mappings.emplace_back();
    mapping.file = text(module.path);
    mapping.buildId = text(module.buildId);
    if (module.isKernel() || module.isGuest()) {
        mapping.begin = module.begin != 0 ? module.begin : UINT64_MAX;
        mapping.end = module.begin + module.size;
    }
    return id->second;
}

std::vector<PprofProfile::Label> PprofProfile::labelsOf(const SampledThread& thread, std::int32_t cpu)
{
    std::vector<Label> labels;
    const auto addLabel = [&](const char* key, const std::string& value) {
        if (!value.empty())
            labels.push_back({text(key), text(value)});
    };
    const auto addId = [&](const char* key, std::int32_t value) {
        if (value >= 0)
            addLabel(key, std::to_string(value));
    };
    addLabel("thread", thread.comm);
    addId("tid", thread.tid);
    addLabel("process", thread.process);
    addId("pid", thread.pid);
    addId("cpu", cpu);
    if (m_timeline.hosts.size() > 1 && thread.host < m_timeline.hosts.size())
        addLabel("host", m_timeline.hosts[thread.host].label);
    return labels;
}

void PprofProfile::write(const std::function<void(std::string_view)>& write)
{
    std::string out;
    const auto add = [&](std::uint32_t field, const auto& fill) {
        std::string inner;
        PprofMessage message(inner);
        fill(message);
        PprofMessage(out).add_message(field, inner);
        if (out.size() > 65536) {
            write(out);
            out.clear();
        }
    };
    const auto addType = [&](std::uint32_t field, const ValueType& type) {
        add(field, [&](PprofMessage& message) {
            addNumber(message, 1, type.name);
            addNumber(message, 2, type.unit);
        });
    };
    for (const ValueType& type : m_types)
        addType(1, type);
    for (const auto& [sample, values] : m_samples) {
        add(2, [&](PprofMessage& message) {
            message.add_packed_uint64(1, sample.locations.begin(), sample.locations.end());
            message.add_packed_int64(2, values.begin(), values.end());
            for (const Label& label : sample.labels) {
                std::string inner;
                PprofMessage fields(inner);
                addNumber(fields, 1, label.key);
                addNumber(fields, 2, label.value);
                message.add_message(3, inner);
            }
        });
    }
    for (std::size_t i = 0; i < m_mappings.size(); ++i) {
        add(3, [&](PprofMessage& message) {
            const Mapping& it = m_mappings[i];
            addNumber(message, 1, i + 1);
            addNumber(message, 2, it.begin == UINT64_MAX ? 0 : it.begin);
            addNumber(message, 3, it.end);
            addNumber(message, 5, it.file);
            addNumber(message, 6, it.buildId);
            for (const auto& [field, flag] : {std::pair(7U, it.hasFunctions), {8U, it.hasFiles}, {9U, it.hasLines}, {10U, it.hasInlined}})
                if (flag)
                    message.add_bool(field, true);
        });
    }
    for (std::size_t i = 0; i < m_locations.size(); ++i) {
        add(4, [&](PprofMessage& message) {
            const Location& it = *m_locations[i];
            addNumber(message, 1, i + 1);
            addNumber(message, 2, it.mapping);
            addNumber(message, 3, it.address);
            for (const Line& line : it.lines) {
                std::string inner;
                PprofMessage fields(inner);
                addNumber(fields, 1, line.function);
                addSigned(fields, 2, line.line);
                message.add_message(4, inner);
            }
        });
    }
    for (std::size_t i = 0; i < m_functions.size(); ++i) {
        add(5, [&](PprofMessage& message) {
            const Function& it = m_functions[i];
            addNumber(message, 1, i + 1);
            addNumber(message, 2, it.name);
            addNumber(message, 3, it.systemName);
            addNumber(message, 4, it.file);
            addSigned(message, 5, it.line);
        });
    }
    for (const std::string* text : m_texts) {
        PprofMessage texts(out);
        addText(texts, 6, *text);
        if (out.size() > 65536) {
            write(out);
            out.clear();
        }
    }
    PprofMessage rest(out);
    if (m_range.begin <= m_range.end) {
        if (hasEpoch(m_timeline))
            addSigned(rest, 9, nanoseconds(m_range.begin));
        addSigned(rest, 10, m_range.duration().count());
    }
    if (m_period > 0) {
        addType(11, m_periodType);
        addSigned(rest, 12, m_period);
    }
    addNumber(rest, 14, m_defaultType);
    write(out);
}

} // namespace helio
