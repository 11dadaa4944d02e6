#include "core/network/connections.h"

#include "core/network/clock_path.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/rows.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace helio {
namespace {

/// Finds the threads that own the two ends of a connection.
/// Ownership: keeps a reference to the timeline, which must outlive it.
/// Threads: to be used by one thread.
/// Cost: construction takes about 200 ns for each socket call and each thread row; decide() does binary searches among them.
class ConnectionOwners {
public:
    explicit ConnectionOwners(const Timeline& timeline);

    /// Counts of packets, by tid, that indicate a thread as the owner of one end.
    struct OwnerVotes {
        std::map<std::int32_t, std::uint32_t> sent; ///< Number of packets that were sent while the thread was on the CPU, keyed by TID.
        std::map<std::int32_t, std::uint32_t> woken; ///< Number of packets that woke the thread when they arrived, keyed by TID.
    };

    /// Sets the tid, the names and the ownerEvidence of both ends of `connection`. Requires: its hosts, addresses and range are set.
    void decide(const OwnerVotes& from, const OwnerVotes& to, const Transmissions& messages, ConnectionFacts& connection) const;

private:
    void decideEnd(const OwnerVotes& votes, const SocketCall* call, ConnectionFacts& connection, ConnectionEnd& end) const;
    /// A socket call with its time on the experiment's clock.
    struct Call {
        Timestamp at;
        const SocketCall* call = nullptr;
    };
    /// Key of socket calls: the Transmissions object that contains the call, the kind of call, its host, and the
    /// address of the peer.
    using CallKey = std::tuple<const Transmissions*, SocketCall::Kind, std::uint32_t, std::string_view>;

    void addCalls(const Transmissions& messages);
    std::span<const Call> callsOf(const CallKey& key) const;
    const SocketCall* acceptOf(const Transmissions& messages, const ConnectionFacts& connection) const;
    const SocketCall* connectOf(const Transmissions& messages, const ConnectionFacts& connection) const;
    void addNames(ConnectionEnd& end, Timestamp at) const;

