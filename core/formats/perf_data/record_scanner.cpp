#include "core/formats/perf_data/record_scanner.h"

#include <algorithm>
#include <utility>

namespace helio::perf {
namespace {

constexpr std::uint64_t Largest = std::uint64_t{1} << 40; ///< Limit of counts; larger counts indicate damage and would overflow sums.

// Limits for decompressed data. Records compress 5 to 10 times, so a ratio above MostRatio is an attempt to fill the disk.
constexpr std::uint64_t MostRatio = 256;
constexpr std::uint64_t LeastRoom = 64 << 20;

using enum Diagnostic::Severity;

/// Limit of times in ns; later times indicate damage and would overflow when offsets are added.
constexpr std::uint64_t LatestTime = std::uint64_t{1} << 61;
constexpr std::uint64_t PollBytes = std::uint64_t{1} << 22;

constexpr std::uint32_t EventUpdateName = 2;

} // namespace

void LossCollector::onEvent(HostTimestamp time, std::int32_t cpu)
{
    m_last = time;
    if (cpu >= 0)
        m_lastOfCpu[cpu] = time;
}

void LossCollector::addGap(HostTimestamp time, std::int32_t cpu, std::uint64_t events)
{
    const auto last = m_lastOfCpu.find(cpu);
    const HostTimestamp begin = std::min(last == m_lastOfCpu.end() ? m_last : last->second, time);
    Loss loss;
    loss.range = {begin, std::max(time, begin + Duration(1))};
    loss.events = std::clamp<std::uint64_t>(events, 1, Largest);
    loss.cpu = cpu;
    m_inGaps += loss.events;
    m_gaps.push_back(loss);
}

void LossCollector::addRecorderTotal(std::uint64_t events) { m_recorderTotal += std::min(events, Largest); }

std::vector<Loss> LossCollector::take(HostTimestamp end)
{
    if (m_recorderTotal > m_inGaps) {
        Loss rest;
        rest.range = {end, end + Duration(1)};
        rest.events = m_recorderTotal - m_inGaps;
        m_gaps.push_back(rest);
    }
    std::stable_sort(m_gaps.begin(), m_gaps.end(), [](const Loss& a, const Loss& b) { return a.range.begin < b.range.begin; });
    return std::move(m_gaps);
}

void AttributeFinder::add(const Attribute& attribute, std::uint32_t index)
{
    if (m_count++ == 0) {
        m_idInSample = SampleLayout(attribute, ByteOrder::Little).id;
        m_idInTrailer = TrailerLayout(attribute).id;
    }
    for (const std::uint64_t id : attribute.ids)
        m_byId.try_emplace(id, index);
}

/// Returns the index of the attribute with event id `id`; NoAttribute if unknown. perf writes id 0 into records that it synthesizes itself;
/// they count as records of the first attribute.
std::uint32_t AttributeFinder::find(std::uint64_t id) const
{
    if (id == 0)
        return 0;
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? NoAttribute : found->second;
}

std::uint32_t AttributeFinder::findForSample(const Record& record, ByteOrder order) const
{
    if (m_count <= 1)
        return m_count == 1 ? 0 : NoAttribute;
    if (m_idInSample == SampleLayout::None || m_idInSample + 8 > record.bytes.size())
        return NoAttribute;
    return find(loadWord<std::uint64_t>(record.bytes.data() + m_idInSample, order));
}

std::uint32_t AttributeFinder::findForOtherRecord(const Record& record, ByteOrder order) const
{
    if (m_count <= 1 || m_idInTrailer == 0 || m_idInTrailer + RecordHeaderSize > record.bytes.size())
        return m_count == 0 ? NoAttribute : 0;
    const std::uint32_t found = find(loadWord<std::uint64_t>(record.bytes.data() + record.bytes.size() - m_idInTrailer, order));
    return found == NoAttribute ? 0 : found;
}

RecordScanner::RecordScanner(RecordingDescription& description, std::int64_t clockOffset)
    : sideband(description.order)
    , m_description(description)
    , m_order(description.order)
    , m_clockOffset(clockOffset)
{
    for (const Attribute& attribute : description.attributes)
        addAttribute(attribute);
}

void RecordScanner::addAttribute(const Attribute& attribute)
{
    finder.add(attribute, static_cast<std::uint32_t>(shapes.size()));
    shapes.emplace_back(attribute, m_order);
    trailers.emplace_back(attribute);
}

Status RecordScanner::read(Source source, std::stop_token stop)
{
    const auto number = static_cast<std::uint32_t>(sources.size());
    if (number + 1 >= IndexEntry::MaxSources) {
        report(Error, "too-many-files", nullptr, 0, "too many files to read together; the rest is ignored");
        return Done{};
    }
    m_zstd.reset();
    m_decompressedAt = 0;
    if (source.file->bytes().size() > IndexEntry::MaxOffset)
        return helio::Error{helio::Error::Kind::Unsupported, "files of more than 1 TiB cannot be read"};
    std::uint64_t at = source.begin;
    sources.push_back(source);
    sources.push_back({source.file, nullptr, 0, 0});
    auto walked = walk(number, at, false, stop);
    if (walked && sources[number + 1].end > m_decompressedAt && m_zstd)
        report(Warning, "truncated-record", nullptr, number, "the compressed data end within a record");
    return walked;
}

/// Processes the records of one source from `at` on, and advances `at` past them. `isTailExpected` is true for decompressed data, which may
/// end within a record until more data follows.
Status RecordScanner::walk(std::uint32_t source, std::uint64_t& at, bool isTailExpected, const std::stop_token& stop)
{
    const std::uint64_t end = isTailExpected ? sources[source].bytes().size() : sources[source].end;
    RecordWalk records(sources[source].bytes(), at, end, m_order);
    std::uint64_t nextPoll = at + PollBytes;
    Record record;
    while (records.next(record)) {
        if (auto taken = take(record, source); !taken)
            return taken;
        if (records.offset() >= nextPoll) {
            nextPoll = records.offset() + PollBytes;
            if (stop.stop_requested())
                return helio::Error{helio::Error::Kind::Cancelled, "opening was cancelled"};
        }
    }
    at = records.offset();
    record.offset = at;
    if (records.fault() == RecordWalk::Fault::BadSize)
        report(Error, "damaged-record", &record, source, "a record is smaller than 8 bytes; the rest of the data is ignored");
    else if (records.fault() == RecordWalk::Fault::Cut && !isTailExpected)
        report(Warning, "truncated-record", &record, source, "the data end within a record");
    if (records.fault() == RecordWalk::Fault::BadSize && isTailExpected)
        m_zstd.reset();
    return Done{};
}

Status RecordScanner::take(const Record& record, std::uint32_t source)
{
    if (record.type == RecordType::Sample) [[likely]]
        takeSample(record, source);
    else if (record.type == RecordType::Compressed || record.type == RecordType::Compressed2)
        return decompress(record, source);
    else if (record.type >= RecordType::HeaderAttr)
        takeUserRecord(record);
    else
        takeKernelRecord(record, source);
    return Done{};
}

HostTimestamp RecordScanner::timeAt(const std::byte* at) const
{
    return hostTime(static_cast<std::int64_t>(std::min(loadWord<std::uint64_t>(at, m_order), LatestTime)) + m_clockOffset);
}

void RecordScanner::push(HostTimestamp time, std::int32_t cpu, std::uint32_t type, std::uint32_t source, std::uint64_t offset)
{
    m_isSorted &= index.empty() || index.back().time() <= time;
    index.emplace_back(time, type, source, offset);
    m_lost.onEvent(time, cpu);
}

/// Returns the minimum size in bytes of a tracepoint's record, that is, the end of its last field; 0 if the format is unknown.
std::uint32_t RecordScanner::minRawSize(std::uint32_t attribute)
{
    const auto [it, isNew] = m_minRawSizes.try_emplace(attribute, 0);
    const Attribute& a = m_description.attributes[attribute];
    if (!isNew || !a.isTracepoint())
        return it->second;
    if (const auto format = m_description.tracing.tracepoints.find(a.config); format != m_description.tracing.tracepoints.end())
        it->second = tracepoint::minRecordSize(format->second);
    return it->second;
}

void RecordScanner::takeSample(const Record& record, std::uint32_t source)
{
    const std::uint32_t attribute = finder.findForSample(record, m_order);
    if (attribute >= shapes.size() || attribute >= MaxAttributeEntries)
        return report(Warning, "unknown-event", &record, source, "a sample belongs to an event that the file does not describe");
    const SampleLayout& shape = shapes[attribute];
    SampleOffsets parts;
    if (!shape.walk(record.bytes, parts))
        return report(Warning, "damaged-sample", &record, source, "a sample is shorter than its fields");
    if (parts.raw != 0 && parts.rawSize < minRawSize(attribute))
        return report(Warning, "damaged-sample", &record, source, "a tracepoint sample is shorter than its fields");
    const std::byte* at = record.bytes.data();
    const HostTimestamp time = shape.time != SampleLayout::None ? timeAt(at + shape.time) : hostTime(0);
    const auto cpu = shape.cpu != SampleLayout::None ? static_cast<std::int32_t>(loadWord<std::uint32_t>(at + shape.cpu, m_order))
        : shape.id != SampleLayout::None             ? cpus.of(loadWord<std::uint64_t>(at + shape.id, m_order))
                                                     : -1;
    const std::uint16_t mode = record.misc & misc::CpuMode;
    m_hasGuestCode |= mode == GuestKernelMode || mode == GuestUserMode;
    push(time, cpu, attribute, source, record.offset);
}

/// Processes a record of the kernel that is not a sample.
void RecordScanner::takeKernelRecord(const Record& record, std::uint32_t source)
{
    const std::uint32_t attribute = finder.findForOtherRecord(record, m_order);
    if (attribute >= trailers.size())
        return;
    const TrailerLayout& trailer = trailers[attribute];
    const std::size_t size = record.bytes.size();
    const bool hasTrailer = trailer.size > 0 && trailer.size + RecordHeaderSize <= size;
    const std::byte* end = record.bytes.data() + size;
    const HostTimestamp time = hasTrailer && trailer.time > 0 ? timeAt(end - trailer.time) : hostTime(0);
    const auto cpu = hasTrailer && trailer.cpu > 0 ? static_cast<std::int32_t>(loadWord<std::uint32_t>(end - trailer.cpu, m_order)) : -1;
    const bool hasId = hasTrailer && trailer.id > 0;
    const std::int32_t guest = hasId ? cpus.guestOf(loadWord<std::uint64_t>(end - trailer.id, m_order)) : NoGuest;
    if (sideband.take(record, time, hasTrailer ? trailer.size : 0, guest))
        return;
    const bool isWide = record.type == RecordType::SwitchCpuWide;
    BinaryReader body(record.body(), m_order);
    switch (record.type) {
    case RecordType::Switch:
    case RecordType::SwitchCpuWide:
        if (size < RecordHeaderSize + (isWide ? 8u : 0u) + trailer.size)
            return report(Warning, "damaged-record", &record, source, "a context switch record is truncated");
        (isWide ? hasSwitchCpuWide : hasSwitch) = true;
        return push(time, cpu, isWide ? SwitchCpuWideEntry : SwitchEntry, source, record.offset);
    case RecordType::Lost: {
        const std::uint64_t id = body.u64();
        return m_lost.addGap(time, cpu >= 0 ? cpu : cpus.of(id), body.u64());
    }
    case RecordType::LostSamples: {
        const std::uint64_t count = body.u64();
        if ((record.misc & misc::LostByFilter) != 0)
            return report(Info, "filtered-samples", &record, source, "samples were dropped by a filter during recording", count);
        const bool hasTime = hasTrailer && trailer.time > 0 && loadWord<std::uint64_t>(end - trailer.time, m_order) != 0;
        return hasTime ? m_lost.addGap(time, cpu, count) : m_lost.addRecorderTotal(count);
    }
    case RecordType::Throttle: return report(Info, "throttled", &record, source, "the kernel throttled an event that occurred too often");
    case RecordType::Aux: return hardwareTraces.takeAux(body);
    case RecordType::CallchainDeferred:
        return report(Info, "deferred-callchain", &record, source, "the deferred user part of a call chain is not supported and ignored");
    default:
        if (record.type > RecordType::CallchainDeferred || record.type < RecordType::Mmap)
            report(Warning, "unknown-record", &record, source,
                   "unknown record type " + std::to_string(static_cast<std::uint32_t>(record.type)));
    }
}

/// Processes a record written by the recorder instead of the kernel.
void RecordScanner::takeUserRecord(const Record& record)
{
    BinaryReader body(record.body(), m_order);
    switch (record.type) {
    case RecordType::HeaderAttr: takeAttribute(record); break;
    case RecordType::EventUpdate: takeUpdate(record); break;
    case RecordType::IdIndex: cpus.take(body); break;
    case RecordType::ThreadMap: recorded.takeThreads(body); break;
    case RecordType::CpuMap: recorded.takeCpus(body); break;
    case RecordType::HeaderTracingData: readFeature(m_description, Feature::TracingData, record.payload); break;
    case RecordType::HeaderBuildId: readBuildId(m_description, record.misc, record.body()); break;
    case RecordType::HeaderFeature: {
        const std::uint64_t feature = body.u64();
        // perf writes one record for each feature. Further records for a feature are ignored, because only damaged files contain them.
        if (m_description.isPipe && feature < FeatureBits && !std::exchange(m_hasFeature[feature], true))
            readFeature(m_description, static_cast<Feature>(feature), body.bytes(body.left()));
        break;
    }
    case RecordType::AuxtraceInfo: hardwareTraces.takeInfo(body); break;
    case RecordType::Auxtrace: hardwareTraces.takeData(record.payload.size()); break;
    case RecordType::AuxtraceError: hardwareTraces.takeError(body); break;
    default:
        if (record.type > RecordType::LastKnown)
            report(Warning, "unknown-record", &record, 0, "unknown record type " + std::to_string(static_cast<std::uint32_t>(record.type)));
    }
}

void RecordScanner::takeAttribute(const Record& record)
{
    if (!m_description.isPipe)
        return;
    const auto body = record.body();
    const std::size_t given = body.size() >= 8 ? loadWord<std::uint32_t>(body.data() + 4, m_order) : 0;
    const std::size_t size = given == 0 ? 64 : given;
    auto attribute = size <= body.size() ? readAttribute(body.first(size), m_order) : std::nullopt;
    if (!attribute || shapes.size() >= MaxAttributeEntries)
        return report(Warning, "damaged-record", &record, 0, "an event's description cannot be read");
    BinaryReader ids(body.subspan(size), m_order);
    while (ids.left() >= 8)
        attribute->ids.push_back(ids.u64());
    addAttribute(*attribute);
    m_description.attributes.push_back(std::move(*attribute));
}

/// Sets the name of an event from an EVENT_UPDATE record, which the recorder may write late.
void RecordScanner::takeUpdate(const Record& record)
{
    BinaryReader body(record.body(), m_order);
    const std::uint64_t what = body.u64();
    const std::uint64_t id = body.u64();
    const std::string_view name = body.restAsText();
    if (what != EventUpdateName || name.empty())
        return;
    if (const std::uint32_t attribute = finder.find(id);
        attribute < m_description.attributes.size() && m_description.attributes[attribute].name.empty())
        m_description.attributes[attribute].name = name;
}

Status RecordScanner::decompress(const Record& record, std::uint32_t source)
{
    if (sources[source].decompressed) {
        report(Warning, "damaged-record", &record, source, "compressed data within compressed data");
        return Done{};
    }
    const auto data = record.payload;
    Source& target = sources[source + 1];
    if (!target.decompressed) {
        target.decompressed = std::make_shared<SpillBuffer>();
        m_zstd = std::make_unique<ZstdStream>();
    }
    if (!m_zstd)
        return Done{}; // Skip the data: decompression has failed at an earlier record, and this was reported.
    Status kept = Done{};
    m_compressed += data.size();
    const Status decoded = m_zstd->decode(data, [&](std::span<const std::byte> part) {
        if (target.decompressed->bytes().size() + part.size() > LeastRoom + MostRatio * m_compressed) {
            kept = helio::Error{helio::Error::Kind::Corrupt, "its compressed data expands beyond the limit"};
            return false;
        }
        kept = target.decompressed->append(part);
        return bool(kept);
    });
    if (!kept)
        return kept;
    if (!decoded && decoded.error().kind == helio::Error::Kind::Full)
        return decoded;
    if (!decoded) {
        report(Error, "damaged-record", &record, source,
               "compressed data cannot be read (" + decoded.error().what + "); what follows in it is left out");
        m_zstd.reset();
    }
    target.end = target.decompressed->bytes().size();
    if (target.end > IndexEntry::MaxOffset)
        return helio::Error{helio::Error::Kind::Unsupported, "more than 1 TiB of decompressed data cannot be read"};
    return walk(source + 1, m_decompressedAt, true, {});
}

void RecordScanner::addJitCode(const JitDump& dump, const MappedJitDump& mapped, const std::string& file, bool hasTimes)
{
    const ModuleId module = sideband.addJitModule(mapped.pid, file, dump.names);
    for (const JitCode& code : dump.code) {
        ProcessRecord record;
        record.time = hasTimes ? hostTime(static_cast<std::int64_t>(std::min(code.time, LatestTime)) + m_clockOffset) : mapped.since;
        record.kind = ProcessRecord::Kind::Map;
        record.pid = mapped.pid;
        record.mapping = {code.address, code.size, code.number, module, true};
        sideband.records.push_back(std::move(record));
    }
}

void RecordScanner::finish()
{
    const auto isEarlier = [](const auto& a, const auto& b) { return a.time() < b.time(); };
    if (!m_isSorted)
        std::stable_sort(index.begin(), index.end(), isEarlier);
    if (std::any_of(shapes.begin(), shapes.end(), [](const SampleLayout& shape) { return shape.hasCounterPeriod(); }))
        splitCounterReads();
    losses = m_lost.take(index.empty() ? hostTime(0) : index.back().time());
    if (m_hasGuestCode)
        sideband.addUnmappedGuestCode();
    sideband.finish(index.empty() ? hostTime(0) : index.front().time(), m_description.buildIds);
}

/// Replaces each sample that read counters by one sample for each event whose counter advanced, as perf does.
void RecordScanner::splitCounterReads()
{
    std::vector<IndexEntry> split;
    std::unordered_map<std::uint64_t, std::uint64_t> last; // Last value of each counter, by id.
    for (const IndexEntry& entry : index) {
        if (entry.type() >= shapes.size() || !shapes[entry.type()].hasCounterPeriod()) {
            split.push_back(entry);
            continue;
        }
        const auto source = sources[entry.source()].bytes();
        // The file may have changed since its records were indexed, so `size` may exceed the remaining bytes of the source.
        const std::uint64_t size = loadWord<std::uint16_t>(source.data() + entry.offset() + 6, m_order);
        const auto bytes = source.subspan(entry.offset(), std::min<std::uint64_t>(size, source.size() - entry.offset()));
        SampleOffsets parts;
        if (!shapes[entry.type()].walk(bytes, parts))
            continue;
        for (const auto& [id, value] : shapes[entry.type()].counters(bytes, parts)) {
            const std::uint32_t type = finder.find(id);
            const std::uint64_t period = value - std::exchange(last[id], value);
            if (type < shapes.size())
                readerOfCounter.try_emplace(type, entry.type());
            // Call walk() only to check that the bytes match the layout of the counter's event. All events of a group have the layout of
            // the group's leader, so the bytes match unless the header is damaged.
            SampleOffsets ignored;
            if (period == 0 || type >= shapes.size() || type >= MaxAttributeEntries || !shapes[type].walk(bytes, ignored))
                continue;
            split.emplace_back(entry.time(), type, entry.source(), entry.offset());
            periods.push_back({split.back().packedPlace(), period});
        }
    }
    index = std::move(split);
    std::sort(periods.begin(), periods.end(), [](const auto& a, const auto& b) { return a.packedPlace < b.packedPlace; });
}

/// Reports a diagnostic with the offset of `record`, or increases the count of a diagnostic with the same kind and text.
void RecordScanner::report(Diagnostic::Severity severity, std::string kind, const Record* record, std::uint32_t source, std::string what,
                           std::uint64_t count)
{
    const auto same =
        std::find_if(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) { return d.kind == kind && d.what == what; });
    if (same != diagnostics.end()) {
        same->count += count;
        return;
    }
    constexpr std::size_t Most = 200;
    if (diagnostics.size() >= Most)
        return;
    const bool isInFile = source < sources.size() && !sources[source].decompressed;
    diagnostics.push_back({severity, std::move(kind), source < sources.size() ? sources[source].file->path().string() : std::string(),
                           record && isInFile ? record->offset : 0, count, std::move(what)});
}

} // namespace helio::perf
