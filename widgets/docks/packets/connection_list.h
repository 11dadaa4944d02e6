#pragma once

#include "core/network/connections.h"
#include "core/timesync/host_headings.h"

#include <QString>

#include <array>
#include <vector>

namespace helio {

enum class ConnectionColumn { Name, Hosts, Packets, Bytes, Again, Handshake, There, Back, Error, Closed, Who };
constexpr int ConnectionColumns = int(ConnectionColumn::Who) + 1;

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

    /// Returns the indices of the connections whose text contains `filter` (ignoring case), sorted by `column`; sorting by Name gives time
    /// order. Unknown values sort after known ones. Cost: about 200 ns per connection.
    std::vector<std::uint32_t> ordered(const QString& filter, ConnectionColumn column, bool isDescending) const;

private:
    QString nameOf(const ConnectionEnd& end) const;
    QString endTip(const ConnectionEnd& end) const;
    QString searchableOf(std::size_t place) const;
    std::vector<std::uint32_t> ranksOf(ConnectionColumn column) const;
    const std::vector<std::uint32_t>* ranks(ConnectionColumn column) const;
    std::int64_t number(std::size_t place, ConnectionColumn column) const;

    std::vector<HostHeading> m_hosts; ///< The timeline's hosts.
    std::vector<std::string> m_labels; ///< Names of the hosts in their traces, indexed like m_hosts.
    std::vector<ConnectionFacts> m_all;
    std::vector<QString> m_searchable; ///< Searchable text in lower case, indexed like m_all.
    std::array<std::vector<std::uint32_t>, 3> m_ranks; ///< Ranks of the texts of Hosts, Closed and Who, indexed like m_all.
};

/// Properties of a column: title (e.g. "again"), tooltip (e.g. "Sent once more"), and whether it has text, which is aligned left.
QString titleOf(ConnectionColumn column);
QString titleTip(ConnectionColumn column);
bool isText(ConnectionColumn column);

} // namespace helio
