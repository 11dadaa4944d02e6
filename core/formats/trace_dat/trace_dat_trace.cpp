#include "core/formats/trace_dat/trace_dat_trace.h"

#include "core/io/archive.h"
#include "core/io/unpack.h"
#include "core/trace/loss_range.h"
#include "core/trace/recording_advice.h"
#include "core/trace/tracepoint/tracepoint_texts.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>

namespace helio::tracedat {

/// Reads the events of one CPU, page by page.
/// Ownership: the trace must outlive the stream.
class CpuStream final : public EventStream {
public:
    CpuStream(const TraceDat& trace, std::uint32_t stream, StreamPosition from)
        : m_trace(trace)
        , m_buffer(trace.m_buffers[stream])
        , m_stream(stream)
        , m_page(from.packet)
        , m_event(from.event)
        , m_ring(ringAt(m_page))
    {
        if (from.bit != 0)
            m_ring.resume(static_cast<std::uint32_t>(from.bit / 8), from.clock);
    }

    bool next(EventBatch& batch) override;
    std::vector<Diagnostic> diagnostics() const override { return m_diagnostics; }

private:
    RingPage ringAt(std::size_t page) const
    {
        return m_trace.ringPage(page < m_buffer.pageCount() ? m_buffer.page(page) : std::span<const std::byte>());
    }
    void addLoss(EventBatch& batch) const;
    bool hasFileShrunk();

    const TraceDat& m_trace;
    const CpuBuffer& m_buffer;
    const std::uint32_t m_stream;
    std::size_t m_page; ///< Index of the current page.
    std::uint64_t m_event; ///< Number of the next event, counted from the stream's start.
    RingPage m_ring; ///< Position in the current page.
    std::vector<Diagnostic> m_diagnostics;
};

bool CpuStream::next(EventBatch& batch)
{
    batch.clear();
    if (m_page >= m_buffer.pageCount())
        return false;
    const auto page = m_buffer.page(m_page);
    batch.packet = {page.data(), page.size() * 8, 0};
    batch.packetIndex = static_cast<std::uint32_t>(m_page);
    batch.begin = {batch.packetIndex, m_ring.position() * std::uint64_t{8}, m_ring.clock(), m_event, 0};
    batch.isOrdered = true;
    RingEvent event;
    bool isEnd = false;
    while (batch.records.size() < batch.most && !isEnd) {
        isEnd = !m_ring.next(event);
        const std::uint32_t id = isEnd ? 0 : m_trace.idOf(page, event);
        if (isEnd || id >= m_trace.m_typeOfId.size())
            continue;
        EventRecord& record = batch.records.emplace_back();
        record.time = m_trace.timeOf(event.clock, m_buffer.cpu);
        record.headerBit = event.offset * std::uint64_t{8};
        record.type = EventTypeId(static_cast<std::uint32_t>(m_trace.m_typeOfId[id]));
        record.cpu = m_buffer.cpu;
        if (const std::size_t count = batch.records.size(); count > 1 && record.time < batch.records[count - 2].time)
            batch.isOrdered = false;
    }
    m_event += batch.records.size();
    if (hasFileShrunk()) {
        batch.clear();
        m_page = m_buffer.pageCount();
        return false;
    }
    if (isEnd) {
        m_ring = ringAt(++m_page);
        addLoss(batch);
    }
    return true;
}

/// Adds the loss that the kernel reports in the current page, or the rest of the previous page if that is damaged. It lies between the last
/// event of the previous page and the first event of the current page.
void CpuStream::addLoss(EventBatch& batch) const
{
    const bool isDamaged = m_trace.m_damagedPages.contains({m_stream, m_page - 1});
    if (m_page >= m_buffer.pageCount() || (!m_ring.hasLostEvents() && !isDamaged))
        return;
    Loss loss;
    loss.range = makeLossRange(m_buffer.times[m_page - 1].end, m_buffer.times[m_page].begin);
    loss.events = m_ring.lostEvents();
    loss.cpu = m_buffer.cpu;
    loss.stream = m_stream;
    batch.losses.push_back(loss);
}

bool CpuStream::hasFileShrunk()
{
    if (m_buffer.isCompressed || !m_trace.m_file->wasTruncated())
        return false;
    m_diagnostics.push_back({Diagnostic::Severity::Error, "file-shrank", m_trace.m_file->path().string(), 0, 1,
                             "the file shrank while it was read; its events from here on are missing"});
    return true;
}

/// Prints the fields of events as text, with the print formats of their tracepoints.
/// Ownership: the trace must outlive this object.
class RingTexts final : public EventTexts {
public:
    explicit RingTexts(const TraceDat& trace)
        : m_trace(trace)
        , m_texts(trace.m_description.tracing)
    {
    }

