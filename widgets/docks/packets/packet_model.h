#pragma once

#include "core/network/connection_packets.h"
#include "widgets/controls/column_model.h"
#include "widgets/time/time_format.h"

#include <vector>

namespace helio {

/// Table of the packets of one connection, in time order.
/// Threads: UI thread.
class PacketModel : public ColumnModel<ConnectionPacket> {
    Q_OBJECT

public:
    enum Column { Sent, Way, Latency, Fate, Bytes, Flags, Sequence, Received, ColumnCount };

    PacketModel();

    void setPackets(std::vector<ConnectionPacket> packets) { setLines(std::move(packets)); }
    /// Sets the names of the two directions, e.g. "client → web".
    void setDirectionNames(const QString& forwardName, const QString& reverseName);
    void setTimeFormat(const TimeFormat& format);
    const std::vector<ConnectionPacket>& packets() const { return lines(); }

private:
    QString m_forwardName;
    QString m_reverseName;
    TimeFormat m_format;
};

} // namespace helio
