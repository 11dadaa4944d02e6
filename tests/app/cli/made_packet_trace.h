#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>

#include <cstring>
#include <vector>

namespace helio {

/// A packet as a host saw it go out or come in: TCP's numbers alone, as inet_sock_local_out and inet_sock_local_in have them.
struct MadePacketEvent {
    qint64 time = 0; ///< On the host's clock, ns since the epoch.
    bool isOut = false;
    quint32 sequence = 0;
    quint32 acknowledgement = 0;
    quint16 flags = 16;
    quint64 socket = 0; ///< The kernel's pointer; recorded where the first event has one.
};

/// Writes a host's trace, CTF 1.8, little endian. False: it could not be written. Requires: events in the order of time.
inline bool writePacketTrace(const QString& folder, const QString& host, int number, const std::vector<MadePacketEvent>& events)
{
    const QString uuid = QStringLiteral("c0ffee00-0000-4000-8000-%1").arg(number, 12, 10, QLatin1Char('0'));
    const bool hasSockets = events.front().socket != 0;
    const QByteArray metadata = QStringLiteral(R"(/* CTF 1.8 */
typealias integer { size = 16; align = 8; signed = false; } := u16;
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
trace { major = 1; minor = 8; uuid = "%1"; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
env { hostname = "%2"; domain = "kernel"; };
clock { name = "mono"; uuid = "%1"; freq = 1000000000; offset = 0; };
typealias integer { size = 64; align = 8; signed = false; map = clock.mono.value; } := time;
stream { id = 0; event.header := struct { u32 id; time timestamp; };
  packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size; u32 cpu_id; }; };
event { name = "inet_sock_local_out"; id = 0; stream_id = 0; fields := struct { %3u32 seq; u32 ack_seq; u16 flags; }; };
event { name = "inet_sock_local_in"; id = 1; stream_id = 0; fields := struct { %3u32 seq; u32 ack_seq; u16 flags; }; };
)")
                                    .arg(uuid, host, hasSockets ? QStringLiteral("u64 sk; ") : QString())
                                    .toUtf8();
    QByteArray stream;
    const auto put = [&](auto value) { stream.append(reinterpret_cast<const char*>(&value), sizeof value); };
    put(quint32(0xC1FC1FC1));
    put(quint32(0));
    put(quint64(events.front().time));
    put(quint64(events.back().time));
    const qsizetype sizes = stream.size();
    put(quint64(0));
    put(quint64(0));
    put(quint32(0));
    for (const MadePacketEvent& it : events) {
        put(quint32(it.isOut ? 0 : 1));
        put(quint64(it.time));
        if (hasSockets)
            put(it.socket);
        put(it.sequence);
        put(it.acknowledgement);
        put(it.flags);
    }
    const quint64 bits = quint64(stream.size()) * 8;
    for (const qsizetype at : {sizes, sizes + 8})
        std::memcpy(stream.data() + at, &bits, sizeof bits);
    const QString kernel = folder + '/' + host + "/kernel";
    QFile meta(kernel + "/metadata"), file(kernel + "/chan_0");
    return QDir().mkpath(kernel) && meta.open(QIODevice::WriteOnly) && meta.write(metadata) == metadata.size()
        && file.open(QIODevice::WriteOnly) && file.write(stream) == stream.size();
}

} // namespace helio
