#pragma once

#include "tests/support/made_stream.h"

#include <QByteArray>
#include <QString>

#include <utility>
#include <vector>

namespace helio {

/// A packet that a host sent or received. It has only the TCP fields that the events inet_sock_local_out and inet_sock_local_in record: no
/// addresses and no ports.
struct MadePacketEvent {
    qint64 time = 0; ///< Time in ns since the epoch, on the host's clock.
    bool isOut = false;
    quint32 sequence = 0;
    quint32 acknowledgement = 0;
    quint16 flags = 16;
    quint64 socket = 0; ///< Kernel pointer of the socket. The trace has this field only if it is not 0 in the trace's first event.
};

/// Writes the packets as a host's trace (CTF 1.8, little endian). Returns false if it cannot be written. Requires: events sorted by time.
inline bool writePacketTrace(const QString& folder, const QString& host, int number, const std::vector<MadePacketEvent>& events)
{
    const bool hasSockets = events.front().socket != 0;
    const QByteArray fields = QByteArray("struct { ") + (hasSockets ? "u64 sk; " : "") + "u32 seq; u32 ack_seq; u16 flags; }";
    const QByteArray eventTypes = QByteArray("event { name = \"inet_sock_local_out\"; id = 0; stream_id = 0; fields := ") + fields
        + "; };\n" + "event { name = \"inet_sock_local_in\"; id = 1; stream_id = 0; fields := " + fields + "; };\n";
    test::MadeStream stream(events.front().time, events.back().time);
    for (const MadePacketEvent& it : events) {
        stream.event(it.isOut ? 0 : 1, it.time);
        if (hasSockets)
            stream.put(it.socket);
        stream.put(it.sequence);
        stream.put(it.acknowledgement);
        stream.put(it.flags);
    }
    return test::writeKernelTrace(folder, host, number, eventTypes, std::move(stream));
}

} // namespace helio
