#pragma once

#include "widgets/docks/packets/packet_model.h"

#include <QTreeView>

namespace helio {

/// Lists the packets of a connection; one of them may be chosen. UI thread.
class PacketTable : public QTreeView {
    Q_OBJECT

public:
    explicit PacketTable(QWidget* parent = nullptr);

    PacketModel& packets() { return m_model; }
    const std::vector<ConnectionPacket>& all() const { return m_model.packets(); }
    /// None is chosen then.
    void setPackets(std::vector<ConnectionPacket> packets, const QString& there, const QString& back);
    /// Without chosen() being emitted. Beyond them: none.
    void choose(std::size_t place);

signals:
    void chosen(std::size_t place); ///< By a person.

private:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    PacketModel m_model;
    bool m_isChoosing = false;
    bool m_hasSaid = false; ///< That one was chosen by this press.
};

} // namespace helio
