#include "core/formats/perf_data/perf_trace.h"

#include "core/formats/perf_data/perf_stream.h"
#include "core/formats/perf_data/sample_types.h"

#include <algorithm>
#include <bit>

namespace helio::perf {
namespace {

CodeMode modeOf(std::uint16_t bits)
{
    switch (bits & misc::CpuMode) {
    case KernelMode: return CodeMode::Kernel;
    case UserMode: return CodeMode::User;
    case HypervisorMode: return CodeMode::Hypervisor;
    case GuestKernelMode: return CodeMode::GuestKernel;
    case GuestUserMode: return CodeMode::GuestUser;
    default: return CodeMode::Unknown;
    }
}

} // namespace

PerfTrace::PerfTrace(RecordingDescription description, TraceInfo info)
    : m_description(std::move(description))
    , m_info(std::move(info))
    , m_machine(m_description.fact("machine"))
{
    m_description.nameAttributes();
    const auto& attributes = m_description.attributes;
    const ByteOrder order = m_description.order;
    SampleTypes types(m_description.tracing, m_machine, order);
    for (std::uint32_t i = 0; i < attributes.size() && i < MaxAttributeEntries; ++i) {
        const Attribute& attribute = attributes[i];
        const EventTypeId type = m_types.add(types.make(attribute));
        m_kinds.push_back({type, i, hasTracepointType(attribute, m_description.tracing)});
        m_shapes.emplace_back(attribute, order);
        m_trailers.emplace_back(attribute);
        m_finder.add(attribute, i);
        if (attribute.isDummy())
            continue;
        m_samples.push_back(
            {type, attribute.label, attribute.isClock(), attribute.has(sample::Callchain), attribute.has(sample::StackUser)});
        m_samples.back().spacing = Duration(estimateSpacing(attribute));
        m_samples.back().isSampled = attribute.isSampledTracepoint();
        m_samples.back().hasForwardPeriods = attribute.hasForwardPeriod();
    }
    m_diagnostics = m_description.diagnostics;
    reportSampled();
    for (Diagnostic& diagnostic : m_diagnostics)
        diagnostic.file = m_info.path.string();
}

void PerfTrace::fill(RecordScanner scan)
{
    const bool hasTid = !m_trailers.empty() && m_trailers.front().tid > 0;
    for (const bool isWide : {false, true}) {
        const bool isPresent = isWide ? scan.hasSwitchCpuWide : scan.hasSwitch;
        m_kinds.push_back({isPresent ? m_types.add(makeSwitchType(isWide, hasTid, m_description.order)) : EventTypeId{}, 0, false});
    }
    m_sources = std::move(scan.sources);
    m_index = std::move(scan.index);
    m_periods = std::move(scan.periods);
    for (SampleEvent& event : m_samples) // An attribute's index is the id of its event type.
        if (const auto reader = scan.readers.find(static_cast<std::uint32_t>(event.type)); reader != scan.readers.end())
            event.groupLeader = EventTypeId(reader->second);
    m_cpus = std::move(scan.cpus);
    m_losses = std::move(scan.losses);
    m_modules = std::move(scan.sideband.modules);
    completeKernelModules();
    m_processRecords = std::move(scan.sideband.records);
    setRecordedPart(scan.recorded);
    std::move(scan.diagnostics.begin(), scan.diagnostics.end(), std::back_inserter(m_diagnostics));
    addStream();
}

/// Reports the tracepoints of which only some events were recorded.
void PerfTrace::reportSampled()
{
    std::string names;
    for (const Attribute& attribute : m_description.attributes) {
        if (!attribute.isSampledTracepoint())
            continue;
        names += (names.empty() ? "" : ", ") + attribute.name;
        names += attribute.isFrequency() ? " (at most " + std::to_string(attribute.period) + " a second)"
                                         : " (1 of " + std::to_string(attribute.period) + ")";
    }
    if (!names.empty())
        m_diagnostics.push_back({Diagnostic::Severity::Warning,
                                 "sampled-tracepoints",
                                 {},
                                 0,
                                 1,
                                 "sampled: " + names + "; states are not known from them. Without -F and -c perf records all of them"});
}

/// Sets the recorded threads and CPUs, and reports them if the trace has scheduler events but not those of all threads and CPUs.
void PerfTrace::setRecordedPart(const RecordingTarget& target)
{
    m_info.part = target.part(m_description);
    const bool hasScheduling = std::ranges::any_of(
        m_description.attributes, [](const Attribute& a) { return a.name.starts_with("sched:") && !a.isSampledTracepoint(); });
    if (hasScheduling && !m_info.part.isAll())
        m_diagnostics.push_back(
            {Diagnostic::Severity::Warning, "recorded-in-part", m_info.path.string(), 0, 1, target.text(m_info.part, m_processRecords)});
}

/// Adds facts about the kernel to its modules. They distinguish its symbols from those of another kernel.
void PerfTrace::completeKernelModules()
{
    const auto kernel = std::find_if(m_modules.begin(), m_modules.end(), [](const Module& m) { return m.kind == Module::Kind::Kernel; });
    for (Module& module : m_modules) {
        if (!module.isKernel() && module.kind != Module::Kind::Vdso)
            continue;
        if (module.release.empty())
            module.release = m_description.fact("kernel_release");
        if (module.isKernel() && module.kind != Module::Kind::Kernel && kernel != m_modules.end()) {
            module.reference = kernel->reference;
            module.referenceName = kernel->referenceName;
            module.textSize = kernel->textSize;
        }
    }
}

void PerfTrace::addStream()
{
    StreamInfo stream;
    stream.label = "records";
    for (std::size_t i = 0; i < m_sources.size(); i += 2) {
        const Source& source = m_sources[i];
        PacketInfo packet;
        packet.file = static_cast<std::uint32_t>(i / 2);
        packet.offset = source.begin;
        packet.size = source.end - source.begin;
        packet.contentBits = packet.size * 8;
        if (!m_index.empty())
            packet.range = HostRange{m_index.front().time(), m_index.back().time()};
        stream.files.push_back(source.file->path());
        stream.packets.push_back(packet);
    }
    m_streams.push_back(std::move(stream));
}

const IndexEntryType& PerfTrace::kindOf(std::uint32_t entryType) const
{
    if (entryType == SwitchEntry)
        return m_kinds[m_kinds.size() - 2];
    return entryType == SwitchCpuWideEntry ? m_kinds.back() : m_kinds[entryType];
}

std::unique_ptr<EventStream> PerfTrace::openStream(std::uint32_t, StreamPosition from) const
{
    return std::make_unique<PerfStream>(*this, from);
}

bool PerfTrace::hasChanged() const
{
    return std::ranges::any_of(m_sources, [](const Source& source) { return source.file && source.file->hasChanged(); });
}

std::uint64_t PerfTrace::findCountedPeriod(const EventView& event, std::uint64_t otherwise) const
{
    const auto isIn = [&](const Source& source) { return source.end > 0 && source.bytes().data() == event.packet.data; };
    const auto source = static_cast<std::uint32_t>(std::find_if(m_sources.begin(), m_sources.end(), isIn) - m_sources.begin());
    const IndexEntry entry({}, static_cast<std::uint32_t>(event.record->type), source, event.record->headerBit / 8);
    const auto found = std::lower_bound(m_periods.begin(), m_periods.end(), entry.place(),
                                        [](const CountedPeriod& period, std::uint64_t place) { return period.place < place; });
    return found != m_periods.end() && found->place == entry.place() ? found->period : otherwise;
}

bool PerfTrace::read(const EventView& event, SampleView& sample) const
{
    const auto type = static_cast<std::size_t>(event.record->type);
    if (type >= m_shapes.size())
        return false;
    const SampleLayout& shape = m_shapes[type];
    const Attribute& attribute = m_description.attributes[type];
    const std::uint64_t offset = event.record->headerBit / 8;
    const ByteOrder order = shape.order();
    const std::byte* at = event.packet.data + offset;
    const std::uint64_t left = event.packet.contentBits / 8 - offset;
    const std::uint64_t size = left < RecordHeaderSize ? 0 : loadWord<std::uint16_t>(at + 6, order);
    SampleOffsets parts;
    if (size < RecordHeaderSize || size > left || !shape.walk({at, size}, parts))
        return false;
    const auto u32 = [&](std::uint32_t place) { return loadWord<std::uint32_t>(at + place, order); };
    const auto word = [&](std::uint32_t place, std::uint64_t otherwise) {
        return place == SampleLayout::None ? otherwise : loadWord<std::uint64_t>(at + place, order);
    };
    sample = {};
    sample.mode = modeOf(loadWord<std::uint16_t>(at + 4, order));
    sample.hasIp = shape.ip != SampleLayout::None;
    sample.ip = word(shape.ip, 0);
    sample.period = word(shape.period, attribute.isFrequency() || attribute.period == 0 ? 1 : attribute.period);
    if (shape.hasCounterPeriod())
        sample.period = findCountedPeriod(event, sample.period);
    sample.address = word(shape.address, 0);
    sample.cpu = event.cpu();
    if (shape.tid != SampleLayout::None) {
        sample.pid = static_cast<std::int32_t>(u32(shape.tid));
        sample.tid = static_cast<std::int32_t>(u32(shape.tid + 4));
    }
    if (parts.callchainCount > 0)
        sample.callchain = WordSpan(at + parts.callchain, parts.callchainCount, order);
    if (parts.userRegisters != 0) {
        sample.user.abi = word(parts.userAbi, 0);
        sample.user.registerMask = attribute.userRegisters;
        sample.user.registers = WordSpan(at + parts.userRegisters, static_cast<std::size_t>(std::popcount(attribute.userRegisters)), order);
    }
    if (parts.branchCount > 0 && (attribute.branchType & branch::CallStack) != 0)
        sample.calls = {word(parts.branches + 8, 0), WordSpan(at + parts.branches, parts.branchCount, order, branch::Size),
                        parts.branchCount >= m_description.branchStackDepth};
    sample.user.stack = {at + parts.userStack, parts.userStackUsed};
    sample.user.isStackTruncated = parts.userStackSize > 0 && parts.userStackUsed == parts.userStackSize;
    return true;
}

} // namespace helio::perf
