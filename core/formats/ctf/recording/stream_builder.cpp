#include "core/formats/ctf/recording/stream_builder.h"

#include <algorithm>
#include <utility>

namespace helio::ctf {
namespace {

/// True if both are the same packet, found in two files, for example in overlapping snapshots.
bool isSame(const PacketDescription& a, const PacketDescription& b)
{
    return a.begin && a.begin == b.begin && a.end == b.end && a.sequence == b.sequence && a.size == b.size && a.contentBits == b.contentBits
        && a.file != b.file;
}

/// Returns `gap`, which describes unreadable bytes, with the stream class, clock value and CPU of `packet`, a packet near it in the same
/// file. With these values, the gap is sorted and counted like a packet of that stream.
PacketDescription gapBeside(const PacketDescription& packet, const PacketDescription& gap)
{
    PacketDescription placed;
    placed.offset = gap.offset;
    placed.size = gap.size;
    placed.fault = gap.fault;
    placed.shape = packet.shape;
    placed.begin = packet.begin;
    placed.cpu = packet.cpu;
    return placed;
}

} // namespace

StreamBuilder::StreamBuilder(const Metadata& metadata, const std::vector<StreamClassLayout>& shapes, std::vector<Diagnostic>& diagnostics)
    : m_shapes(shapes)
    , m_diagnostics(diagnostics)
    , m_scan(shapes, metadata.uuid)
{
}

void StreamBuilder::addFile(std::shared_ptr<const MappedFile> file, const std::function<bool()>& goOn)
{
    m_scan.scan(*file, m_current, m_diagnostics, goOn);
    const auto packets = std::exchange(m_current, {});
    const auto has = [&](PacketFault fault) { return std::ranges::find(packets, fault, &PacketDescription::fault) != packets.end(); };
    if (has(PacketFault::None))
        addPackets(file, packets);
    else if (has(PacketFault::OtherUuid))
        m_foreign.emplace_back(std::move(file), packets);
    else if (!packets.empty())
        report(m_diagnostics, describeFault(*file, packets.front(), {}));
}

/// Adds the packets of a file to their streams. Requires: at least one packet is readable.
void StreamBuilder::addPackets(const std::shared_ptr<const MappedFile>& file, std::vector<PacketDescription> packets)
{
    const auto name = file->path().filename().string();
    const PacketDescription* beside = &*std::ranges::find_if(packets, &PacketDescription::isPacket);
    for (auto& packet : packets) {
        if (packet.isPacket())
            beside = &packet;
        else
            packet = gapBeside(*beside, packet);
        auto& stream = streamOf(*beside, name);
        auto& data = stream.data;
        if (data.files.empty() || data.files.back() != file)
            data.files.push_back(file);
        packet.file = static_cast<std::uint32_t>(data.files.size() - 1);
        data.packets.push_back(packet);
    }
}

StreamBuilder::Stream& StreamBuilder::streamOf(const PacketDescription& packet, const std::string& fileName)
{
    const auto& shape = m_shapes[packet.shape];
    const bool hasInstance = packet.instance.has_value();
    const Key key{shape.id, hasInstance, packet.instance.value_or(0), hasInstance ? std::string() : fileName};
    return m_streams.try_emplace(key, Stream{StreamData(&shape, m_scan.reader()), fileName}).first->second;
}

/// Adds the files in m_foreign if no packet has the metadata's UUID and all packets have the same UUID. In this case, the UUID in the
/// metadata was probably changed afterwards, and the metadata still describes the packets. Otherwise reports the packets of these files and
/// leaves the files out.
void StreamBuilder::addForeignFiles()
{
    const bool isAdopted = m_scan.adoptForeign();
    for (auto& [file, packets] : m_foreign) {
        if (!isAdopted) {
            for (const PacketDescription& packet : packets)
                report(m_diagnostics, describeFault(*file, packet, {}));
            continue;
        }
        const auto foreign = std::ranges::count(packets, PacketFault::OtherUuid, &PacketDescription::fault);
        report(m_diagnostics,
               {Diagnostic::Severity::Warning, "other-uuid", file->path().string(), 0, static_cast<std::uint64_t>(foreign),
                "all packets have a UUID that differs from the metadata's; they are read with the metadata"});
        for (PacketDescription& packet : packets)
            packet.fault = packet.fault == PacketFault::OtherUuid ? PacketFault::None : packet.fault;
        addPackets(file, packets);
    }
    m_foreign.clear();
}

std::vector<StreamInfo> StreamBuilder::currentStreams() const
{
    std::vector<StreamInfo> streams;
    const auto add = [&](Stream stream) {
        streams.push_back(describe(stream));
        countLosses(stream.data, streams.back());
    };
    for (const auto& [key, stream] : m_streams)
        add(stream);
    if (const auto first = std::ranges::find_if(m_current, &PacketDescription::isPacket); first != m_current.end()) {
        StreamData data(&m_shapes[first->shape], m_scan.reader());
        data.packets = m_current;
        add({std::move(data), {}});
    }
    return streams;
}

void StreamBuilder::finish(std::vector<StreamInfo>& streams, std::vector<StreamData>& data)
{
    addForeignFiles();
    std::map<std::string, int> labels;
    for (auto& [key, stream] : m_streams) {
        order(stream.data);
        streams.push_back(describe(stream));
        if (const int count = ++labels[stream.label]; count > 1)
            streams.back().label += "#" + std::to_string(count);
        for (PacketDescription& packet : stream.data.packets)
            packet.cpu = packet.isPacket() ? packet.cpu : streams.back().cpu;
        noteOverlaps(streams.back());
        countLosses(stream.data, streams.back());
        data.push_back(std::move(stream.data));
    }
    const HostRange range = rangeOf(streams);
    for (StreamData& it : data) {
        it.traceBegin = range.begin;
        it.traceEnd = range.end;
    }
}

HostRange StreamBuilder::rangeOf(const std::vector<StreamInfo>& streams)
{
    HostRange all{HostTimestamp::max(), HostTimestamp::min()};
    for (const StreamInfo& stream : streams)
        for (const PacketInfo& packet : stream.packets)
            if (packet.range)
                all = {std::min(all.begin, packet.range->begin), std::max(all.end, packet.range->end)};
    return all;
}

/// Sorts the packets of several files of one stream (rotation, chunks) by their start. Packets of a single file stay in their order.
void StreamBuilder::order(StreamData& data)
{
    auto& packets = data.packets;
    if (data.files.size() < 2)
        return;
    const bool isTimed = std::all_of(packets.begin(), packets.end(), [](const auto& packet) { return packet.begin.has_value(); });
    if (!isTimed)
        return;
    std::stable_sort(packets.begin(), packets.end(), [](const auto& a, const auto& b) { return *a.begin < *b.begin; });
    const auto isTwice = std::unique(packets.begin(), packets.end(), isSame);
    if (isTwice != packets.end())
        report(m_diagnostics,
               {Diagnostic::Severity::Info, "same-packet", data.files.front()->path().string(), 0,
                static_cast<std::uint64_t>(packets.end() - isTwice), "duplicate packets are read once"});
    packets.erase(isTwice, packets.end());
}

StreamInfo StreamBuilder::describe(const Stream& stream)
{
    StreamInfo info;
    info.label = stream.label;
    for (const auto& file : stream.data.files)
        info.files.push_back(file->path());
    info.packets.reserve(stream.data.packets.size());
    for (const auto& packet : stream.data.packets)
        info.packets.push_back(describe(stream.data, packet));
    info.cpu = info.packets.front().cpu;
    for (const auto& packet : info.packets)
        if (packet.cpu != info.cpu)
            info.cpu = -1;
    return info;
}

PacketInfo StreamBuilder::describe(const StreamData& data, const PacketDescription& packet)
{
    PacketInfo info;
    info.file = packet.file;
    info.offset = packet.offset;
    info.size = packet.size;
    info.contentBits = packet.contentBits;
    info.cpu = packet.cpu;
    const auto& shape = *data.shape;
    if (packet.begin && packet.end && shape.packet.isTimed)
        info.range = HostRange{shape.clock.at(*packet.begin), shape.clock.at(*packet.end)};
    return info;
}

void StreamBuilder::noteOverlaps(const StreamInfo& info)
{
    for (std::size_t i = 1; i < info.packets.size(); ++i) {
        const auto& before = info.packets[i - 1].range;
        const auto& packet = info.packets[i];
        if (before && packet.range && packet.range->begin < before->end)
            report(m_diagnostics,
                   {Diagnostic::Severity::Info, "overlapping-packets", info.files[packet.file].string(), packet.offset, 1,
                    "packets overlap; all events are read"});
    }
}

void StreamBuilder::countLosses(StreamData& data, StreamInfo& info)
{
    const auto& packets = data.packets;
    data.missingPackets.assign(packets.size(), 0);
    data.hasUnknownLoss.assign(packets.size(), false);
    const unsigned bits = data.shape->packet.discardedBits;
    const std::uint64_t mask = bits >= 64 ? UINT64_MAX : (std::uint64_t(1) << bits) - 1;
    std::optional<std::uint64_t> discarded;
    std::optional<std::uint64_t> sequence;
    for (std::size_t i = 0; i < packets.size(); ++i) {
        const auto& packet = packets[i];
        if (packet.discarded) {
            const std::uint64_t now = *packet.discarded & mask;
            if (discarded) {
                // A counter that decreased has wrapped around or was reset. It counts as reset if a wrap-around would mean a loss of more
                // than half the counter's range.
                const std::uint64_t lost = (now - *discarded) & mask;
                info.packets[i].discarded = lost <= mask / 2 ? lost : 0;
            } else if (packet.sequence.value_or(0) == 0) {
                info.packets[i].discarded = now;
            } else {
                // The counter includes the events lost in missing packets before this packet, so the number that this packet itself lost is
                // unknown.
                data.hasUnknownLoss[i] = now != 0;
            }
            discarded = now;
        }
        if (packet.sequence && sequence && *packet.sequence > *sequence + 1)
            data.missingPackets[i - 1] = *packet.sequence - *sequence - 1;
        sequence = packet.isPacket() ? packet.sequence : sequence;
    }
}

} // namespace helio::ctf
