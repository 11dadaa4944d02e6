#include "core/formats/perf_data/perf_trace.h"

#include "core/formats/perf_data/sample_types.h"
#include "core/trace/tracepoint/tracepoint_texts.h"

#include <algorithm>
#include <bit>

namespace helio::perf {

/// Reads a trace's events in the order of its index.
/// Ownership: the trace must outlive the stream.
class PerfStream final : public EventStream {
public:
    PerfStream(const PerfTrace& trace, StreamPosition from);

    bool next(EventBatch& batch) override;
    std::vector<Diagnostic> diagnostics() const override { return m_diagnostics; }

private:
    void fill(EventRecord& record, const IndexEntry& entry, std::span<const std::byte> source) const;
    void fillSample(EventRecord& record, std::span<const std::byte> bytes, const IndexEntryType& kind) const;
    void fillSwitch(EventRecord& record, std::span<const std::byte> bytes) const;
    bool hasFileShrunk(const Source& source);

    const PerfTrace& m_trace;
    std::uint64_t m_at; ///< Position of the next event in PerfTrace::m_index.
    std::size_t m_loss; ///< Index of the next loss to return in PerfTrace::m_losses.
    std::vector<Diagnostic> m_diagnostics;
};

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

PerfStream::PerfStream(const PerfTrace& trace, StreamPosition from)
    : m_trace(trace)
    , m_at(std::min<std::uint64_t>(from.event, trace.m_index.size()))
{
    // Skip the losses before the first event to read: the stream that read the events up to `from` has already returned them.
    const bool isEnd = m_at == trace.m_index.size();
    const HostTimestamp first = m_at == 0 ? HostTimestamp::min() : isEnd ? HostTimestamp::max() : trace.m_index[m_at].time();
    const auto isEarlier = [](const Loss& loss, HostTimestamp time) { return loss.range.begin < time; };
    m_loss =
        static_cast<std::size_t>(std::lower_bound(trace.m_losses.begin(), trace.m_losses.end(), first, isEarlier) - trace.m_losses.begin());
}

/// Fills `batch` with events of one source, followed by the losses between them and the next event. The batch ends where a gap in the
/// recording starts.
bool PerfStream::next(EventBatch& batch)
{
    batch.clear();
    const auto& index = m_trace.m_index;
    const auto& losses = m_trace.m_losses;
    if (m_at >= index.size() && m_loss >= losses.size())
        return false;
    batch.isOrdered = true;
    if (m_at < index.size()) {
        const std::uint32_t number = index[m_at].source();
        const Source& source = m_trace.m_sources[number];
        const auto bytes = source.bytes();
        batch.packet = {bytes.data(), bytes.size() * 8, 0};
        batch.packetIndex = number / 2;
        batch.begin = {batch.packetIndex, index[m_at].offset() * 8, 0, m_at, 0};
        const HostTimestamp gap = m_loss < losses.size() ? losses[m_loss].range.begin : HostTimestamp::max();
        for (; m_at < index.size() && batch.records.size() < batch.most; ++m_at) {
            const IndexEntry& entry = index[m_at];
            if (entry.source() != number || entry.time() > gap)
                break;
            fill(batch.records.emplace_back(), entry, bytes);
        }
        if (hasFileShrunk(source)) {
            batch.clear();
            m_at = index.size();
            m_loss = losses.size();
            return false;
        }
    }
    const HostTimestamp next = m_at < index.size() ? index[m_at].time() : HostTimestamp::max();
    for (; m_loss < losses.size() && losses[m_loss].range.begin < next; ++m_loss)
        batch.losses.push_back(losses[m_loss]);
    return true;
}

void PerfStream::fill(EventRecord& record, const IndexEntry& entry, std::span<const std::byte> source) const
{
    const IndexEntryType& kind = m_trace.kindOf(entry.type());
    const std::uint64_t offset = entry.offset();
    const std::uint64_t size = loadWord<std::uint16_t>(source.data() + offset + 6, m_trace.m_description.order);
    record.time = entry.time();
    record.headerBit = offset * 8;
    record.type = kind.type;
    const auto bytes = source.subspan(offset, std::min<std::uint64_t>(size, source.size() - offset));
    if (entry.type() < MaxAttributeEntries)
        fillSample(record, bytes, kind);
    else
        fillSwitch(record, bytes);
}

void PerfStream::fillSample(EventRecord& record, std::span<const std::byte> bytes, const IndexEntryType& kind) const
{
    const SampleLayout& shape = m_trace.m_shapes[kind.attribute];
    if (shape.fixedEnd > bytes.size())
        return; // The record is too short for the sample's fields: the file was overwritten after it was indexed.
    if (shape.cpu != SampleLayout::None)
        record.cpu = static_cast<std::int32_t>(loadWord<std::uint32_t>(bytes.data() + shape.cpu, shape.order()));
    else if (shape.id != SampleLayout::None)
        record.cpu = m_trace.m_cpus.of(loadWord<std::uint64_t>(bytes.data() + shape.id, shape.order()));
    if (!kind.isTracepoint) {
        record.contextOffset = shape.tid * 8;
        return;
    }
    std::uint32_t raw = shape.constantRaw;
    if (raw == SampleLayout::None) {
        SampleOffsets parts;
        shape.walk(bytes, parts);
        raw = parts.raw;
    }
    record.payloadOffset = raw * 8;
}

void PerfStream::fillSwitch(EventRecord& record, std::span<const std::byte> bytes) const
{
    const ByteOrder order = m_trace.m_description.order;
    Record whole;
    whole.bytes = bytes;
    const std::uint32_t attribute = m_trace.m_finder.findForOtherRecord(whole, order);
    const TrailerLayout& trailer = m_trace.m_trailers[attribute < m_trace.m_trailers.size() ? attribute : 0];
    const auto size = static_cast<std::uint32_t>(bytes.size());
    if (trailer.size + RecordHeaderSize > size)
        return;
    record.contextOffset = (size - trailer.tid) * 8;
    if (trailer.cpu > 0)
        record.cpu = static_cast<std::int32_t>(loadWord<std::uint32_t>(bytes.data() + size - trailer.cpu, order));
}

/// Returns true and reports a diagnostic if the file became shorter. The bytes that were read last may then be zeros, which replace the
/// missing end of the file.
bool PerfStream::hasFileShrunk(const Source& source)
{
    if (source.decompressed || !source.file->wasTruncated())
        return false;
    m_diagnostics.push_back({Diagnostic::Severity::Error, "file-shrank", source.file->path().string(), 0, 1,
                             "the file shrank while it was read; its events from here on are missing"});
    return true;
}

PerfTrace::PerfTrace(RecordingDescription description, TraceInfo info, const EventIdCpus& ids)
    : m_description(std::move(description))
    , m_info(std::move(info))
    , m_machine(m_description.fact("machine"))
{
    m_description.nameAttributes();
    const auto& attributes = m_description.attributes;
    const ByteOrder order = m_description.order;
    SampleTypes types(m_description.tracing, m_machine, order, ids.guestLabels());
    for (std::uint32_t i = 0; i < attributes.size() && i < MaxAttributeEntries; ++i) {
        const Attribute& attribute = attributes[i];
        const EventTypeId type = m_types.add(types.make(attribute));
        m_kinds.push_back({type, i, hasTracepointType(attribute, m_description.tracing)});
        m_shapes.emplace_back(attribute, order);
        m_trailers.emplace_back(attribute);
        m_finder.add(attribute, i);
        if (attribute.isDummy())
            continue;
        m_samples.push_back({type, attribute.label, attribute.isClock(), attribute.has(sample::StackUser)});
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
    // Event type ids equal attribute indices, which are the keys and values of scan.readerOfCounter.
    for (SampleEvent& event : m_samples)
        if (const auto reader = scan.readerOfCounter.find(static_cast<std::uint32_t>(event.type)); reader != scan.readerOfCounter.end())
            event.groupLeader = EventTypeId(reader->second);
    m_cpus = std::move(scan.cpus);
    for (const auto& [id, guest] : m_cpus.guests())
        m_guestNames.try_emplace(guest, "guest " + std::to_string(guest));
    m_losses = std::move(scan.losses);
    m_modules = std::move(scan.sideband.modules);
    completeKernelModules();
    m_processRecords = std::move(scan.sideband.records);
    setRecordedPart(scan.recorded);
    std::move(scan.diagnostics.begin(), scan.diagnostics.end(), std::back_inserter(m_diagnostics));
    for (Diagnostic& diagnostic : scan.hardwareTraces.diagnostics()) {
        diagnostic.file = m_info.path.string();
        m_diagnostics.push_back(std::move(diagnostic));
    }
    if (std::string summary = scan.hardwareTraces.summary(); !summary.empty())
        m_info.environment.emplace_back("hardware_trace", std::move(summary));
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
        m_diagnostics.push_back(
            {Diagnostic::Severity::Warning,
             "sampled-tracepoints",
             {},
             0,
             1,
             "sampled events: " + names + "; states cannot be derived from them. Record without -F and -c to get every event"});
}

/// Sets the recorded threads and CPUs. Reports them if the trace has scheduler events, but not those of all threads and CPUs.
void PerfTrace::setRecordedPart(const RecordingTarget& target)
{
    m_info.part = target.scope(m_description);
    const bool hasScheduling = std::ranges::any_of(
        m_description.attributes, [](const Attribute& a) { return a.name.starts_with("sched:") && !a.isSampledTracepoint(); });
    if (hasScheduling && !m_info.part.isAll())
        m_diagnostics.push_back(
            {Diagnostic::Severity::Warning, "recorded-in-part", m_info.path.string(), 0, 1, target.text(m_info.part, m_processRecords)});
}

/// Adds the kernel's release and reference symbol to the modules of the kernel, to distinguish their symbols from the symbols of another
/// kernel.
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
    for (Module& module : m_modules) {
        if (module.kind != Module::Kind::GuestModule)
            continue;
        const auto guest = std::ranges::find_if(
            m_modules, [&](const Module& it) { return it.kind == Module::Kind::GuestKernel && it.pid == module.pid && it.reference != 0; });
        if (guest == m_modules.end())
            continue;
        module.reference = guest->reference;
        module.referenceName = guest->referenceName;
        module.textSize = guest->textSize;
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

namespace {

/// Converts tracepoint events to text by the tracepoints' print formats.
class PerfTexts final : public EventTexts {
public:
    /// Ownership: `description` must outlive the object.
    explicit PerfTexts(const RecordingDescription& description)
        : m_description(description)
        , m_texts(description.tracing)
    {
    }

    bool append(std::string& text, const EventView& event) override
    {
        const auto type = static_cast<std::size_t>(event.record->type);
        if (type >= m_description.attributes.size() || !hasTracepointType(m_description.attributes[type], m_description.tracing))
            return false;
        const std::uint64_t end = event.packet.contentBits / 8;
        const std::uint64_t raw = (event.record->headerBit + event.record->payloadOffset) / 8;
        if (event.record->payloadOffset < 4 * 8 || raw > end)
            return false; // The record has no raw data: there is no space for their size, which precedes them.
        const std::uint64_t size = loadWord<std::uint32_t>(event.packet.data + raw - 4, m_description.order);
        if (size > end - raw)
            return false;
        const tracepoint::RawRecord record{m_description.attributes[type].config, event.cpu(), {event.packet.data + raw, size}};
        const auto printed = m_texts.print({&record, 1});
        if (printed.front())
            text += *printed.front();
        return printed.front().has_value();
    }

private:
    const RecordingDescription& m_description;
    tracepoint::TracepointTexts m_texts;
};

} // namespace

std::unique_ptr<EventTexts> PerfTrace::makeEventTexts() const
{
    return m_description.tracing.tracepoints.empty() ? nullptr : std::make_unique<PerfTexts>(m_description);
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
    const auto found = std::lower_bound(m_periods.begin(), m_periods.end(), entry.packedPlace(),
                                        [](const CountedPeriod& period, std::uint64_t place) { return period.packedPlace < place; });
    return found != m_periods.end() && found->packedPlace == entry.packedPlace() ? found->period : otherwise;
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
    if (sample.mode == CodeMode::GuestKernel || sample.mode == CodeMode::GuestUser) {
        sample.guest = shape.id == SampleLayout::None ? NoGuest : m_cpus.guestOf(word(shape.id, 0));
        // If the guest itself recorded the sample, the sample's thread is a thread of the guest, and gets a row of its own.
        if (const auto name = m_guestNames.find(sample.guest); name != m_guestNames.end())
            sample.command = name->second;
        else
            sample.guest = std::max(sample.pid, AnyGuest);
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