    bool append(std::string& text, const EventView& event) override
    {
        const std::span page(event.packet.data, event.packet.contentBits / 8);
        const auto offset = static_cast<std::uint32_t>(event.record->headerBit / 8);
        if (m_printed.size() > MostPages)
            m_printed.clear();
        Texts& printed = m_printed[page.data()];
        if (!printed.contains(offset))
            printed = print(page, event.cpu(), offset);
        const auto found = printed.find(offset);
        if (found == printed.end() || !found->second)
            return false;
        text += *found->second;
        return true;
    }

private:
    using Texts = std::unordered_map<std::uint32_t, std::optional<std::string>>; ///< Texts by the offset of the event's data in its page.
    static constexpr std::size_t MostPages = 256;
    static constexpr std::size_t MostRecords = 64;

    /// Prints the event at `offset` and the events after it, which are likely to be shown next: printing events one by one would take
    /// much longer.
    Texts print(std::span<const std::byte> page, std::int32_t cpu, std::uint32_t offset)
    {
        RingPage ring = m_trace.ringPage(page);
        RingEvent event;
        std::vector<tracepoint::RawRecord> records;
        std::vector<std::uint32_t> offsets;
        // The size of an event is known only after a walk over the events before it.
        while (records.size() < MostRecords && ring.next(event))
            if (event.offset >= offset) {
                records.push_back({m_trace.idOf(page, event), cpu, page.subspan(event.offset, event.size)});
                offsets.push_back(event.offset);
            }
        auto texts = m_texts.print(records);
        Texts all;
        for (std::size_t i = 0; i < texts.size(); ++i)
            all.try_emplace(offsets[i], std::move(texts[i]));
        return all;
    }

