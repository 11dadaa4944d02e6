#include "core/timesync/link_ends.h"

#include "core/correlation/transmissions.h"
#include "core/network/connections.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/timeline_access.h"
#include "core/timesync/link_times.h"

#include <algorithm>

namespace helio {
namespace {

/// One end of a message: trace, thread, CPU, row and time of its sender or receiver.
struct Place {
    std::uint32_t trace;
    std::int32_t tid;
    std::int32_t cpu;
    TrackRef row;
    Timestamp at;
};

void addContext(const Timeline& timeline, const Place& place, LinkEnd& end)
{
    const Track* track = trackOf(timeline, place.row);
    const std::int32_t cpu = track ? track->cpu : place.cpu;
    const TrackRef row = track ? place.row : cpuRow(timeline, place.trace, cpu);
    if (const auto found = intervalAt(timeline, row, place.at); !found.empty())
        end.context = stateText(timeline, row, found.front());
    end.occupant = threadOn(timeline, place.trace, cpu, place.at);
    end.wasIdle = isIdle(timeline, place.trace, cpu, place.at);
}

void addThread(const Timeline& timeline, const Place& place, std::int32_t tid, LinkEnd& end)
{
    end.tid = tid;
    end.thread = threadRow(timeline, place.trace, tid, place.at);
    const auto row = end.thread.isValid() ? rowOf(timeline, end.thread) : std::nullopt;
    if (row && row->pid > 0 && row->pid != tid)
        end.process = threadRow(timeline, place.trace, row->pid, place.at);
}

/// Returns the connection of the message; nullopt if the connection is unknown.
std::optional<ConnectionFacts> connectionOf(const Timeline& timeline, const Arrow& arrow, const Transmission& message, std::stop_token stop)
{
    const auto relation = static_cast<std::uint32_t>(arrow.relation);
    const Transmissions& messages = *timeline.relations[relation]->messages;
    if (message.packet == NoPacket || message.packet >= messages.sent.size())
        return {};
    const std::uint32_t number = messages.sent[message.packet].connection;
    const auto [begin, end] = std::minmax(arrow.fromTime, arrow.toTime);
    for (ConnectionFacts& it : collectConnections(timeline, {begin, end + Duration(1)}, stop))
        if (it.relation == relation && it.connection == number)
            return std::move(it);
    return {};
}

/// Returns the tid of the thread that owns the connection's end with this address and host; -1 if unknown.
std::int32_t ownerOf(const ConnectionFacts& connection, const std::string& address, std::uint32_t host)
{
    for (const ConnectionEnd* end : {&connection.from, &connection.to})
        if (!address.empty() && end->address == address && end->host == host)
            return end->tid;
    return -1;
}

MessageEnd endOf(const Timeline& timeline, std::uint32_t trace, HostTimestamp at, std::int32_t tid, std::int32_t cpu)
{
    MessageEnd end{timeline.traces[trace].host, timeline.traces[trace].clock(at)};
    if (tid > 0)
        end.row = threadRow(timeline, trace, tid, end.at);
    if (!end.row.isValid() && cpu >= 0)
        end.row = cpuRow(timeline, trace, cpu);
    return end;
}

} // namespace

std::array<LinkEnd, 2> linkEnds(const Timeline& timeline, const Arrow& arrow, std::stop_token stop)
{
    std::array<LinkEnd, 2> ends;
    const Transmission* message = messageOf(timeline, arrow);
    if (!message)
        return ends;
    const Flow& flow = timeline.relations[static_cast<std::size_t>(arrow.relation)]->messages->flows[message->flow];
    const Place places[] = {{message->fromTrace, message->sender, message->fromCpu, arrow.from, arrow.fromTime},
                            {message->toTrace, message->receiver, message->toCpu, arrow.to, arrow.toTime}};
    std::optional<std::optional<ConnectionFacts>> connection; // Connection of the message, computed on demand and at most once.
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const Place& place = places[i];
        if (!hasNoThread(timeline, place.row))
            continue;
        addContext(timeline, place, ends[i]);
        std::int32_t tid = place.tid;
        if (tid <= 0) {
            if (!connection)
                connection = connectionOf(timeline, arrow, *message, stop);
            tid = *connection ? ownerOf(**connection, i == 0 ? flow.from : flow.to, timeline.traces[place.trace].host) : -1;
        }
        if (tid > 0)
            addThread(timeline, place, tid, ends[i]);
        ends[i].isSocketOwner = tid > 0 && (place.tid <= 0 || (i == 0 && ends[i].thread != ends[i].occupant));
    }
    return ends;
}

MessageEnds endsOf(const Timeline& timeline, std::size_t relation, std::uint32_t message)
{
    const Transmissions& messages = *timeline.relations[relation]->messages;
    const Transmission& it = messages.all[message];
    return {endOf(timeline, it.fromTrace, it.sent, it.sender, it.fromCpu), endOf(timeline, it.toTrace, it.received, it.receiver, it.toCpu),
            textOf(messages, it)};
}

} // namespace helio
