#include "core/correlators/packets/socket_threads.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <unordered_map>
#include <utility>

namespace helio::packets {
namespace {

using Socket = std::array<std::uint8_t, 16>;

std::optional<Socket> socketOf(const PacketObservations& observations, const PacketObservation& it)
{
    if (it.socket == 0 || observations.flows.all()[it.flow].version != 0)
        return {};
    return socketAddress(observations.sockets[it.socket - 1], it.host);
}

constexpr std::uint32_t AnyConnection = 0xffffffff;

/// One end of one connection: an address in the trace that recorded it. With AnyConnection: the ends of all connections that have this
/// address in this trace.
struct SocketEnd {
    std::uint32_t connection = AnyConnection;
    std::uint32_t address = 0;
    std::uint32_t trace = 0;
    bool operator==(const SocketEnd&) const = default;
};

struct SocketEndHash {
    std::size_t operator()(const SocketEnd& end) const
    {
        std::uint64_t hash = end.connection;
        for (const std::uint32_t word : {end.address, end.trace}) {
            hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
        return hash;
    }
};

/// Evidence from packets and system calls about the threads that use one end of a connection.
struct EndEvidence {
    /// TIDs of the threads that sent from the end or accepted the connection. A vector, because there are few.
    std::vector<std::int32_t> owners;
    std::unordered_map<std::int32_t, std::uint32_t> woken; ///< Number of times that arriving packets woke a thread, keyed by TID.
    std::uint32_t arrivals = 0;

    void addOwner(std::int32_t tid)
    {
        if (std::ranges::find(owners, tid) == owners.end())
            owners.push_back(tid);
    }
    bool has(std::int32_t tid) const { return std::ranges::find(owners, tid) != owners.end(); }
    bool isWokenByHalf(std::int32_t tid) const
    {
        const auto found = woken.find(tid);
        return found != woken.end() && 2 * std::uint64_t(found->second) >= arrivals;
    }
};

/// Returns true for the first packet of a handshake, which the kernel answers without waking a thread.
bool isOpening(std::uint16_t flags)
{
    return (flags & std::uint16_t(TcpFlag::Syn)) != 0 && (flags & std::uint16_t(TcpFlag::Acknowledge)) == 0;
}

class SocketThreads {
public:
    explicit SocketThreads(Transmissions& messages)
        : m_messages(messages)
    {
        std::unordered_map<std::string, std::uint32_t> numbers;
        const auto numberOf = [&](const Flow& flow, const std::string& address) {
            return numbers.try_emplace(flow.protocol + ' ' + address, std::uint32_t(numbers.size())).first->second;
        };
        for (const Flow& flow : messages.flows)
            m_addresses.push_back({numberOf(flow, flow.from), numberOf(flow, flow.to)});
    }

    void collect()
    {
        for (const Transmission& it : m_messages.all)
            if (isNamed(it)) {
                if (it.sender > 0)
                    addOwner(senderOf(it), it.sender);
                addArrival(receiverOf(it), it.flags, it.receiver);
            }
        for (const SentPacket& it : m_messages.sent) {
            if (it.isArrival)
                addArrival(endOf(it), it.flags, it.thread);
            else if (it.thread > 0)
                addOwner(endOf(it), it.thread);
        }
        addAccepted();
    }

    /// Removes receivers that were woken by chance while an unrelated packet arrived.
    void dropUnrelatedThreads()
    {
        for (Transmission& it : m_messages.all) {
            if (isNamed(it) && !isOwner(receiverOf(it), it.flags, it.receiver))
                it.receiver = -1;
            it.wokeReceiver = it.receiver > 0;
        }
        for (SentPacket& it : m_messages.sent)
            if (it.isArrival && !isOwner(endOf(it), it.flags, it.thread))
                it.thread = -1;
    }

    void fillIn()
    {
        fillIn(m_messages.all);
        fillIn(m_messages.all | std::views::reverse);
    }

private:
    /// True if it is known which connection the message belongs to: its addresses and its packet were recorded.
    bool isNamed(const Transmission& it) const { return !m_messages.flows[it.flow].from.empty() && it.packet != NoPacket; }
    std::uint32_t connectionOf(const Transmission& it) const { return m_messages.sent[it.packet].connection; }
    SocketEnd senderOf(const Transmission& it) const { return {connectionOf(it), m_addresses[it.flow].first, it.fromTrace}; }
    SocketEnd receiverOf(const Transmission& it) const { return {connectionOf(it), m_addresses[it.flow].second, it.toTrace}; }
    /// Returns the connection's end at which the packet was recorded: the receiver's end for an arrival, else the sender's end.
    SocketEnd endOf(const SentPacket& it) const
    {
        const auto& [from, to] = m_addresses[it.flow];
        return {it.connection, it.isArrival ? to : from, it.trace};
    }
    static SocketEnd ofAll(SocketEnd end)
    {
        end.connection = AnyConnection;
        return end;
    }