    const TraceDat& m_trace;
    tracepoint::TracepointTexts m_texts;
    std::unordered_map<const std::byte*, Texts> m_printed; ///< The texts that were printed last, by page.
};

namespace {

constexpr std::size_t MostIds = 65'536; ///< Number of possible ids of tracepoints: common_type is a 16-bit number.
constexpr std::int64_t JiffyNs = 10'000'000; ///< Unit of the trace clock "uptime" in ns: USER_HZ is 100.

} // namespace

TraceDat::TraceDat(std::shared_ptr<const MappedFile> file, Description description, TraceInfo info)
    : m_file(std::move(file))
    , m_description(std::move(description))
    , m_info(std::move(info))
{
    for (Diagnostic& diagnostic : m_description.diagnostics) {
        diagnostic.file = m_info.path.string();
        m_diagnostics.push_back(std::move(diagnostic));
    }
    m_minSizes.assign(MostIds, std::numeric_limits<std::uint32_t>::max());
    for (const auto& [id, tracepoint] : m_description.tracing.tracepoints) {
        if (id < MostIds)
            m_minSizes[id] = minRecordSize(tracepoint);
        const auto field = std::ranges::find(tracepoint.fields, "common_type", &tracepoint::TracepointField::name);
        constexpr std::uint32_t LargestOffset = 64; // The field is the first one of the record.
        if (field != tracepoint.fields.end() && field->offset <= LargestOffset && (field->size == 2 || field->size == 4))
            m_typeField = {field->offset, field->size};
    }
}

void TraceDat::complain(Diagnostic::Severity severity, std::string kind, std::uint64_t offset, std::string what, std::uint64_t count)
{
    m_diagnostics.push_back({severity, std::move(kind), m_info.path.string(), offset, count, std::move(what)});
}

std::uint32_t TraceDat::idOf(std::span<const std::byte> page, const RingEvent& event) const
{
    if (event.size < m_typeField.offset + m_typeField.size)
        return MostIds;
    const std::byte* const at = page.data() + event.offset + m_typeField.offset;
    const ByteOrder order = m_description.tracing.order;
    const std::uint32_t id = m_typeField.size == 2 ? loadWord<std::uint16_t>(at, order) : loadWord<std::uint32_t>(at, order);
    return id < MostIds && event.size >= m_minSizes[id] ? id : static_cast<std::uint32_t>(MostIds);
}

HostTimestamp TraceDat::timeOf(std::uint64_t clock, std::int32_t cpu) const
{
    if (m_description.hostClock)
        clock = m_description.hostClock->convert(clock, cpu);
    if (m_description.tsc) {
        const TscConversion& tsc = *m_description.tsc;
        __extension__ using Product = unsigned __int128;
        clock = static_cast<std::uint64_t>((Product(clock) * tsc.multiplier) >> tsc.shift);
    }
    constexpr std::uint64_t Latest = std::uint64_t{1} << 62;
    auto time = static_cast<std::int64_t>(std::min(clock, Latest));
    if (m_info.clock.name == "uptime")
        time = std::min<std::int64_t>(time, Latest / JiffyNs) * JiffyNs;
    return hostTime(sumOf(Duration(time), Duration(m_info.clock.offset)).count());
}

Status TraceDat::unpack(const CpuPages& pages, std::string_view algorithm, std::size_t& size, const std::stop_token& stop)
{
    const auto file = m_file->bytes();
    BinaryReader reader(file.subspan(std::min<std::uint64_t>(pages.offset, file.size())), m_description.tracing.order);
    const UnpackLimits limits;
    const std::uint64_t most = std::min(limits.totalBytes, std::max(limits.freeBytes, limits.ratio * file.size()));
    const std::uint32_t chunks = reader.u32();
    for (std::uint32_t i = 0; i < chunks; ++i) {
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "stopped"};
        const std::uint64_t at = pages.offset + reader.position();
        const std::uint32_t packedSize = reader.u32();
        const std::uint32_t unpackedSize = reader.u32();
        const auto packed = reader.bytes(packedSize);
        constexpr std::uint32_t LargestChunk = 1U << 30;
        const bool isPossible = !reader.isCut() && unpackedSize <= LargestChunk && unpackedSize <= most - m_unpacked.bytes().size();
        const auto room = m_unpacked.extend(isPossible ? unpackedSize : 0);
        if (!room)
            return room.error();
        const Status chunk = isPossible ? unpackBlock(algorithm, packed, *room)
                                        : Status(Error{Error::Kind::Corrupt, "the file ends within it, or its size is impossible"});
        if (!chunk && chunk.error().kind == Error::Kind::Full)
            return chunk;
        if (!chunk) {
            m_unpacked.shrink(room->size());
            complain(Diagnostic::Severity::Error, "damaged-pages", at,
                     "the events of CPU " + std::to_string(pages.cpu) + " are missing from here on: " + chunk.error().what);
            return Done{};
        }
        size += room->size();
    }
    return Done{};
}

