#include "tests/bench/amplifier/trace_amplifier.h"

#include "tests/bench/amplifier/index_file.h"
#include "tests/bench/amplifier/source_trace.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace helio::bench {
namespace fs = std::filesystem;
namespace {

using Stream = SourceTrace::Stream;

/// Length of the copy, in repetitions and events.
struct Length {
    std::uint64_t copies = 0; ///< Number of repetitions; the last one may be incomplete.
    std::vector<std::size_t> lastPackets; ///< Number of packets of each stream in the last repetition.
    std::uint64_t events = 0;
};

/// Computes the length of the copy. If the last repetition is incomplete, the packets that begin last are left out, so that all streams end
/// at about the same time.
Length lengthFor(const SourceTrace& source, const AmplifyOptions& options)
{
    Length length;
    length.copies = options.copies ? options.copies : (options.events + source.events() - 1) / source.events();
    length.events = length.copies * source.events();
    const auto& streams = source.streams();
    for (const auto& stream : streams)
        length.lastPackets.push_back(stream.events.size());
    if (options.copies)
        return length;
    for (;;) {
        const auto beginOf = [&](std::size_t i) {
            return length.lastPackets[i] ? streams[i].data.packets[length.lastPackets[i] - 1].begin.value_or(0) : 0;
        };
        std::vector<std::size_t> order(streams.size());
        std::iota(order.begin(), order.end(), 0);
        const auto latest = *std::max_element(order.begin(), order.end(), [&](auto a, auto b) { return beginOf(a) < beginOf(b); });
        if (length.lastPackets[latest] == 0)
            return length;
        const auto events = streams[latest].events[length.lastPackets[latest] - 1];
        if (length.events - events < options.events)
            return length;
        length.events -= events;
        --length.lastPackets[latest];
    }
}

/// Writes the repetitions of one stream's packets.
class StreamWriter {
public:
    StreamWriter(const SourceTrace& source, const Stream& stream, const Uuid& uuid, std::uint64_t copies, std::size_t lastPackets)
        : m_source(source)
        , m_stream(stream)
        , m_uuid(uuid)
        , m_copies(copies)
        , m_lastPackets(lastPackets)
    {
        for (const auto& packet : stream.data.packets) {
            m_offsets.push_back(m_size);
            m_size += packet.size;
            m_lost = packet.discarded.value_or(m_lost);
            m_firstSequence = std::min(m_firstSequence, packet.sequence.value_or(m_firstSequence));
            m_lastSequence = std::max(m_lastSequence, packet.sequence.value_or(0));
        }
        if (const auto& first = stream.data.packets.front(); first.sequence.value_or(0) != 0)
            // Subtract the count of lost events in the first packet, because these events were lost before the recording began. The later
            // repetitions must not count them again.
            m_lost -= first.discarded.value_or(0);
    }

    Status write(std::uint32_t number, const fs::path& folder)
    {
        auto file = OutputFile::create(folder / m_stream.info.label);
        if (!file)
            return file.error();
        m_file = &*file;
        std::optional<IndexFile> index;
        if (!m_stream.index.empty()) {
            auto created = IndexFile::create(folder / "index" / (m_stream.info.label + ".idx"));
            if (!created)
                return created.error();
            m_index = &index.emplace(std::move(*created));
        }
        Status status = Done{};
        std::size_t packet = 0;
        const auto writeUpTo = [&](std::size_t end) {
            for (; packet < end && status; ++packet)
                status = writePacket(packet);
        };
        m_source.readEvents(number, [&](const EventBatch& batch) {
            writeUpTo(batch.packetIndex);
            collect(batch);
        });
        writeUpTo(m_stream.data.packets.size());
        if (status)
            status = file->close();
        if (status && index)
            status = index->close();
        return status;
    }

    std::uint64_t bytes() const { return (m_copies - 1) * m_size + (m_lastPackets < m_offsets.size() ? m_offsets[m_lastPackets] : m_size); }

private:
    void collect(const EventBatch& batch)
    {
        for (const auto& record : batch.records) {
            const auto& fields = m_stream.times->events[std::size_t(record.type)];
            if (fields.hasWide())
                fields.collect(scopeOf({&record, &m_source.types()[record.type], batch.packet, 0}), m_stamps);
        }
    }

    /// Writes all repetitions of a packet. Requires: m_stamps contains the positions of its events' wide time stamps.
    Status writePacket(std::size_t number)
    {
        const auto& packet = m_stream.data.packets[number];
        const auto bytes = m_stream.data.files[packet.file]->bytes().subspan(packet.offset, packet.size);
        m_bytes.assign(bytes.begin(), bytes.end());
        FieldScope scope;
        scope.packet = {bytes.data(), packet.eventsBit, packet.contextBit};
        scope.start(Section::PacketHeader) = 0;
        scope.start(Section::PacketContext) = packet.contextBit;
        m_stream.times->packet.collect(scope, m_stamps);
        if (!packet.end) // lttng-crash saved an unfinished packet, which has no end time to rewrite.
            std::erase_if(m_stamps, [&](const BitPlace& place) { return isAt(place, m_stream.data.shape->packet.end, scope); });
        if (const auto& uuid = m_stream.data.shape->packet.uuid; uuid.isValid())
            std::memcpy(m_bytes.data() + uuid.bit(scope) / 8, m_uuid.data(), m_uuid.size());
        Status status = Done{};
        const auto copies = m_copies - (number < m_lastPackets ? 0 : 1);
        for (std::uint64_t copy = 0; copy < copies && status; ++copy)
            status = writeCopy(number, copy, scope);
        m_stamps.clear();
        return status;
    }

