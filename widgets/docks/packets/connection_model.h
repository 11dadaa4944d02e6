#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/docks/packets/connection_list.h"

#include <memory>

namespace helio {

/// Table of connections, with sorting and a text filter. The item of a row is an index into the list of connections.
/// Threads: UI thread.
class ConnectionModel : public ColumnModel<std::uint32_t> {
    Q_OBJECT

public:
    ConnectionModel();

    void setConnections(std::shared_ptr<const ConnectionList> connections); ///< Sets the connections; must not be nullptr.
    void setFilter(const QString& text);
    const ConnectionFacts& connection(int row) const { return m_all->at(line(row)); }
    const HostHeading* hostOf(const ConnectionEnd& end) const { return m_all->hostOf(end); }
    int find(std::uint32_t relation, std::uint32_t connection) const; ///< Row of the connection; -1 if it is not shown.
    std::size_t all() const { return m_all->size(); }

private:
    std::shared_ptr<const ConnectionList> m_all;
};

} // namespace helio
