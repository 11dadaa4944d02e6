#pragma once

#include "widgets/docks/packets/packet_model.h"

#include <QTreeView>

namespace helio {

/// List of the packets of a connection; at most one is selected.
/// Threads: UI thread.
class PacketTable : public QTreeView {
    Q_OBJECT

public:
    explicit PacketTable(QWidget* parent = nullptr);

    PacketModel& packets() { return m_model; }
    const std::vector<ConnectionPacket>& all() const { return m_model.packets(); }
    /// Replaces the packets, and clears the selection. `forwardName` and `reverseName` are the names of the two directions, e.g. "client →
    /// web"; `reverseName` is shown for packets with ConnectionPacket::isReverse.
    void setPackets(std::vector<ConnectionPacket> packets, const QString& forwardName, const QString& reverseName);
    /// Selects a packet without emitting chosen(); if `place` is all().size() or more, clears the selection.
    void choose(std::size_t place);

signals:
    void chosen(std::size_t place); ///< Emitted when the user selects the packet with index `place`.

private:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    PacketModel m_model;
    bool m_isChoosing = false;
    bool m_hasEmittedChosen = false; ///< True if the current mouse press has already emitted chosen().
};

} // namespace helio
