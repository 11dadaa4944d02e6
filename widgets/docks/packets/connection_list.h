#pragma once

#include "core/network/connections.h"
#include "core/timesync/host_headings.h"

#include <QString>

#include <array>
#include <vector>

namespace helio {

enum class ConnectionColumn { Name, Hosts, Packets, Bytes, Again, Handshake, There, Back, Error, Closed, Who };
constexpr int ConnectionColumns = int(ConnectionColumn::Who) + 1;

/// Connections with what sorting and filtering them asks for, so that this is quick however many there are. Immutable once it is made,
/// which takes some 10 us a connection: best not on the UI thread.
class ConnectionList {
public:
    ConnectionList() = default;
    ConnectionList(const Timeline& timeline, std::vector<ConnectionFacts> connections);

    std::size_t size() const { return m_all.size(); }
    const ConnectionFacts& at(std::size_t place) const { return m_all[place]; }
    const HostHeading* hostOf(const ConnectionEnd& end) const; ///< As panels show it. Null: it was not recorded.
    QString textOf(std::size_t place, ConnectionColumn column) const;
    QString tipOf(std::size_t place) const;

    /// The places of those that hold a text, whatever its case, in an order; by name: in the order of time. What is not known sorts behind
    /// all that is. Cost: some 200 ns each.
    std::vector<std::uint32_t> ordered(const QString& filter, ConnectionColumn column, bool isDescending) const;

private:
    QString nameOf(const ConnectionEnd& end) const;
    QString endTip(const ConnectionEnd& end) const;
    QString searchableOf(std::size_t place) const;
    std::vector<std::uint32_t> ranksOf(ConnectionColumn column) const;
    const std::vector<std::uint32_t>* ranks(ConnectionColumn column) const;
    std::int64_t number(std::size_t place, ConnectionColumn column) const;

    std::vector<HostHeading> m_hosts; ///< Of the timeline,
    std::vector<std::string> m_labels; ///< and what their traces call them.
    std::vector<ConnectionFacts> m_all;
    std::vector<QString> m_searchable; ///< In small letters; by place, as the following.
    std::array<std::vector<std::uint32_t>, 3> m_ranks; ///< Among the texts of Hosts, Closed, Who.
};

/// How they are, whichever connection: "again", "Sent once more", on which side.
QString titleOf(ConnectionColumn column);
QString titleTip(ConnectionColumn column);
bool isText(ConnectionColumn column);

} // namespace helio
