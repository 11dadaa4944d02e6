#pragma once

#include "core/network/connections.h"

#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace helio {

/// Finds out which threads have the ends of connections. One thread; the timeline outlives it. Cost: of making it, some 200 ns a socket
/// call and a row; of a connection, searches among them.
class ConnectionOwners {
public:
    explicit ConnectionOwners(const Timeline& timeline);

    /// Counts what packets say of one end's threads.
    struct Votes {
        std::map<std::int32_t, std::uint32_t> sent; ///< By tid.
        std::map<std::int32_t, std::uint32_t> woken;
    };

    /// Requires: hosts, addresses and range are known.
    void decide(const Votes& from, const Votes& to, const Transmissions& messages, ConnectionFacts& connection) const;

private:
    void decideEnd(const Votes& votes, const SocketCall* call, ConnectionFacts& connection, ConnectionEnd& end) const;
    /// A call, by the experiment's time.
    struct Call {
        Timestamp at;
        const SocketCall* call = nullptr;
    };
    /// Of which messages, and the other end's address.
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
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Name>> m_names; ///< By host and tid.
    std::map<CallKey, std::vector<Call>> m_calls; ///< By kind, host and peer; in the order of time.
};

} // namespace helio
