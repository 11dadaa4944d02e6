#include "core/correlation/transmissions.h"
#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/network/connections.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace helio {
namespace {

constexpr double MuchWaiting = 0.1; ///< Minimum share of the window in which threads wait for responses of one thread.
constexpr std::uint64_t LeastResponses = 10;

bool canLookForNetwork(const FindingScope& scope)
{
    return std::ranges::any_of(scope.timeline().relations,
                               [](const auto& it) { return it && it->messages && !it->messages->sent.empty(); });
}

/// Returns the port in an address such as "10.0.0.1:80"; -1 if there is none.
int portOf(const std::string& address)
{
    int port = -1;
    const std::size_t at = address.find_last_of(':');
    if (at != std::string::npos)
        std::from_chars(address.data() + at + 1, address.data() + address.size(), port);
    return port;
}

/// Returns the flows from the end that accepted a connection to the end that opened it.
std::set<std::uint32_t> responseFlowsOf(const Transmissions& messages)
{
    std::set<std::uint32_t> flows;
    for (const Connection& it : messages.connections) {
        const Flow& flow = messages.flows[it.flow];
        const bool isFromOpener = it.isOpened || isOpenerByPorts(portOf(flow.from), portOf(flow.to)).value_or(true);
        const std::uint32_t response = isFromOpener ? it.back : it.flow;
        if (response != NoFlow)
            flows.insert(response);
    }
    return flows;
}

/// Adds findings about packets that had to be sent again. The time that a retransmission explains begins when the lost packet was sent.
void addRetransmissions(const FindingScope& scope, const Transmissions& messages, std::vector<Finding>& findings)
{
    const Timeline& timeline = scope.timeline();
    std::map<std::string, Occurrences> byAddress;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Timestamp> lastSent; // Time of the last packet, by flow and sequence number.
    for (const SentPacket& packet : messages.sent) {
        if (packet.isArrival || packet.trace >= timeline.traces.size())
            continue;
        const Timestamp at = timeline.traces[packet.trace].clock(packet.at);
        Timestamp& before = lastSent.try_emplace({packet.flow, packet.sequence}, at).first->second;
        if (packet.isRetransmission && scope.window().contains(at))
            byAddress[messages.flows[packet.flow].to].add({std::max(before, scope.window().begin), std::max(at, before + Duration(1))}, {});
        before = at;
    }
    for (const auto& [address, times] : byAddress) {
        if (times.covered() < scope.threshold())
            continue;
        Finding finding;
        finding.subject = address;
        finding.text = countText(times.count(), "retransmission") + " to " + address;
        finding.detail = "longest time until a packet was sent again: " + shortDuration(times.longest().range.duration());
        finding.color = "path.network";
        finding.check = "nstat -az TcpRetransSegs TcpExtTCPTimeouts";
        times.fill(finding, [](const Occurrences::Occurrence& it) { return "sent again after " + shortDuration(it.range.duration()); });
        findings.push_back(std::move(finding));
    }
}

/// Waits for the responses of one thread.
struct ResponseWaits {
    Occurrences times;
    std::set<TrackRef> waiters;
};

/// Adds findings about threads whose responses many wait for.
void addResponses(const FindingScope& scope, const Transmissions& messages, std::vector<Finding>& findings)
{
    const std::set<std::uint32_t> flows = responseFlowsOf(messages);
    std::map<TrackRef, ResponseWaits> bySender;
    eachWait(
        scope.timeline(), scope.threads(), scope.window(),
        [&](const Row& thread, const Interval& wait, const WaitCause& cause) {
            if (cause.kind != PathKind::Network || !cause.message || !cause.message->from.isValid()
                || cause.message->message >= messages.all.size() || !flows.contains(messages.all[cause.message->message].flow))
                return;
            ResponseWaits& waits = bySender[cause.message->from];
            waits.times.add(wait.range, thread.ref);
            waits.waiters.insert(thread.ref);
        },
        scope.stop());
    for (const auto& [sender, waits] : bySender) {
        const Duration covered = waits.times.covered();
        if (waits.times.count() < LeastResponses || double(covered.count()) < MuchWaiting * double(scope.window().duration().count()))
            continue;
        Finding finding;
        const std::string name = threadWords(scope.timeline(), sender);
        finding.subject = withoutTids(name);
        finding.text =
            countText(waits.waiters.size(), "thread") + " waited " + countText(waits.times.count(), "time") + " for responses of " + name;
        finding.detail = (waits.waiters.size() > 1 ? "one thread answers all of them; longest wait " : "longest wait ")
            + shortDuration(waits.times.longest().range.duration());
        finding.color = "path.network";
        finding.isWait = true;
        waits.times.fill(finding, [&](const Occurrences::Occurrence& it) {
            return threadWords(scope.timeline(), it.row) + " waited " + shortDuration(it.range.duration());
        });
        findings.push_back(std::move(finding));
    }
}

std::vector<Finding> findNetwork(const FindingScope& scope)
{
    std::vector<Finding> findings;
    for (const auto& relation : scope.timeline().relations)
        if (relation && relation->messages && !relation->messages->sent.empty()) {
            addRetransmissions(scope, *relation->messages, findings);
            addResponses(scope, *relation->messages, findings);
        }
    return findings;
}

} // namespace

extern const Finder networkFinder;
const Finder networkFinder{"network", "Network", canLookForNetwork, findNetwork, RecordableData::Packets};

} // namespace helio