Status TraceDat::addBuffers(const std::stop_token& stop)
{
    const auto file = m_file->bytes();
    std::vector<std::size_t> sizes;
    const std::string& clock = m_description.buffers.front().clock;
    for (const Buffer& buffer : m_description.buffers) {
        if (buffer.clock != clock) {
            complain(Diagnostic::Severity::Warning, "other-clock", 0,
                     "the instance \"" + buffer.name + "\" has the clock \"" + buffer.clock + "\", the first one has \"" + clock
                         + "\"; their times are not comparable, and the instance is not shown");
            continue;
        }
        for (const CpuPages& pages : buffer.cpus) {
            if (stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            CpuBuffer& cpu = m_buffers.emplace_back();
            cpu.pageSize = buffer.pageSize;
            cpu.cpu = pages.cpu;
            cpu.instance = buffer.name;
            cpu.fileOffset = pages.offset;
            cpu.isCompressed = buffer.isCompressed;
            std::size_t& size = sizes.emplace_back(0);
            if (cpu.isCompressed) {
                if (auto done = unpack(pages, m_description.compression, size, stop); !done)
                    return done;
                continue;
            }
            const std::uint64_t begin = std::min<std::uint64_t>(pages.offset, file.size());
            cpu.pages = file.subspan(begin, std::min(pages.size, file.size() - begin));
            if (cpu.pages.size() < pages.size)
                complain(Diagnostic::Severity::Error, "truncated", file.size(),
                         "the file ends early: " + std::to_string(pages.size - cpu.pages.size()) + " bytes of CPU "
                             + std::to_string(pages.cpu) + " are missing");
        }
    }
    // Views of the unpacked pages are made after the last append(), which may move the bytes.
    std::size_t at = 0;
    for (std::size_t i = 0; i < m_buffers.size(); ++i) {
        if (m_buffers[i].isCompressed)
            m_buffers[i].pages = m_unpacked.bytes().subspan(at, sizes[i]);
        at += sizes[i];
    }
    return Done{};
}

Status TraceDat::scan(CpuBuffer& buffer, std::vector<bool>& isRecorded, const std::stop_token& stop)
{
    std::uint64_t damaged = 0;
    std::uint64_t unknown = 0;
    std::uint64_t firstDamaged = 0;
    for (std::size_t i = 0; i < buffer.pageCount(); ++i) {
        if (i % 256 == 0 && stop.stop_requested())
            return Error{Error::Kind::Cancelled, "stopped"};
        const auto page = buffer.page(i);
        RingPage ring = ringPage(page);
        if (i > 0)
            m_lost += ring.lostEvents();
        else if (ring.hasLostEvents())
            complain(Diagnostic::Severity::Warning, "lost-before", buffer.fileOffset,
                     "events of CPU " + std::to_string(buffer.cpu) + " were lost before its first event",
                     std::max<std::uint64_t>(ring.lostEvents(), 1));
        HostRange times{timeOf(ring.clock(), buffer.cpu), timeOf(ring.clock(), buffer.cpu)};
        RingEvent event;
        for (bool isFirst = true; ring.next(event); isFirst = false) {
            const std::uint32_t id = idOf(page, event);
            if (id < isRecorded.size())
                isRecorded[id] = true;
            else
                ++unknown;
            const HostTimestamp time = timeOf(event.clock, buffer.cpu);
            times.begin = isFirst ? time : std::min(times.begin, time);
            times.end = isFirst ? time : std::max(times.end, time);
        }
        buffer.times.push_back(times);
        if (ring.isDamaged())
            m_damagedPages.insert({static_cast<std::uint32_t>(&buffer - m_buffers.data()), i});
        if (ring.isDamaged() && damaged++ == 0)
            firstDamaged = buffer.isCompressed ? buffer.fileOffset : buffer.fileOffset + i * buffer.pageSize;
    }
    const std::string ofCpu = " of CPU " + std::to_string(buffer.cpu);
    if (damaged > 0)
        complain(Diagnostic::Severity::Error, "damaged-page", firstDamaged,
                 "pages" + ofCpu + " are damaged; their events behind the damage are missing", damaged);
    if (unknown > 0)
        complain(Diagnostic::Severity::Warning, "unknown-event", buffer.fileOffset,
                 "events" + ofCpu + " have ids that the file does not describe, or are shorter than their fields; they are not shown",
                 unknown);
    return Done{};
}

void TraceDat::addTypes(const std::vector<bool>& isRecorded)
{
    const auto& tracing = m_description.tracing;
    m_typeOfId.assign(MostIds, -1);
    FieldTypePtr common;
    std::unordered_map<std::string_view, int> uses; // Number of recorded tracepoints with each name.
    for (const auto& [id, tracepoint] : tracing.tracepoints)
        if (id < isRecorded.size() && isRecorded[id])
            ++uses[tracepoint.name];
    for (const auto& [id, tracepoint] : tracing.tracepoints) {
        if (id >= isRecorded.size() || !isRecorded[id])
            continue;
        if (!common)
            common = makeCommonFieldsType(tracepoint, tracing);
        EventType type;
        type.name = tracepoint.name;
        if (uses[tracepoint.name] > 1)
            type.name = tracepoint.system + ':' + tracepoint.name;
        type.streamContext = common;
        type.payload = makeOwnFieldsType(tracepoint, tracing);
        m_typeOfId[id] = static_cast<std::int32_t>(m_types.add(std::move(type)));
        if (tracepoint.system == "ftrace" && tracepoint.name == "function")
            complain(Diagnostic::Severity::Info, "function-entries", 0, functionEntriesText(Tracer::TraceCmd));
    }
}

void TraceDat::addStream(const CpuBuffer& buffer)
{
    StreamInfo stream;
    stream.label = (buffer.instance.empty() ? std::string() : buffer.instance + '/') + "cpu" + std::to_string(buffer.cpu);
    stream.cpu = buffer.cpu;
    stream.files.push_back(m_file->path());
    for (std::size_t i = 0; i < buffer.pageCount(); ++i) {
        PacketInfo packet;
        packet.offset = buffer.isCompressed ? buffer.fileOffset : buffer.fileOffset + i * buffer.pageSize;
        packet.size = buffer.pageSize;
        packet.contentBits = std::uint64_t{buffer.pageSize} * 8;
        packet.range = buffer.times[i];
        packet.cpu = buffer.cpu;
        stream.packets.push_back(packet);
    }
    m_streams.push_back(std::move(stream));
}

/// Adds the names of threads from saved_cmdlines. The kernel keeps only the last name of a thread there, so they are used only where no
/// event names threads.
void TraceDat::addNames()
{
    const bool hasSwitches = std::any_of(m_types.begin(), m_types.end(), [](const auto& type) { return type->name == "sched_switch"; });
    HostTimestamp begin = HostTimestamp::max();
    for (const CpuBuffer& buffer : m_buffers)
        if (!buffer.times.empty())
            begin = std::min(begin, buffer.times.front().begin);
    if (hasSwitches || begin == HostTimestamp::max())
        return;
    const std::string_view text = m_description.tracing.commandLines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + 1;
        ProcessRecord record;
        record.time = begin;
        const auto parsed = std::from_chars(line.data(), line.data() + line.size(), record.tid);
        const auto digits = static_cast<std::size_t>(parsed.ptr - line.data());
        if (parsed.ec != std::errc() || record.tid <= 0 || digits + 1 >= line.size())
            continue;
        record.name = line.substr(digits + 1);
        m_processRecords.push_back(std::move(record));
    }
}