    struct Name {
        TimeRange life;
        std::string thread;
        std::int32_t pid = -1;
    };
    const Timeline& m_timeline;
    /// Names of the threads that had a tid, in time order; keyed by host and tid.
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Name>> m_names;
    std::map<CallKey, std::vector<Call>> m_calls; ///< Socket calls in time order.
};

/// Returns the tid with the most votes; the smallest tid if several have the most votes; -1 if there are no votes.
std::int32_t winnerOf(const std::map<std::int32_t, std::uint32_t>& votes)
{
    const auto most = std::ranges::max_element(votes, {}, [](const auto& it) { return it.second; });
    return most != votes.end() ? most->first : -1;
}

/// Returns the address of `end` that the other end uses: the translated address if there is one.
const std::string& addressAtOther(const ConnectionEnd& end) { return end.translated.empty() ? end.address : end.translated; }

ConnectionOwners::ConnectionOwners(const Timeline& timeline)
    : m_timeline(timeline)
{
    for (const Row& row : threads(timeline))
        m_names[{row.host, row.tid}].push_back({row.life, row.label, row.pid});
    for (const auto& relation : timeline.relations)
        if (relation && relation->messages)
            addCalls(*relation->messages);
    for (auto& [key, calls] : m_calls)
        std::ranges::stable_sort(calls, {}, &Call::at);
}

void ConnectionOwners::decide(const OwnerVotes& from, const OwnerVotes& to, const Transmissions& messages,
                              ConnectionFacts& connection) const
{
    decideEnd(from, connectOf(messages, connection), connection, connection.from);
    decideEnd(to, acceptOf(messages, connection), connection, connection.to);
}

void ConnectionOwners::decideEnd(const OwnerVotes& votes, const SocketCall* call, ConnectionFacts& connection, ConnectionEnd& end) const
{
    if (const std::int32_t sender = winnerOf(votes.sent); sender > 0) {
        end.tid = sender;
        end.ownerEvidence = OwnerEvidence::Sent;
    } else if (call && call->tid > 0) {
        end.tid = call->tid;
        end.ownerEvidence = call->kind == SocketCall::Kind::Accept ? OwnerEvidence::Accepted : OwnerEvidence::Connected;
    } else if (const std::int32_t woken = winnerOf(votes.woken); woken > 0) {
        end.tid = woken;
        end.ownerEvidence = OwnerEvidence::Woken;
    }
    if (end.tid > 0 && end.host != ConnectionEnd::NoHost)
        addNames(end, connection.range.begin);
}

/// Returns the first accept() after the connection's beginning from the same address and port; nullptr if no such call exists. Until the
/// connection ends, no other connection uses this address and port.
const SocketCall* ConnectionOwners::acceptOf(const Transmissions& messages, const ConnectionFacts& connection) const
{
    const auto calls = callsOf({&messages, SocketCall::Kind::Accept, connection.to.host, addressAtOther(connection.from)});
    const auto found = std::ranges::lower_bound(calls, connection.range.begin, {}, &Call::at);
    return found != calls.end() ? found->call : nullptr;
}

/// Returns the last connect() on the opener's host to the address `connection.to` in the millisecond before the handshake. Returns nullptr
/// if no call is found, or if the handshake was not recorded.
const SocketCall* ConnectionOwners::connectOf(const Transmissions& messages, const ConnectionFacts& connection) const
{
    constexpr Duration JustBefore = std::chrono::milliseconds(1);
    if (!connection.syn)
        return nullptr;
    const auto calls = callsOf({&messages, SocketCall::Kind::Connect, connection.from.host, connection.to.address});
    const auto behind = std::ranges::upper_bound(calls, *connection.syn, {}, &Call::at);
    if (behind == calls.begin() || *connection.syn - behind[-1].at > JustBefore)
        return nullptr;
    // Several calls may have the same time: return the first of them.
    return std::ranges::lower_bound(calls, behind[-1].at, {}, &Call::at)->call;
}

std::span<const ConnectionOwners::Call> ConnectionOwners::callsOf(const CallKey& key) const
{
    const auto found = m_calls.find(key);
    return found != m_calls.end() ? std::span<const Call>(found->second) : std::span<const Call>();
}

void ConnectionOwners::addCalls(const Transmissions& messages)
{
    for (const SocketCall& call : messages.calls) {
        const TimelineTrace& trace = m_timeline.traces[call.trace];
        m_calls[{&messages, call.kind, trace.host, call.peer}].push_back({trace.clock(call.at), &call});
    }
}

void ConnectionOwners::addNames(ConnectionEnd& end, Timestamp at) const
{
    const auto nameOf = [&](std::int32_t tid) -> const Name* {
        const auto found = m_names.find({end.host, tid});
        if (found == m_names.end())
            return nullptr;
        const Name* name = &found->second.front();
        // Several threads may have had this tid one after the other: use the last one that began before `at`.
        for (const Name& it : found->second)
            if (it.life.begin <= at)
                name = &it;
        return name;
    };
    const Name* thread = nameOf(end.tid);
    if (!thread)
        return;
    end.thread = thread->thread;
    const Name* process = thread->pid > 0 ? nameOf(thread->pid) : nullptr;
    end.process = process ? process->thread : thread->thread;
}

/// Data of one direction of a connection, collected from its packets.
struct Way {
    std::uint32_t flow = NoFlow;
    FlowCounts counts; ///< Counts of the packets in the queried range.
    std::vector<std::int64_t> lengths; ///< Transit times in ns of the packets in the queried range.
    std::uint32_t sender = ConnectionEnd::NoHost; ///< Host that sends in this direction; NoHost if unknown.
    std::set<std::uint32_t> left; ///< Hosts at which packets of this direction departed.
    std::set<std::uint32_t> reached; ///< Hosts at which packets of this direction arrived.
    ConnectionOwners::OwnerVotes votes; ///< Evidence for the thread that owns the sending end.
    Timestamp first = Timestamp::max(); ///< Time of the first recorded packet in this direction.
    const SentPacket* syn = nullptr;
    bool hasFinished = false;
    bool hasReset = false;
};

/// Data of a connection that are collected while its packets are read.
struct Sum {
    Way there;
    Way back;
    TimeRange range{Timestamp::max(), Timestamp::min()};
    /// The last packet of the handshake, which acknowledges the SYN-ACK; nullptr if it was not recorded.
    const SentPacket* acknowledged = nullptr;
    Duration error{};
    bool hasLengths = false;
};

bool has(const SentPacket& it, TcpFlag flag) { return (it.flags & static_cast<std::uint16_t>(flag)) != 0; }

/// Returns the port of an address, the digits after the last colon; -1 if the address has no port.
int portOf(const std::string& address)
{
    const auto colon = address.rfind(':');
    int port = -1;
    if (colon != std::string::npos && (address.find(':') == colon || address[colon - 1] == ']'))
        std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
    return port;
}

/// Collects the data of all connections of one correlation.
class ConnectionCollector {
public:
    ConnectionCollector(const Timeline& timeline, std::uint32_t relation, TimeRange range, const std::stop_token& stop)
        : m_timeline(timeline)
        , m_messages(*timeline.relations[relation]->messages)
        , m_relation(relation)
        , m_range(range)
        , m_stop(stop)
        , m_steps(timeline)
        , m_sums(m_messages.connections.size())
        , m_received(m_messages.sent.size(), Timestamp::min())
    {
    }

