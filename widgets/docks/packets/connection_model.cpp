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
    add(Name, false, tr("Connection"), tr("In the order of time"));
    add(Hosts, false, tr("Hosts"), tr("Of both ends"));
    add(Packets, true, tr("packets"), tr("Sent there and back"));
    add(Bytes, true, tr("bytes"), tr("Sent there and back, headers included"));
    add(Again, true, tr("again"), tr("Sent once more"));
    add(Handshake, true, tr("handshake"), tr("From the first packet of the handshake to its last"));
    add(There, true, tr("p50 \u2192"), tr("Half of the packets there took at most so long"));
    add(Back, true, tr("p50 \u2190"), tr("Half of the packets back took at most so long"));
    add(Error, true, tr("error"), tr("What these times are right within"));
    add(Closed, false, tr("closed"), tr("How it ended"));
    add(Who, false, tr("Threads"), tr("Who had it at both ends"));
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