Result<std::shared_ptr<const Trace>> TraceDat::open(std::shared_ptr<const MappedFile> file, Description description, TraceInfo info,
                                                    const std::stop_token& stop)
{
    const std::shared_ptr<TraceDat> trace(new TraceDat(std::move(file), std::move(description), std::move(info)));
    if (auto done = trace->addBuffers(stop); !done)
        return done.error();
    std::vector<bool> isRecorded(MostIds);
    for (CpuBuffer& buffer : trace->m_buffers)
        if (auto done = trace->scan(buffer, isRecorded, stop); !done)
            return done.error();
    trace->addTypes(isRecorded);
    for (const CpuBuffer& buffer : trace->m_buffers)
        trace->addStream(buffer);
    trace->addNames();
    if (trace->m_description.overrun > trace->m_lost)
        trace->complain(Diagnostic::Severity::Warning, "overrun", 0,
                        "the kernel overwrote or dropped " + std::to_string(trace->m_description.overrun - trace->m_lost)
                            + " events without saying where; a larger buffer keeps them: trace-cmd record -b KB");
    return std::shared_ptr<const Trace>(trace);
}

std::string_view TraceDat::kernelFunction(std::uint64_t address) const
{
    std::call_once(m_hasFunctions, [this] { m_functions = tracepoint::KernelFunctions(m_description.tracing.symbols); });
    return m_functions.find(address);
}

std::unique_ptr<EventTexts> TraceDat::makeEventTexts() const { return std::make_unique<RingTexts>(*this); }

std::unique_ptr<EventStream> TraceDat::openStream(std::uint32_t stream, StreamPosition from) const
{
    return std::make_unique<CpuStream>(*this, stream, from);
}

} // namespace helio::tracedat
