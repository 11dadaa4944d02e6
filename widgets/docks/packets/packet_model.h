#pragma once

#include "core/network/connection_packets.h"
#include "widgets/time/time_format.h"

#include <QAbstractTableModel>

#include <vector>

namespace helio {

/// The packets of one connection, in the order of time. UI thread.
class PacketModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Sent, Way, Latency, Fate, Bytes, Flags, Sequence, Received, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setPackets(std::vector<ConnectionPacket> packets);
    /// What the ways there and back are called, "client → web".
    void setWays(const QString& there, const QString& back);
    void setTimeFormat(const TimeFormat& format);
    const std::vector<ConnectionPacket>& packets() const { return m_packets; }

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_packets.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(ColumnCount); }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const ConnectionPacket& it, int column) const;
    QString tipOf(const ConnectionPacket& it) const;

    std::vector<ConnectionPacket> m_packets;
    QString m_there;
    QString m_back;
    TimeFormat m_format;
};

} // namespace helio
