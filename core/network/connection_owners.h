#pragma once

#include "core/network/connections.h"

#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace helio {

/// Finds the threads that own the two ends of a connection.
/// Ownership: keeps a reference to the timeline, which must outlive it.
/// Threads: to be used by one thread.
/// Cost: construction takes about 200 ns for each socket call and each thread row; decide() does binary searches among them.
class ConnectionOwners {
public:
    explicit ConnectionOwners(const Timeline& timeline);

    /// Counts of packets that point to a thread as the owner of one end, by tid.
    struct OwnerVotes {
        std::map<std::int32_t, std::uint32_t> sent; ///< Packets that left while the thread was on the CPU.
        std::map<std::int32_t, std::uint32_t> woken; ///< Packets that woke the thread when they arrived.
    };

    /// Fills the tids, names and ownerEvidence of both ends. Requires: the hosts, addresses and range of `connection` are set.
    void decide(const OwnerVotes& from, const OwnerVotes& to, const Transmissions& messages, ConnectionFacts& connection) const;

private:
    void decideEnd(const OwnerVotes& votes, const SocketCall* call, ConnectionFacts& connection, ConnectionEnd& end) const;
    /// A socket call with its time on the experiment's clock.
    struct Call {
        Timestamp at;
        const SocketCall* call = nullptr;
    };
    /// The messages that the call belongs to, the call's kind, its host, and the address of the peer.
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
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Name>> m_names; ///< Keyed by host and tid; names in time order.
    std::map<CallKey, std::vector<Call>> m_calls; ///< Socket calls in the order of time.
};

} // namespace helio
