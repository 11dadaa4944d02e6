#pragma once

#include "core/query/hosts/host_headings.h"
#include "core/query/traffic/connections.h"

#include <QAbstractTableModel>

#include <vector>

namespace helio {

/// The table of connections, sorted and filtered by text. UI thread.
class ConnectionModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Hosts, Packets, Bytes, Again, Handshake, There, Back, Error, Closed, Who, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setConnections(const Timeline* timeline, std::vector<ConnectionFacts> connections); ///< Null: none is open.
    void setFilter(const QString& text);
    const ConnectionFacts& connection(int row) const { return m_all[m_shown[std::size_t(row)]]; }
    const HostHeading* hostOf(const ConnectionEnd& end) const; ///< As panels show it. Null: it was not recorded.
    int find(std::uint32_t relation, std::uint32_t connection) const; ///< -1: not shown.
    std::size_t all() const { return m_all.size(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    QString textOf(const ConnectionFacts& it, int column) const;
    QString nameOf(const ConnectionEnd& end) const;
    QString endTip(const ConnectionEnd& end) const;
    QString tipOf(const ConnectionFacts& it) const;
    void order();

    std::vector<HostHeading> m_hosts; ///< Of the timeline.
    std::vector<ConnectionFacts> m_all;
    std::vector<std::size_t> m_shown; ///< Places in m_all.
    QString m_filter;
    int m_sorted = Name;
    bool m_isDescending = false;
};

} // namespace helio