    void sumUp()
    {
        for (std::size_t i = 0; i < m_sums.size(); ++i) {
            m_sums[i].there.flow = m_messages.connections[i].flow;
            m_sums[i].back.flow = m_messages.connections[i].back;
        }
        for (const Transmission& it : m_messages.all)
            if (it.packet != NoPacket && !m_stop.stop_requested())
                takeMessage(it);
        for (std::uint32_t place = 0; place < m_messages.sent.size() && !m_stop.stop_requested(); ++place)
            takePacket(place);
    }

    void addTo(std::vector<ConnectionFacts>& all, const ConnectionOwners& owners)
    {
        for (std::uint32_t i = 0; i < m_sums.size() && !m_stop.stop_requested(); ++i)
            if (m_sums[i].there.counts.packets + m_sums[i].back.counts.packets > 0)
                all.push_back(factsOf(i, owners));
    }

private:
    const TimelineTrace& traceAt(std::uint32_t trace) const { return m_timeline.traces[trace]; }
    Timestamp timeOf(const SentPacket& it) const { return traceAt(it.trace).clock(it.at); }
    Way& wayOf(Sum& sum, std::uint32_t flow) const { return flow == sum.there.flow ? sum.there : sum.back; }
    Way& otherOf(Sum& sum, const Way& way) const { return &way == &sum.there ? sum.back : sum.there; }

    void takeMessage(const Transmission& it)
    {
        Timestamp& received = m_received[it.packet];
        received = std::max(received, traceAt(it.toTrace).clock(it.received));
        Sum& sum = m_sums[m_messages.sent[it.packet].connection];
        Way& way = wayOf(sum, it.flow);
        way.left.insert(traceAt(it.fromTrace).host);
        way.reached.insert(traceAt(it.toTrace).host);
        if (it.receiver > 0)
            ++otherOf(sum, way).votes.woken[it.receiver];
    }

    void takePacket(std::uint32_t place)
    {
        const SentPacket& it = m_messages.sent[place];
        Sum& sum = m_sums[it.connection];
        Way& way = wayOf(sum, it.flow);
        const std::uint32_t host = traceAt(it.trace).host;
        const Timestamp at = timeOf(it);
        way.first = std::min(way.first, at);
        sum.range = {std::min(sum.range.begin, at), std::max({sum.range.end, at, m_received[place]})};
        (it.isArrival ? way.reached : way.left).insert(host);
        if (!it.isArrival)
            way.sender = host;
        sum.hasLengths = sum.hasLengths || it.length > 0;
        if (it.thread > 0)
            ++(it.isArrival ? otherOf(sum, way).votes.woken : way.votes.sent)[it.thread];
        if (m_messages.flows[it.flow].protocol == "tcp")
            takeFlags(it, sum, way);
        if (at >= m_range.begin && at < m_range.end)
            count(place, at, sum, way);
    }

    void takeFlags(const SentPacket& it, Sum& sum, Way& way) const
    {
        if (has(it, TcpFlag::Syn) && (!way.syn || timeOf(it) < timeOf(*way.syn)))
            way.syn = &it;
        way.hasFinished = way.hasFinished || has(it, TcpFlag::Fin);
        way.hasReset = way.hasReset || has(it, TcpFlag::Reset);
        const bool isFirst = &way == &sum.there && sum.there.syn && !has(it, TcpFlag::Syn) && has(it, TcpFlag::Acknowledge)
            && it.sequence == sum.there.syn->sequence + 1;
        if (isFirst && (!sum.acknowledged || timeOf(it) < timeOf(*sum.acknowledged)))
            sum.acknowledged = &it;
    }

