// Writes the part of a time range of a CTF trace as a new trace: CtfTrace::writeCutOut().

#include "core/formats/ctf/cutout/event_copier.h"
#include "core/formats/ctf/cutout/packet_header.h"
#include "core/formats/ctf/cutout/stream_cut.h"
#include "core/formats/ctf/opening/ctf_opening.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

namespace helio::ctf {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t CopyStep = std::uint64_t{16} << 20; ///< Number of bytes that are copied between two checks of the stop token.

Error cancelled() { return {Error::Kind::Cancelled, "the export was cancelled"}; }

/// Byte order of the first integer of a type; nullopt if it contains none.
std::optional<ByteOrder> orderOf(const FieldType& type)
{
    if (const auto* integer = integerOf(type))
        return integer->order;
    const auto* structure = std::get_if<StructType>(&type.shape);
    const auto* variant = std::get_if<VariantType>(&type.shape);
    if (structure || variant)
        for (const Member& member : structure ? structure->members : variant->options)
            if (const auto order = orderOf(*member.type))
                return order;
    return {};
}

/// A packet of a stream to write into a file.
struct FilePart {
    const StreamCut* stream = nullptr;
    const PacketCut* cut = nullptr;
};

/// Writes the packets of one stream file.
class StreamFileWriter {
public:
    StreamFileWriter(const CtfTrace& trace, fs::path path, const std::stop_token& stop)
        : m_trace(trace)
        , m_path(std::move(path))
        , m_output(m_path)
        , m_copier(trace.eventTypes())
        , m_stop(stop)
    {
    }

    /// Writes the packets, which must be in the order of the file.
    Status write(const std::vector<FilePart>& parts)
    {
        // Without a magic number, the reader finds packets after unreadable bytes by the size of the packets before these bytes.
        m_keepsSizes =
            std::ranges::any_of(parts, [](const FilePart& it) { return it.cut->isUnreadable && !it.stream->data().reader.magic(); });
        for (const FilePart& part : parts) {
            if (m_stop.stop_requested())
                return cancelled();
            if (m_output.hasFailed())
                break;
            const auto& file = *part.stream->data().files[packetOf(part).file];
            if (auto written = writePart(part, file); !written)
                return written;
            if (file.wasTruncated()) // Files that only grow are no problem: the new bytes are not mapped.
                return Error{Error::Kind::Unreadable, file.path().string() + ": the file shrank while it was copied"};
        }
        return m_output.finish();
    }

    std::uint64_t bytes() const { return m_output.bytes(); }

private:
    static const PacketDescription& packetOf(const FilePart& part) { return part.stream->data().packets[part.cut->packet]; }

    Status writePart(const FilePart& part, const MappedFile& file)
    {
        const PacketDescription& packet = packetOf(part);
        const auto bytes = file.bytes().subspan(packet.offset, std::min(packet.size, file.bytes().size() - packet.offset));
        if (part.cut->isUnreadable)
            return copyWhole(bytes, file, packet.offset);
        // The position of the first event is only known from the packet itself if the description comes from LTTng's index.
        const PacketDescription read = packet.isIndexed ? part.stream->data().reader.read(file, packet.offset) : packet;
        PacketHeaderValues values;
        values.begin = part.cut->begin;
        values.end = part.cut->end;
        values.discarded = part.cut->discarded;
        if (part.cut->content != PacketCut::Content::All)
            return writeEvents(part, read, bytes, values);
        if (auto copied = copyWhole(bytes, file, packet.offset); !copied || values.isEmpty())
            return copied;
        return edit(part, read, values);
    }

    Status copyWhole(std::span<const std::byte> bytes, const MappedFile& file, std::uint64_t offset)
    {
        m_output.startPacket({}, 0);
        for (std::uint64_t done = 0; done < bytes.size(); done += CopyStep) {
            if (m_stop.stop_requested())
                return cancelled();
            const std::uint64_t count = std::min<std::uint64_t>(CopyStep, bytes.size() - done);
            m_output.copy(bytes.data() + done, 8 * count);
            file.advise(MappedFile::Advice::DontNeed, offset + done, count);
        }
        return Done{};
    }

    Status edit(const FilePart& part, const PacketDescription& packet, const PacketHeaderValues& values)
    {
        Status done = Done{};
        m_output.editHead((packet.eventsBit + 7) / 8,
                          [&](std::span<std::byte> head) { done = setValues(head, *part.stream->data().shape, packet, values); });
        return done ? done : Error{done.error().kind, m_path.filename().string() + ": " + done.error().what};
    }

