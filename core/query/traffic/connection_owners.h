#pragma once

#include "core/query/traffic/connections.h"

#include <map>
#include <vector>

namespace helio {

/// Finds out which threads have the ends of connections. One thread; the timeline outlives it.
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
};

} // namespace helio
