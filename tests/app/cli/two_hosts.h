#pragma once

#include "tests/app/cli/program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>

#include <vector>

// Parser for packets between hosts in babeltrace2's text.

namespace helio {

/// TCP packet from one host to another. Each time is by the clock of the host that recorded it, without alignment.
struct WirePacket {
    QByteArray from, to; ///< Names of the sending and the receiving host.
    QByteArray connection; ///< Addresses and ports: "tcp 10.0.2.2:1234 > 10.0.2.3:5432"
    qint64 sent = 0, received = 0;
    qint64 sequence = 0, acknowledgement = 0, flags = 0, length = 0;
};

namespace wire {

struct End {
    QByteArray host;
    qint64 time = 0;
    bool isOut = false;
    WirePacket packet;
};

inline qint64 number(const QByteArray& line, const char* name)
{
    const QRegularExpression field(QStringLiteral("[{ ]%1 = (0x[0-9A-F]+|\\d+)").arg(name));
    return field.match(QString::fromLatin1(line)).captured(1).toLongLong(nullptr, 0);
}

inline QByteArray address(const QByteArray& line, const char* name)
{
    const QRegularExpression field(
        QStringLiteral(" %1 = \\[ \\[0\\] = (\\d+), \\[1\\] = (\\d+), \\[2\\] = (\\d+), \\[3\\] = (\\d+) \\]").arg(name));
    return field.match(QString::fromLatin1(line)).capturedTexts().mid(1).join('.').toLatin1();
}

} // namespace wire

/// TCP packets with exactly one event at each end, matched by all header fields. Each host's trace is in the folder with the host's name.
inline std::vector<WirePacket> wirePackets(const QString& folder, const QStringList& hosts)
{
    QMap<QByteArray, QList<wire::End>> ends;
    for (const QString& host : hosts) {
        const auto lines = babeltrace2({"--clock-seconds", "--no-delta", folder + '/' + host + "/kernel"}).out.split('\n');
        for (const QByteArray& line : lines) {
            const bool isOut = line.contains(" net_dev_queue: ");
            if ((!isOut && !line.contains(" net_if_receive_skb: ")) || !line.contains("ack_seq"))
                continue;
            WirePacket it;
            it.sequence = wire::number(line, "seq");
            it.acknowledgement = wire::number(line, "ack_seq");
            it.flags = wire::number(line, "flags");
            it.length = wire::number(line, "tot_len");
            it.connection = "tcp " + wire::address(line, "saddr") + ':' + QByteArray::number(wire::number(line, "source_port")) + " > "
                + wire::address(line, "daddr") + ':' + QByteArray::number(wire::number(line, "dest_port"));
            QByteArray key = it.connection;
            for (const qint64 part : {it.sequence, it.acknowledgement, it.flags, it.length, wire::number(line, "id")})
                key += ' ' + QByteArray::number(part);
            const qint64 time = QByteArray(line.mid(1, line.indexOf(']') - 1)).replace(".", "").toLongLong();
            ends[key].append({host.toLatin1(), time, isOut, it});
        }
    }
    std::vector<WirePacket> packets;
    for (const auto& pair : ends) {
        if (pair.size() != 2 || pair[0].isOut == pair[1].isOut || pair[0].host == pair[1].host)
            continue;
        const wire::End& out = pair[pair[0].isOut ? 0 : 1];
        const wire::End& in = pair[pair[0].isOut ? 1 : 0];
        WirePacket it = out.packet;
        it.from = out.host, it.sent = out.time;
        it.to = in.host, it.received = in.time;
        packets.push_back(it);
    }
    std::ranges::sort(packets, {}, &WirePacket::sent);
    return packets;
}

/// A host's clock from the output of the command sync, evaluated with integers.
struct SyncLine {
    qint64 at = 0, is = 0;
    qint64 gain = 0; ///< The rate that the command "sync" prints, minus 1, in units of 10^-18.
    QJsonObject host;

    qint64 operator()(qint64 t) const
    {
        __extension__ using Wide = __int128;
        const Wide more = Wide(t - at) * gain;
        return is + (t - at) + qint64((more + (more < 0 ? -1 : 1) * Wide(500'000'000'000'000'000)) / Wide(1'000'000'000'000'000'000));
    }
};

inline QJsonObject syncObject(const QStringList& arguments)
{
    return QJsonDocument::fromJson(heliograph(QStringList{"sync", "--json", "--quiet"} + arguments).out).object();
}

/// Clocks by host from the output of the command sync. The rates are parsed from the text, because JSON numbers have fewer digits.
inline QMap<QByteArray, SyncLine> syncLines(const QStringList& arguments)
{
    const QByteArray text = heliograph(QStringList{"sync", "--json", "--quiet"} + arguments).out;
    const QJsonArray hosts = QJsonDocument::fromJson(text).object()["hosts"].toArray();
    QMap<QByteArray, SyncLine> lines;
    qsizetype place = 0;
    for (const auto& host : hosts) {
        SyncLine line{host.toObject()["at_ns"].toInteger(), host.toObject()["is_ns"].toInteger(), 0, host.toObject()};
        place = text.indexOf("\"rate\":", place) + 7;
        const QByteArray rate = text.mid(place, text.indexOf(',', place) - place); // Rate with all digits: "0.99993956472071387300"
        line.gain = rate.mid(2, 18).toLongLong() - (rate.startsWith('0') ? 1'000'000'000'000'000'000 : 0);
        lines[host.toObject()["host"].toString().toLatin1()] = line;
    }
    return lines;
}

} // namespace helio
