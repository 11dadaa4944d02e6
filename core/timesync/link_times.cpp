#include "core/timesync/link_times.h"

#include "core/correlation/transmissions.h"
#include "core/experiment/host_alignment.h"
#include "core/network/clock_path.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <span>

namespace helio {
namespace {

std::uint32_t hostOfEnd(const Timeline& timeline, TrackRef end, std::uint32_t otherwise)
{
    const std::uint32_t trace = end.isValid() ? traceOf(timeline, end) : otherwise;
    return trace < timeline.traces.size() ? timeline.traces[trace].host : 0;
}

/// Returns the trace of an arrow's end that is on no row. If the arrow shows a message, this is the trace that recorded this end of the
/// message; otherwise, it is the trace of the row at the other end.
std::uint32_t traceOfNowhere(const Timeline& timeline, const Transmission* message, bool isFrom, TrackRef other)
{
    return message ? (isFrom ? message->fromTrace : message->toTrace) : traceOf(timeline, other);
}

} // namespace

const Transmission* messageOf(const Timeline& timeline, const Arrow& arrow)
{
    const auto relation = static_cast<std::size_t>(arrow.relation);
    if (relation >= timeline.relations.size() || !timeline.relations[relation] || !timeline.relations[relation]->messages)
        return nullptr;
    const auto& messages = timeline.relations[relation]->messages->all;
    return arrow.message < messages.size() ? &messages[arrow.message] : nullptr;
}

Duration errorBetween(const Timeline& timeline, std::uint32_t a, std::uint32_t b, Timestamp at)
{
    if (a >= timeline.hosts.size() || b >= timeline.hosts.size())
        return {};
    return ClockPath(timeline).errorBetween(a, b, at);
}

namespace {

bool areOnOneClock(const Timeline& timeline, std::uint32_t a, std::uint32_t b)
{
    return timeline.appliesClocks && std::max(a, b) < timeline.hosts.size() && rootOf(timeline, a) == rootOf(timeline, b);
}

} // namespace

LinkTimes linkTimes(const Timeline& timeline, const Arrow& arrow)
{
    LinkTimes times;
    const Transmission* message = messageOf(timeline, arrow);
    times.fromHost = hostOfEnd(timeline, arrow.from, traceOfNowhere(timeline, message, true, arrow.to));
    times.toHost = hostOfEnd(timeline, arrow.to, traceOfNowhere(timeline, message, false, arrow.from));
    times.length = arrow.toTime - arrow.fromTime;
    times.error = errorBetween(timeline, times.fromHost, times.toHost, arrow.fromTime);
    times.isRelated = !times.isBetweenHosts() || areOnOneClock(timeline, times.fromHost, times.toHost);
    if (times.length < Duration{})
        times.order = times.error == UnknownError           ? LinkOrder::Unknown
            : std::chrono::abs(times.length) <= times.error ? LinkOrder::WithinError
                                                            : LinkOrder::Impossible;
    return times;
}

std::optional<Arrow> updatedArrow(const Timeline& timeline, const Arrow& arrow)
{
    if (arrow.message == NoMessage)
        return arrow;
    const InterTraceLinks* links = crossLinksOf(timeline, arrow.relation);
    if (!links)
        return {};
    const auto isIt = [&](const InterTraceLink& link) { return link.message == arrow.message && link.kind == arrow.kind; };
    const auto found = std::ranges::find_if(links->all(), isIt);
    return found == links->all().end() ? std::nullopt : std::optional(arrowOf(timeline, arrow.relation, *found));
}

std::optional<Arrow> arrowOfMessage(const Timeline& timeline, std::size_t relation, std::uint32_t message)
{
    const auto index = static_cast<RelationIndex>(relation);
    const InterTraceLinks* links = relation < timeline.relations.size() ? crossLinksOf(timeline, index) : nullptr;
    std::optional<Arrow> found;
    for (const InterTraceLink& link : links ? links->all() : std::span<const InterTraceLink>())
        // A message may have several links, for example also between CPUs. Its main link has the lowest LinkKind.
        if (link.message == message && (!found || link.kind < found->kind))
            found = arrowOf(timeline, index, link);
    return found;
}

bool hasNoThread(const Timeline& timeline, TrackRef end)
{
    const Track* track = trackOf(timeline, end);
    return !track || track->role == TrackRole::Cpu;
}

std::string flagsText(std::uint16_t flags)
{
    std::string text;
    for (const auto& [flag, name] : {std::pair{TcpFlag::Syn, "SYN"}, std::pair{TcpFlag::Fin, "FIN"}, std::pair{TcpFlag::Reset, "RST"},
                                     std::pair{TcpFlag::Push, "PSH"}, std::pair{TcpFlag::Acknowledge, "ACK"}})
        if ((flags & static_cast<std::uint16_t>(flag)) != 0)
            text += text.empty() ? name : std::string(" ") + name;
    return text;
}

std::vector<std::pair<std::string, std::string>> messageFields(const Timeline& timeline, const Arrow& arrow)
{
    std::vector<std::pair<std::string, std::string>> fields;
    const Transmission* message = messageOf(timeline, arrow);
    if (!message)
        return fields;
    const Flow& flow = timeline.relations[static_cast<std::size_t>(arrow.relation)]->messages->flows[message->flow];
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty())
            fields.emplace_back(name, value);
    };
    add("Protocol", flow.protocol);
    add("Source", flow.from);
    add("Destination", flow.to);
    if (flow.protocol.empty() || flow.protocol == "tcp") {
        add("Sequence", std::to_string(message->sequence));
        add("Acknowledged", std::to_string(message->acknowledgement));
        add("Flags", flagsText(message->flags));
    }
    if (message->length > 0)
        add("Length", std::to_string(message->length) + " bytes");
    return fields;
}

} // namespace helio
