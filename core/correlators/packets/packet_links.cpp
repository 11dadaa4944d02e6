#include "core/correlators/packets/packet_links.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/timeline_access.h"

#include <unordered_map>

namespace helio::packets {
namespace {

constexpr LinkKind OfCpus = LinkKind::FirstOwn; ///< Link kind for packets in views of CPUs; LinkKind::Packet is for views of threads.

LinkKindInfo packetKind(bool isOfCpus)
{
    LinkKindInfo kind;
    kind.id = "packet";
    kind.title = "Packet";
    kind.detail = "Packet";
    kind.color = "arrow.packet";
    kind.width = 3;
    kind.hasOpenHead = true;
    if (isOfCpus)
        kind.views = {"resources"};
    return kind;
}

/// The rows of threads and CPUs of one trace.
class TraceRows {
public:
    TraceRows(const Timeline& timeline, std::uint32_t trace)
        : m_timeline(timeline)
        , m_trace(trace)
    {
    }

    TrackRef cpu(std::int32_t number) { return number < 0 ? TrackRef() : known(TrackRole::Cpu, number, HostTimestamp{}); }
    TrackRef thread(std::int32_t tid, HostTimestamp at) { return tid <= 0 ? TrackRef() : known(TrackRole::Thread, tid, at); }

private:
    /// Returns the row of a CPU or thread. If several threads had the TID, returns the latest one that began before `at`.
    TrackRef known(TrackRole role, std::int32_t number, HostTimestamp at)
    {
        auto [found, isNew] = m_known.try_emplace(std::uint64_t(role) << 32 | std::uint32_t(number));
        if (isNew)
            forEachStoreOf(m_timeline, m_trace, [&](StoreIndex index, const Store& store) {
                for (const TrackId id : store.tracksOf(role, number))
                    found->second.push_back({{index, id}, store.tracks()[static_cast<std::size_t>(id)].life});
            });
        TrackRef ref;
        for (const Life& it : found->second)
            if (!ref.isValid() || (role == TrackRole::Thread && it.range.begin <= at))
                ref = it.ref;
        return ref;
    }

    struct Life {
        TrackRef ref;
        HostRange range;
    };
    const Timeline& m_timeline;
    const std::uint32_t m_trace;
    std::unordered_map<std::uint64_t, std::vector<Life>> m_known;
};

} // namespace

InterTraceLinks linksOf(const Timeline& timeline, const Transmissions& messages)
{
    std::vector<LinkKindInfo> kinds(std::size_t(OfCpus) + 1);
    kinds[std::size_t(LinkKind::Packet)] = packetKind(false);
    kinds[std::size_t(OfCpus)] = packetKind(true);
    std::vector<TraceRows> rows;
    for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace)
        rows.emplace_back(timeline, trace);
    std::vector<InterTraceLink> links;
    links.reserve(2 * messages.all.size());
    for (const Transmission& message : messages.all) {
        TraceRows& from = rows[message.fromTrace];
        TraceRows& to = rows[message.toTrace];
        InterTraceLink link;
        link.message = static_cast<std::uint32_t>(&message - messages.all.data());
        link.fromTime = timeline.traces[message.fromTrace].clock(message.sent);
        link.toTime = timeline.traces[message.toTrace].clock(message.received);
        link.kind = OfCpus;
        link.from = from.cpu(message.fromCpu);
        link.to = to.cpu(message.toCpu);
        links.push_back(link);
        link.kind = LinkKind::Packet;
        if (const TrackRef thread = from.thread(message.sender, message.sent); thread.isValid())
            link.from = thread;
        if (const TrackRef thread = to.thread(message.receiver, message.received); thread.isValid())
            link.to = thread;
        links.push_back(std::move(link));
    }
    return {std::move(kinds), std::move(links)};
}

} // namespace helio::packets