    void count(std::uint32_t place, Timestamp at, Sum& sum, Way& way)
    {
        const SentPacket& it = m_messages.sent[place];
        ++way.counts.packets;
        way.counts.bytes += it.length;
        way.counts.payloadBytes += it.payload;
        way.counts.retransmissions += it.isRetransmission ? 1 : 0;
        way.counts.matched += it.isMatched ? 1 : 0;
        if (m_received[place] == Timestamp::min())
            return;
        way.lengths.push_back(lengthOf({at, m_received[place]}).count());
        const std::uint32_t to = receiverOf(way);
        if (to != ConnectionEnd::NoHost)
            sum.error = std::max(sum.error, m_steps.errorBetween(traceAt(it.trace).host, to, at));
    }

    /// Returns the host that receives the packets of this direction. Hosts from which these packets departed again only forward them
    /// and are ignored.
    static std::uint32_t receiverOf(const Way& way)
    {
        for (const std::uint32_t host : way.reached)
            if (!way.left.contains(host) || way.reached.size() == 1)
                return host;
        return ConnectionEnd::NoHost;
    }

    ConnectionEnd endOf(const Way& way, const Way& other, const std::string& address) const
    {
        ConnectionEnd end;
        end.address = address;
        end.host = way.sender != ConnectionEnd::NoHost ? way.sender : receiverOf(other);
        end.counts = way.counts;
        if (!way.lengths.empty()) {
            std::vector<std::int64_t> lengths = way.lengths;
            end.median = nearestRank(lengths, 50);
            end.p99 = nearestRank(lengths, 99);
        }
        return end;
    }

    ConnectionFacts factsOf(std::uint32_t place, const ConnectionOwners& owners)
    {
        Sum& sum = m_sums[place];
        const Flow& flow = m_messages.flows[sum.there.flow];
        const bool isTurned = !m_messages.connections[place].isOpened && !isOpener(flow, sum);
        ConnectionFacts facts;
        facts.relation = m_relation;
        facts.connection = place;
        facts.protocol = flow.protocol;
        facts.from = endOf(isTurned ? sum.back : sum.there, isTurned ? sum.there : sum.back, isTurned ? flow.to : flow.from);
        facts.to = endOf(isTurned ? sum.there : sum.back, isTurned ? sum.back : sum.there, isTurned ? flow.from : flow.to);
        facts.range = {sum.range.begin, sum.range.end + Duration(sum.range.end < Timestamp::max() ? 1 : 0)};
        facts.error = sum.error;
        facts.hasLengths = sum.hasLengths;
        addTranslation(flow, isTurned, facts);
        if (facts.protocol == "tcp") {
            addHandshake(sum, facts);
            facts.ending = endingOf(sum);
        }
        const auto& votes = [](const Way& way) -> const ConnectionOwners::OwnerVotes& { return way.votes; };
        owners.decide(votes(isTurned ? sum.back : sum.there), votes(isTurned ? sum.there : sum.back), m_messages, facts);
        return facts;
    }

    /// Guesses whether the sender of `flow` opened the connection, if no handshake was recorded. The end with an ephemeral port is the
    /// opener. If the ports do not decide this, the opener is the end with the higher port (TCP) or the end that sent the first packet
    /// (other protocols).
    static bool isOpener(const Flow& flow, const Sum& sum)
    {
        const int from = portOf(flow.from), to = portOf(flow.to);
        return isOpenerByPorts(from, to).value_or(flow.protocol == "tcp" ? from >= to : sum.there.first <= sum.back.first);
    }

    /// Sets the translated addresses of the ends. If an address was translated several times, uses the result of the last
    /// translation.
    void addTranslation(const Flow& flow, bool isTurned, ConnectionFacts& facts) const
    {
        const Flow& last = m_messages.afterTranslations(flow);
        if (last.from != flow.from)
            (isTurned ? facts.to : facts.from).translated = last.from;
        if (last.to != flow.to)
            (isTurned ? facts.from : facts.to).translated = last.to;
    }

    static ConnectionEnding endingOf(const Sum& sum)
    {
        if (sum.there.hasReset || sum.back.hasReset)
            return ConnectionEnding::Reset;
        const int finished = int(sum.there.hasFinished) + int(sum.back.hasFinished);
        return finished == 2 ? ConnectionEnding::Finished : finished == 1 ? ConnectionEnding::HalfClosed : ConnectionEnding::Open;
    }