    void addOwner(const SocketEnd& end, std::int32_t tid)
    {
        m_known[end].addOwner(tid);
        m_known[ofAll(end)].addOwner(tid);
    }

    void addArrival(const SocketEnd& end, std::uint16_t flags, std::int32_t tid)
    {
        EndEvidence& known = m_known[ofAll(end)];
        if (isOpening(flags))
            return;
        ++known.arrivals;
        if (tid > 0)
            ++known.woken[tid];
    }

    void addAccepted()
    {
        std::unordered_multimap<std::string_view, const SocketCall*> calls;
        for (const SocketCall& call : m_messages.calls)
            if (call.kind == SocketCall::Kind::Accept && call.tid > 0)
                calls.emplace(call.peer, &call);
        for (std::uint32_t i = 0; i < m_messages.connections.size() && !calls.empty(); ++i) {
            const std::uint32_t flow = m_messages.connections[i].flow;
            const auto [first, last] = calls.equal_range(m_messages.afterTranslations(m_messages.flows[flow]).from);
            for (auto it = first; it != last; ++it)
                addOwner({i, m_addresses[flow].second, it->second->trace}, it->second->tid);
        }
    }

    bool isOwner(const SocketEnd& end, std::uint16_t flags, std::int32_t tid) const
    {
        if (tid <= 0 || isOpening(flags))
            return false;
        const auto known = m_known.find(ofAll(end));
        if (known == m_known.end())
            return false;
        const auto own = m_known.find(end);
        const bool hasOwners = own != m_known.end() && !own->second.owners.empty();
        return known->second.has(tid) || (!hasOwners && known->second.isWokenByHalf(tid));
    }

    void fillIn(auto&& messages) const
    {
        std::unordered_map<SocketEnd, std::int32_t, SocketEndHash> last;
        const auto take = [&](const SocketEnd& end, std::int32_t& tid) {
            if (tid > 0)
                last[end] = tid;
            else if (const auto found = last.find(end); found != last.end())
                tid = found->second;
        };
        for (Transmission& message : messages)
            if (isNamed(message)) {
                take(senderOf(message), message.sender);
                take(receiverOf(message), message.receiver);
            }
    }

    Transmissions& m_messages;
    /// Numbers of the sender's and the receiver's address, indexed by flow.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_addresses;
    std::unordered_map<SocketEnd, EndEvidence, SocketEndHash> m_known;
};

} // namespace

void findSocketFlows(PacketObservations& observations, const MatchedEnds& ends)
{
    std::map<Socket, std::optional<Socket>> partners; // Peer of each socket, keyed by socket; nullopt if a socket has several peers.
    const auto addPartner = [&](const Socket& socket, const Socket& other) {
        const auto [known, isNew] = partners.try_emplace(socket, other);
        if (!isNew && known->second != other)
            known->second.reset();
    };
    std::vector<bool> isDone(observations.all.size());
    const auto setFlow = [&](std::uint32_t place, const Socket& from, const Socket& to) {
        PacketObservation& it = observations.all[place];
        it.flow = observations.flows.idOf({0, observations.flows.all()[it.flow].protocol, 0, 0, from, to});
        isDone[place] = true;
    };
    for (const MatchedEnds::Match& match : ends.matches()) {
        const auto from = socketOf(observations, ends.at(match.out)), to = socketOf(observations, ends.at(match.in));
        if (!from || !to)
            continue;
        addPartner(*from, *to);
        addPartner(*to, *from);
        setFlow(match.out, *from, *to);
        setFlow(match.in, *from, *to);
    }
    for (std::uint32_t place = 0; place < observations.all.size() && !partners.empty(); ++place) {
        const PacketObservation& it = observations.all[place];
        const auto socket = isDone[place] ? std::nullopt : socketOf(observations, it);
        const auto known = socket ? partners.find(*socket) : partners.end();
        if (known != partners.end() && known->second)
            setFlow(place, it.isOut ? *socket : *known->second, it.isOut ? *known->second : *socket);
    }
}

void findSocketThreads(Transmissions& messages)
{
    SocketThreads threads(messages);
    threads.collect();
    threads.dropUnrelatedThreads();
    threads.fillIn();
}

} // namespace helio::packets
