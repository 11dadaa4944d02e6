#pragma once

#include "widgets/docks/packets/packet_model.h"

#include <QTreeView>

namespace helio {

/// Lists the packets of a connection; the user may choose one.
/// Threads: UI thread.
class PacketTable : public QTreeView {
    Q_OBJECT

public:
    explicit PacketTable(QWidget* parent = nullptr);

    PacketModel& packets() { return m_model; }
    const std::vector<ConnectionPacket>& all() const { return m_model.packets(); }
    /// Replaces the packets; none is chosen then.
    void setPackets(std::vector<ConnectionPacket> packets, const QString& there, const QString& back);
    /// Chooses a packet without emitting chosen(); none if `place` is all().size() or more.
    void choose(std::size_t place);

signals:
    void chosen(std::size_t place); ///< The user chose a packet.

private:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    PacketModel m_model;
    bool m_isChoosing = false;
    bool m_hasEmittedChosen = false; ///< True if the current mouse press has emitted chosen() already.
};

} // namespace helio