    /// Adds the times of the handshake: at the opener's host if its departing SYN was recorded, else at the other end's host.
    void addHandshake(const Sum& sum, ConnectionFacts& facts) const
    {
        const SentPacket* syn = sum.there.syn && !has(*sum.there.syn, TcpFlag::Acknowledge) ? sum.there.syn : nullptr;
        const SentPacket* answer = sum.back.syn && has(*sum.back.syn, TcpFlag::Acknowledge) ? sum.back.syn : nullptr;
        std::optional<Timestamp> answered;
        if (answer) {
            const Timestamp received = m_received[static_cast<std::size_t>(answer - m_messages.sent.data())];
            const bool isAtOpener = syn && !syn->isArrival && received != Timestamp::min();
            answered = isAtOpener ? received : timeOf(*answer);
        }
        if (syn)
            facts.syn = timeOf(*syn);
        if (syn && answered)
            facts.answered = lengthOf({*facts.syn, *answered});
        if (answered && sum.acknowledged && sum.acknowledged->acknowledgement == answer->sequence + 1)
            facts.acknowledged = lengthOf({*answered, timeOf(*sum.acknowledged)});
    }

    const Timeline& m_timeline;
    const Transmissions& m_messages;
    const std::uint32_t m_relation;
    const TimeRange m_range;
    const std::stop_token& m_stop;
    const ClockPath m_steps;
    std::vector<Sum> m_sums; ///< Collected data of each connection, indexed by connection.
    std::vector<Timestamp> m_received; ///< Arrival time of each packet's last part, indexed by packet; Timestamp::min() if unknown.
};

} // namespace

std::optional<Duration> ConnectionFacts::handshake() const
{
    return answered && acknowledged ? std::optional(sumOf(*answered, *acknowledged)) : std::nullopt;
}

std::vector<ConnectionFacts> collectConnections(const Timeline& timeline, TimeRange range, std::stop_token stop)
{
    std::vector<ConnectionFacts> all;
    const ConnectionOwners owners(timeline);
    for (std::uint32_t relation = 0; relation < timeline.relations.size(); ++relation) {
        if (!timeline.relations[relation] || !timeline.relations[relation]->messages)
            continue;
        ConnectionCollector summing(timeline, relation, range, stop);
        summing.sumUp();
        summing.addTo(all, owners);
    }
    std::ranges::stable_sort(all, {}, [](const ConnectionFacts& it) { return it.range.begin; });
    return all;
}

std::string hostOf(const Timeline& timeline, const ConnectionEnd& end)
{
    return end.host < timeline.hosts.size() ? timeline.hosts[end.host].shownName() : std::string();
}

std::string nameOf(const Timeline& timeline, const ConnectionFacts& connection)
{
    const auto endText = [&](const ConnectionEnd& end) {
        const std::string host = hostOf(timeline, end);
        return !end.address.empty() ? end.address : !host.empty() ? host : std::string("?");
    };
    return connection.protocol + (connection.protocol.empty() ? "" : " ") + endText(connection.from) + " > " + endText(connection.to);
}

std::string_view wordOf(OwnerEvidence known)
{
    switch (known) {
    case OwnerEvidence::Nothing: return "";
    case OwnerEvidence::Woken: return "woken";
    case OwnerEvidence::Connected: return "connected";
    case OwnerEvidence::Accepted: return "accepted";
    case OwnerEvidence::Sent: return "sent";
    }
    return "";
}

std::string_view wordOf(ConnectionEnding ending)
{
    switch (ending) {
    case ConnectionEnding::None: return "";
    case ConnectionEnding::Open: return "open";
    case ConnectionEnding::HalfClosed: return "half-closed";
    case ConnectionEnding::Finished: return "fin";
    case ConnectionEnding::Reset: return "reset";
    }
    return "";
}

bool hasConnections(const Timeline& timeline)
{
    return std::ranges::any_of(timeline.relations, [](const auto& it) { return it && it->messages && !it->messages->sent.empty(); });
}

bool hasUnidentifiedPackets(const Timeline& timeline)
{
    const auto areUnnamed = [](const Transmissions& it) { return it.kind == "packet" && it.observations > it.unnamed; };
    return !hasConnections(timeline)
        && std::ranges::any_of(timeline.relations, [&](const auto& it) { return it && it->messages && areUnnamed(*it->messages); });
}

} // namespace helio