    static bool isAt(const BitPlace& place, const FieldLocator& field, const FieldScope& scope)
    {
        return field.isValid() && field.bit(scope) == place.bit;
    }

    Status writeCopy(std::size_t number, std::uint64_t copy, const FieldScope& scope)
    {
        const auto& fields = m_stream.data.shape->packet;
        const auto& packet = m_stream.data.packets[number];
        const std::uint64_t shift = copy * m_source.period();
        for (const auto& stamp : m_stamps)
            stamp.write(m_bytes.data(), stamp.read(scope.packet.data) + shift);
        IndexEntry entry;
        entry.discarded = rewrite(fields.discarded, scope, copy * m_lost);
        entry.sequence = rewrite(fields.sequence, scope, copy * (m_lastSequence - m_firstSequence + 1));
        const std::uint64_t offset = copy * m_size + m_offsets[number];
        if (auto written = m_file->write(offset, m_bytes); !written || !m_index)
            return written;
        entry.offset = offset;
        entry.packetBits = packet.size * 8;
        entry.contentBits = packet.contentBits;
        entry.begin = packet.begin.value_or(0) + shift;
        entry.end = packet.end ? *packet.end + shift : 0;
        entry.streamClass = m_stream.data.shape->id;
        entry.instance = packet.instance.value_or(0);
        return m_index->write(copy * m_offsets.size() + number, entry);
    }

    /// Adds `more` to an integer field and returns the new value; 0 if the packet has no such field.
    std::uint64_t rewrite(const FieldLocator& field, const FieldScope& scope, std::uint64_t more)
    {
        if (!field.isValid() || field.bit(scope) == CutOff)
            return 0;
        const auto& integer = *integerOf(*field.type());
        const BitPlace place{field.bit(scope), integer.bits, integer.order};
        place.write(m_bytes.data(), place.read(scope.packet.data) + more);
        return place.read(m_bytes.data());
    }

    const SourceTrace& m_source;
    const Stream& m_stream;
    const Uuid m_uuid;
    const std::uint64_t m_copies;
    const std::size_t m_lastPackets;
    std::vector<std::uint64_t> m_offsets; ///< Offset of each of the stream's packets in bytes, from the start of a repetition.
    std::uint64_t m_size = 0; ///< Size of a repetition in bytes.
    std::uint64_t m_lost = 0; ///< Number of events that the stream lost; each repetition adds this number to the counter in its packets.
    std::uint64_t m_firstSequence = UINT64_MAX;
    std::uint64_t m_lastSequence = 0;
    std::vector<BitPlace> m_stamps;
    std::vector<std::byte> m_bytes;
    OutputFile* m_file = nullptr;
    IndexFile* m_index = nullptr;
};

Status writeMetadata(const SourceTrace& source, const Uuid& uuid, const fs::path& folder)
{
    const auto& metadata = source.metadata();
    auto text = metadata.withUuid(uuid);
    if (!text)
        return text.error();
    const auto bytes = metadata.isPacked ? packed(*text, uuid, metadata.metadata.order) : *text;
    auto file = OutputFile::create(folder / "metadata");
    if (!file)
        return file.error();
    if (auto written = file->write(0, std::as_bytes(std::span(bytes))); !written)
        return written;
    return file->close();
}

Status makeFolders(const SourceTrace& source, const fs::path& out)
{
    std::error_code error;
    const auto fail = [&] { return Error{Error::Kind::Unreadable, out.string() + ": " + error.message()}; };
    if (fs::exists(out, error))
        return Error{Error::Kind::Usage, out.string() + ": there is something already"};
    if (fs::create_directories(out, error); error)
        return fail();
    const auto hasIndex = [](const Stream& stream) { return !stream.index.empty(); };
    if (std::any_of(source.streams().begin(), source.streams().end(), hasIndex))
        if (fs::create_directory(out / "index", error); error)
            return fail();
    return Done{};
}

} // namespace

Result<AmplifyReport> amplify(const fs::path& trace, const fs::path& out, const AmplifyOptions& options)
{
    if ((options.events == 0) == (options.copies == 0))
        return Error{Error::Kind::Usage, "either a number of events or of copies is needed"};
    const auto opened = SourceTrace::open(trace);
    if (!opened)
        return opened.error();
    const SourceTrace& source = **opened;
    const auto length = lengthFor(source, options);
    if (length.copies > (std::uint64_t(1) << 62) / source.period())
        return Error{Error::Kind::Usage, "so many events would be beyond the clock's range"};
    const auto uuid = makeUuid(source.metadata().metadata.uuid + " " + std::to_string(length.copies) + " " + std::to_string(length.events));
    if (auto changed = source.metadata().withUuid(uuid); !changed)
        return changed.error();
    if (auto made = makeFolders(source, out); !made)
        return made.error();
    AmplifyReport report{source.events(), length.events, length.copies, 0};
    for (std::uint32_t i = 0; i < source.streams().size(); ++i) {
        StreamWriter writer(source, source.streams()[i], uuid, length.copies, length.lastPackets[i]);
        if (auto written = writer.write(i, out); !written)
            return written.error();
        report.bytes += writer.bytes();
    }
    if (auto written = writeMetadata(source, uuid, out); !written)
        return written.error();
    return report;
}

} // namespace helio::bench