    /// Writes the packet with the selected events, and adapts its sizes.
    Status writeEvents(const FilePart& part, const PacketDescription& packet, std::span<const std::byte> bytes, PacketHeaderValues values)
    {
        const auto& fields = part.stream->data().shape->packet;
        m_output.startPacket(bytes.first((packet.eventsBit + 7) / 8), packet.eventsBit);
        if (part.cut->content == PacketCut::Content::Selected)
            if (auto copied = copyEvents(part); !copied)
                return copied;
        if (part.cut->hasTail)
            copyTail(part, packet, bytes);
        const std::uint64_t content = m_output.bit();
        m_output.advanceTo(alignUp(content, 8));
        if (m_keepsSizes)
            m_output.advanceTo(std::max(m_output.bit(), 8 * packet.size));
        if (!fields.contentSize.isValid() && content % 8 != 0 && part.stream->data().shape->header.alignment() < 8)
            return Error{Error::Kind::Unsupported,
                         m_path.filename().string() + ": packets without content_size cannot be cut where an event ends within a byte"};
        // The sizes of a packet that the file cuts off stay larger than the file, so that the cut stays visible.
        if (!packet.isCut || !part.cut->hasTail) {
            values.contentBits = fields.packetSize.isValid() || !m_keepsSizes ? content : m_output.bit();
            values.packetBits = m_output.bit();
        }
        return edit(part, packet, values);
    }

    Status copyEvents(const FilePart& part)
    {
        const auto events = m_trace.openStream(part.stream->stream(), part.cut->start);
        EventBatch batch;
        while (events->next(batch) && batch.packetIndex == part.cut->packet) {
            if (m_stop.stop_requested())
                return cancelled();
            for (const EventRecord& record : batch.records) {
                if (!part.stream->selects(record))
                    continue;
                if (!m_copier.copy({&record, &m_trace.eventTypes()[record.type], batch.packet, part.stream->stream()}, m_output))
                    return Error{Error::Kind::Corrupt, m_path.filename().string() + ": an event exceeds its packet"};
            }
        }
        return Done{};
    }

    /// Copies the bits after the last readable event.
    void copyTail(const FilePart& part, const PacketDescription& packet, std::span<const std::byte> bytes)
    {
        const std::uint64_t end = std::min<std::uint64_t>(packet.contentBits, 8 * bytes.size());
        std::uint64_t bit = alignUp(part.cut->tailBit, part.stream->data().shape->header.alignment());
        m_output.advanceTo(alignUp(m_output.bit(), part.stream->data().shape->header.alignment()));
        if (bit >= end)
            return;
        if (bit % 8 == 0 && m_output.bit() % 8 == 0)
            return m_output.copy(bytes.data() + bit / 8, end - bit);
        const EventTypes& types = m_trace.eventTypes();
        const FieldTypePtr header = types.size() > 0 ? types[EventTypeId{}].eventHeader : nullptr;
        const ByteOrder order = header ? orderOf(*header).value_or(ByteOrder::Little) : ByteOrder::Little;
        for (; bit < end; ++bit)
            m_output.put(readBits(bytes.data(), bit, 1, order), 1, order);
    }

