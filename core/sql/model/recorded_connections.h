#pragma once

#include "core/network/connections.h"

#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio::sql {

/// The network connections of a timeline. The id of a connection is its index.
/// Threads: to be used by one thread.
class RecordedConnections {
public:
    explicit RecordedConnections(std::shared_ptr<const Timeline> timeline)
        : m_timeline(std::move(timeline))
    {
    }

    /// Returns the connections in the order of their beginning. After a stop request, connections may be missing.
    /// Cost: the first call is one collectConnections().
    const std::vector<ConnectionFacts>& all(const std::stop_token& stop) const
    {
        if (!m_isKnown) {
            m_all = collectConnections(*m_timeline, {Timestamp::min(), Timestamp::max()}, stop);
            m_isKnown = !stop.stop_requested();
        }
        return m_all;
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
    mutable std::vector<ConnectionFacts> m_all;
    mutable bool m_isKnown = false;
};

} // namespace helio::sql
