#pragma once

#include "core/network/connections.h"
#include "core/timesync/host_headings.h"

#include <QString>

#include <array>
#include <vector>

namespace helio {

enum class ConnectionColumn { Name, Hosts, Packets, Bytes, Again, Handshake, There, Back, Error, Closed, Who };

/// List of connections with precomputed sort keys and search texts, so that sorting and filtering are fast for any number of connections.
/// Immutable.
/// Cost: construction takes about 10 µs per connection, so it should not run on the UI thread.
class ConnectionList {
public:
    ConnectionList() = default;
    ConnectionList(const Timeline& timeline, std::vector<ConnectionFacts> connections);

    std::size_t size() const { return m_all.size(); }
    const ConnectionFacts& at(std::size_t place) const { return m_all[place]; }
    /// Heading of the host at an end of a connection, as in panels; nullptr if the host was not recorded.
    const HostHeading* hostOf(const ConnectionEnd& end) const;
    QString textOf(std::size_t place, ConnectionColumn column) const;
    QString tipOf(std::size_t place) const;

    /// Returns true if the searchable text of a connection contains `filter`, which must be in lower case.
    bool matches(std::size_t place, const QString& filter) const { return m_searchable[place].contains(filter); }
    /// Returns the sort key of a connection for `column`; -1 if the value is unknown. For the column Name, the key is the position of the
    /// connection in time order.
    std::int64_t keyOf(std::size_t place, ConnectionColumn column) const;

private:
    QString nameOf(const ConnectionEnd& end) const;
    QString endTip(const ConnectionEnd& end) const;
    QString searchableOf(std::size_t place) const;
    std::vector<std::uint32_t> ranksOf(ConnectionColumn column) const;

    std::vector<HostHeading> m_hosts; ///< Headings of the timeline's hosts.
    std::vector<std::string> m_labels; ///< Original names of the hosts, from their traces, indexed like m_hosts.
    std::vector<ConnectionFacts> m_all;
    std::vector<QString> m_searchable; ///< Text that the filter is applied to, in lower case, indexed like m_all.
    std::array<std::vector<std::uint32_t>, 3> m_ranks; ///< Ranks of the texts in the columns Hosts, Closed and Who, indexed like m_all.
};

} // namespace helio