    const CtfTrace& m_trace;
    fs::path m_path;
    PacketOutput m_output;
    EventCopier m_copier;
    const std::stop_token& m_stop;
    bool m_keepsSizes = false; ///< True if packets keep their sizes, also if they have less content.
};

/// Returns the packets of each file of the trace, in the order of the file.
std::map<fs::path, std::vector<FilePart>> partsByFile(const std::vector<StreamCut>& streams)
{
    std::map<fs::path, std::vector<FilePart>> files;
    for (const StreamCut& stream : streams)
        for (const PacketCut& cut : stream.packets())
            files[stream.data().files[cut.file]->path()].push_back({&stream, &cut});
    for (auto& [path, parts] : files)
        std::ranges::stable_sort(parts, {}, [](const FilePart& it) { return std::pair(it.cut->offset, it.cut->side); });
    return files;
}

/// Returns the deepest folder that contains all stream files of a trace. The trace's path is used if possible; the path of a trace in an
/// archive is none, because its files are in the cache.
fs::path rootOf(const fs::path& tracePath, const std::vector<StreamData>& streams)
{
    const auto isWithin = [](const fs::path& folder, const fs::path& outer) {
        return std::mismatch(outer.begin(), outer.end(), folder.begin(), folder.end()).first == outer.end();
    };
    const fs::path path = (tracePath.lexically_normal() / "").parent_path();
    bool areBelowPath = true;
    std::optional<fs::path> common;
    for (const StreamData& stream : streams)
        for (const auto& file : stream.files) {
            const fs::path folder = file->path().parent_path().lexically_normal();
            areBelowPath &= isWithin(folder, path);
            if (!common)
                common = folder;
            while (!isWithin(folder, *common))
                common = common->parent_path();
        }
    return areBelowPath ? path : common.value_or(path);
}

/// Compares the events of a cut-out with those of the trace. Their times may differ only if they are recorded with few bits of the clock
/// and the cut-out lacks the earlier events that tell the other bits.
Status compare(const fs::path& folder, const std::set<fs::path>& parts, const EventSum& expected, const std::stop_token& stop)
{
    auto opening = beginCtf({folder, std::vector<fs::path>(parts.begin(), parts.end())});
    if (!opening)
        return opening.error();
    const auto trace = (*opening)->finish({}, stop);
    if (!trace)
        return trace.error();
    const EventSummer summer((*trace)->eventTypes());
    EventSum sum;
    for (std::uint32_t i = 0; i < (*trace)->streams().size(); ++i) {
        const bool isTimed = (*trace)->info().hasTimes && (*trace)->streams()[i].hasTimes;
        const auto stream = (*trace)->openStream(i, {});
        EventBatch batch;
        while (stream->next(batch)) {
            if (stop.stop_requested())
                return cancelled();
            for (const EventRecord& record : batch.records)
                summer.add(sum, {&record, &(*trace)->eventTypes()[record.type], batch.packet, i}, isTimed);
        }
    }
    if (sum == expected)
        return Done{};
    if (sum.events != expected.events)
        return Error{Error::Kind::Unsupported,
                     "the cut-out would have " + std::to_string(sum.events) + " events instead of " + std::to_string(expected.events)};
    if (sum.heads == expected.heads)
        return Error{Error::Kind::Unsupported, "the events in the range would get other contents"};
    return Error{Error::Kind::Unsupported,
                 "the events in the range would get other times without the events before them: neither their packets nor the events "
                 "record all bits of the clock"};
}

} // namespace

Result<CutOut> CtfTrace::writeCutOut(HostRange range, const fs::path& folder, std::stop_token stop) const
{
    const auto failed = [&](const Error& error) { return Error{error.kind, m_info.path.string() + ": " + error.what}; };
    const EventSummer summer(m_types);
    std::vector<StreamCut> streams;
    EventSum sum;
    CutOut result;
    std::uint64_t untimed = 0;
    for (std::uint32_t i = 0; i < m_data.size(); ++i) {
        streams.emplace_back(*this, i, m_data[i], range);
        if (auto planned = streams.back().plan(summer, stop); !planned)
            return failed(planned.error());
        sum.add(streams.back().sum());
        untimed += streams.back().isTimed() ? 0 : 1;
        result.packets += streams.back().packets().size();
    }
    if (result.packets == 0)
        return result;
    result.events = sum.events;
    if (untimed > 0)
        result.notes.push_back("The events of " + (untimed == 1 ? std::string("a stream") : std::to_string(untimed) + " streams")
                               + " have no times: all of them are copied.");
    const fs::path root = rootOf(m_info.path, m_data);
    std::set<fs::path> parts;
    std::error_code error;
    for (const auto& [file, packets] : partsByFile(streams)) {
        const fs::path below = file.parent_path().lexically_normal().lexically_relative(root);
        if (below.empty() || *below.begin() == "..")
            return failed({Error::Kind::Unsupported, file.string() + " is outside of the folder of its trace"});
        const fs::path part = folder / below;
        if (parts.insert(part.lexically_normal()).second) {
            fs::create_directories(part, error);
            if (!error)
                fs::copy_file(file.parent_path() / "metadata", part / "metadata", error);
            if (error)
                return failed({Error::Kind::Unreadable, part.string() + ": " + error.message()});
        }
        StreamFileWriter writer(*this, part / file.filename(), stop);
        if (auto written = writer.write(packets); !written)
            return failed(written.error());
        result.bytes += writer.bytes();
    }
    if (auto same = compare(folder, parts, sum, stop); !same)
        return failed(same.error());
    return result;
}

} // namespace helio::ctf
