#include "widgets/docks/packets/connection_model.h"

#include <numeric>

namespace helio {

ConnectionModel::ConnectionModel()
    : m_all(std::make_shared<const ConnectionList>())
{
    using Line = std::uint32_t;
    using enum ConnectionColumn;
    Columns columns;
    const auto add = [&](ConnectionColumn column, bool isNumber, const QString& title, const QString& titleTip) {
        columns.push_back({title, [this, column](const Line& it) { return m_all->textOf(it, column); }, isNumber,
                           [this, column](const Line& a, const Line& b) { return m_all->keyOf(a, column) < m_all->keyOf(b, column); },
                           [this](const Line& it) { return m_all->tipOf(it); }, titleTip});
    };
    add(Name, false, tr("Connection"), tr("Sorted by time"));
    add(Hosts, false, tr("Hosts"), tr("Hosts of both ends"));
    add(Packets, true, tr("Packets"), tr("Packets in both directions"));
    add(Bytes, true, tr("Bytes"), tr("Bytes in both directions, headers included"));
    add(Again, true, tr("Retransmitted"), tr("Retransmitted packets"));
    add(Handshake, true, tr("Handshake"), tr("Time from the first to the last packet of the handshake"));
    add(There, true, tr("p50 \u2192"), tr("Median transit time in this direction"));
    add(Back, true, tr("p50 \u2190"), tr("Median transit time in the opposite direction"));
    add(Error, true, tr("Error"), tr("Error bound of the times"));
    add(Closed, false, tr("Closed by"), tr("How the connection ended"));
    add(Who, false, tr("Threads"), tr("Threads at both ends"));
    setColumns(std::move(columns));
}

void ConnectionModel::setConnections(std::shared_ptr<const ConnectionList> connections)
{
    m_all = std::move(connections);
    std::vector<std::uint32_t> lines(m_all->size());
    std::iota(lines.begin(), lines.end(), 0u);
    setLines(std::move(lines));
}

void ConnectionModel::setFilter(const QString& text)
{
    setShown([this, wanted = text.toLower()](std::uint32_t it) { return m_all->matches(it, wanted); });
}

int ConnectionModel::find(std::uint32_t relation, std::uint32_t connection) const
{
    return findRow([&](std::uint32_t it) { return m_all->at(it).relation == relation && m_all->at(it).connection == connection; });
}

} // namespace helio
