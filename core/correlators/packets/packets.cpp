#include "core/correlation/correlator.h"
#include "core/correlators/packets/packet_links.h"
#include "core/correlators/packets/packet_matching.h"
#include "core/experiment/timeline.h"
#include "core/query/rows/messages.h"
#include "core/timesync/compare_hosts.h"

#include <algorithm>

namespace helio {
namespace {

using packets::PacketObservations;

constexpr std::size_t MostTraces = 65'535;

/// Adds messages for the user: how many connections have translated addresses or are identified by sockets, and how many packets have no
/// known connection.
void addNotes(const Timeline& timeline, const Transmissions& messages, Correlation& found)
{
    const auto add = [&](const char* kind, std::uint64_t count, const std::string& what) {
        if (count > 0)
            found.diagnostics.push_back({Diagnostic::Severity::Info, kind, {}, 0, count, what});
    };
    std::uint64_t translated = 0, bySockets = 0, unnamed = 0;
    for (const Connection& it : messages.connections) {
        const Flow& flow = messages.flows[it.flow];
        translated += flow.translated != NoFlow ? 1 : 0;
        bySockets += flow.from.starts_with("socket ") ? 1 : 0;
    }
    for (const Transmission& it : messages.all)
        unnamed += messages.flows[it.flow].from.empty() ? 1 : 0;
    add("addresses-translated", translated,
        "connections cross address translation (NAT): they are shown with the addresses known to the side "
        "that opened them");
    add("addresses-unknown", bySockets, "addresses were not recorded: connections are identified by kernel sockets");
    add("connections-unknown", unnamed,
        "addresses were not recorded, so packets cannot be assigned to connections"
            + adviseRecording(RecordableData::Packets, &timeline).suffix());
}

/// Finds packets between hosts, and between interfaces of one host. Makes links of the packets, and bounds on the offset of the hosts'
/// clocks.
class Packets final : public Correlator {
public:
    std::string_view id() const override { return "packets"; }
    When when() const override { return When::Indexed; }
    bool comparesHosts() const override { return true; }

    bool appliesTo(const Timeline& timeline) const override
    {
        return timeline.traces.size() < MostTraces
            && std::ranges::any_of(timeline.traces, [](const TimelineTrace& t) { return t.trace && packets::hasPackets(*t.trace); });
    }

    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest&, std::stop_token stop) const override
    {
        PacketObservations observations;
        for (std::size_t trace = 0; trace < timeline.traces.size(); ++trace)
            if (packets::hasPackets(*timeline.traces[trace].trace))
                packets::readPackets(*timeline.traces[trace].trace, static_cast<std::uint16_t>(trace), observations, stop);
        const auto hostOf = [&](std::uint32_t trace) { return timeline.traces[trace].host; };
        Correlation found;
        auto messages = packets::matchPackets(std::move(observations), hostOf, stop);
        found.comparisons =
            std::make_shared<const std::vector<HostComparison>>(compareHosts(timeline, messages, ClockMethod::Packets, stop));
        addNotes(timeline, messages, found);
        found.messages = std::make_shared<const Transmissions>(std::move(messages));
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "matching packets was cancelled"};
        return found;
    }

    InterTraceLinks linksOn(const Timeline& timeline, const Correlation& found) const override
    {
        return packets::linksOf(timeline, *found.messages);
    }
};

} // namespace

extern const BuiltinCorrelator packetsRelation{[]() -> std::shared_ptr<const Correlator> { return std::make_shared<Packets>(); }};

} // namespace helio
