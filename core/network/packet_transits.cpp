#include "core/network/packet_transits.h"

#include "core/network/clock_path.h"

#include <algorithm>

namespace helio {
namespace {

const TimelineHost& hostOf(const Timeline& timeline, std::uint32_t trace) { return timeline.hosts[timeline.traces[trace].host]; }

constexpr std::string_view OfParts = "-part";

/// If `isPart` is false, returns true if `kind` is the kind of the messages, for example "packet". If `isPart` is true, returns true
/// if `kind` is the kind of parts of messages, for example "packet-part".
bool isOf(std::string_view kind, const Transmissions& messages, bool isPart)
{
    return kind.starts_with(messages.kind) && kind.substr(messages.kind.size()) == (isPart ? OfParts : std::string_view());
}

bool liesIn(TimeRange transit, TimeRange range)
{
    const auto [first, last] = std::minmax(transit.begin, transit.end);
    return first >= range.begin && first < range.end && last <= range.end;
}

} // namespace

bool PacketTransit::exceedsErrorBound() const
{
    if (!hasNegativeDuration() || error == Duration::max())
        return false;
    std::int64_t early = 0;
    return __builtin_sub_overflow(nanoseconds(range.begin), nanoseconds(range.end), &early) || Duration(early) > error;
}

const Transmissions& messagesOf(const Timeline& timeline, const PacketTransit& transit)
{
    return *timeline.relations[transit.relation]->messages;
}

const Transmission& messageOf(const Timeline& timeline, const PacketTransit& transit)
{
    return messagesOf(timeline, transit).all[transit.message];
}

std::vector<std::string> transitKinds(const Timeline& timeline)
{
    std::vector<std::string> kinds;
    const auto add = [&](std::string kind) {
        if (std::ranges::find(kinds, kind) == kinds.end())
            kinds.push_back(std::move(kind));
    };
    for (const auto& relation : timeline.relations) {
        if (!relation || !relation->messages)
            continue;
        add(relation->messages->kind);
        if (std::ranges::any_of(relation->messages->all, &Transmission::isPart))
            add(relation->messages->kind + std::string(OfParts));
    }
    return kinds;
}

void forEachTransit(const Timeline& timeline, std::string_view kind, TimeRange range, const std::function<void(const PacketTransit&)>& take,
                    std::stop_token stop)
{
    std::vector<PacketTransit> all;
    for (std::uint32_t relation = 0; relation < timeline.relations.size(); ++relation) {
        if (!timeline.relations[relation] || !timeline.relations[relation]->messages)
            continue;
        const Transmissions& messages = *timeline.relations[relation]->messages;
        for (std::uint32_t place = 0; place < messages.all.size() && !stop.stop_requested(); ++place) {
            const Transmission& it = messages.all[place];
            if (!isOf(kind, messages, it.isPart))
                continue;
            const TimeRange way{timeline.traces[it.fromTrace].clock(it.sent), timeline.traces[it.toTrace].clock(it.received)};
            if (liesIn(way, range))
                all.push_back({way, {}, relation, place});
        }
    }
    std::ranges::stable_sort(all, {}, [](const PacketTransit& it) { return it.range.begin; });
    const ClockPath steps(timeline);
    for (PacketTransit& it : all) {
        if (stop.stop_requested())
            return;
        const Transmission& message = messageOf(timeline, it);
        it.error = steps.errorBetween(timeline.traces[message.fromTrace].host, timeline.traces[message.toTrace].host, it.range.begin);
        take(it);
    }
}

namespace {

std::string hostsOf(const Timeline& timeline, const Transmission& it)
{
    return hostOf(timeline, it.fromTrace).label + " > " + hostOf(timeline, it.toTrace).label;
}

} // namespace

std::string hostsOf(const Timeline& timeline, const PacketTransit& transit) { return hostsOf(timeline, messageOf(timeline, transit)); }

std::string connectionOf(const Timeline& timeline, const Transmissions& messages, const Transmission& message)
{
    const Flow& flow = messages.flows[message.flow];
    std::string text = flow.protocol;
    text += text.empty() ? "" : " ";
    return text + (flow.from.empty() && flow.to.empty() ? hostsOf(timeline, message) : flow.from + " > " + flow.to);
}

std::string connectionOf(const Timeline& timeline, const PacketTransit& transit)
{
    return connectionOf(timeline, messagesOf(timeline, transit), messageOf(timeline, transit));
}

std::string tcpFlagsText(std::uint16_t flags)
{
    constexpr const char* Names[] = {"fin", "syn", "rst", "psh", "ack", "urg", "ece", "cwr", "ns"};
    std::string text;
    for (std::size_t i = 0; i < std::size(Names); ++i)
        if (flags >> i & 1)
            text += (text.empty() ? "" : "|") + std::string(Names[i]);
    return text;
}

std::vector<std::pair<std::string, std::string>> fieldsOf(const Timeline& timeline, const PacketTransit& transit)
{
    const Transmission& it = messageOf(timeline, transit);
    const std::string& protocol = messagesOf(timeline, transit).flows[it.flow].protocol;
    std::vector<std::pair<std::string, std::string>> fields;
    const auto add = [&](const char* name, std::int64_t number) { fields.emplace_back(name, std::to_string(number)); };
    if (protocol == "tcp") {
        add("seq", it.sequence);
        add("ack", it.acknowledgement);
        fields.emplace_back("flags", tcpFlagsText(it.flags));
    } else if (protocol.starts_with("icmp")) {
        add("type", it.flags >> 8);
        add("code", it.flags & 0xff);
    }
    if (it.length > 0)
        add("length", it.length);
    fields.emplace_back("from_host", hostOf(timeline, it.fromTrace).label);
    fields.emplace_back("to_host", hostOf(timeline, it.toTrace).label);
    add("from_trace", it.fromTrace);
    add("to_trace", it.toTrace);
    if (it.receiver > 0)
        add("to_tid", it.receiver);
    if (it.toCpu >= 0)
        add("to_cpu", it.toCpu);
    if (transit.error != Duration::max())
        add("error_ns", transit.error.count());
    if (transit.exceedsErrorBound())
        add("beyond_error", 1);
    return fields;
}

} // namespace helio
