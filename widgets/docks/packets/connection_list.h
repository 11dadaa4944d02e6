#pragma once

#include "core/network/connections.h"
#include "core/timesync/host_headings.h"

#include <QString>

#include <array>
#include <vector>

namespace helio {

enum class ConnectionColumn { Name, Hosts, Packets, Bytes, Again, Handshake, There, Back, Error, Closed, Who };

/// Connections with precomputed keys, so that sorting and filtering are fast for any number of them. Immutable.
/// Cost: construction takes about 10 µs per connection, so it should not happen on the UI thread.
class ConnectionList {
public:
    ConnectionList() = default;
    ConnectionList(const Timeline& timeline, std::vector<ConnectionFacts> connections);

    std::size_t size() const { return m_all.size(); }
    const ConnectionFacts& at(std::size_t place) const { return m_all[place]; }
    const HostHeading* hostOf(const ConnectionEnd& end) const; ///< The host as panels show it; nullptr if it was not recorded.
    QString textOf(std::size_t place, ConnectionColumn column) const;
    QString tipOf(std::size_t place) const;

    /// Returns true if the searchable text of a connection contains `filter`, which must be in lower case.
    bool matches(std::size_t place, const QString& filter) const { return m_searchable[place].contains(filter); }
    /// Returns a number that sorts connections by `column`; time order for Name, -1 for an unknown value.
    std::int64_t keyOf(std::size_t place, ConnectionColumn column) const;

private:
    QString nameOf(const ConnectionEnd& end) const;
    QString endTip(const ConnectionEnd& end) const;
    QString searchableOf(std::size_t place) const;
    std::vector<std::uint32_t> ranksOf(ConnectionColumn column) const;

    std::vector<HostHeading> m_hosts; ///< The timeline's hosts.
    std::vector<std::string> m_labels; ///< Names of the hosts in their traces, indexed like m_hosts.
    std::vector<ConnectionFacts> m_all;
    std::vector<QString> m_searchable; ///< Searchable text in lower case, indexed like m_all.
    std::array<std::vector<std::uint32_t>, 3> m_ranks; ///< Ranks of the texts of Hosts, Closed and Who, indexed like m_all.
};

} // namespace helio
