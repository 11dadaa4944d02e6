#pragma once

#include "tests/support/made_stream.h"

#include <QByteArray>
#include <QString>

#include <array>
#include <utility>
#include <vector>

namespace helio {

/// An observation of a TCP packet at a network interface.
struct MadeNetworkEvent {
    qint64 time = 0; ///< Time in ns since the epoch, on the host's clock.
    bool isOut = false;
    QByteArray device;
    quint64 memory = 0; ///< Kernel address of the packet (skbaddr).
    std::array<quint8, 4> from{}; ///< Source address: IPv4, or the last four bytes of an IPv6 address in fd00::/96.
    std::array<quint8, 4> to{};
    quint16 fromPort = 0;
    quint16 toPort = 0;
    quint32 sequence = 0;
    quint32 acknowledgement = 0;
    quint16 flags = 16;
    quint16 payload = 0; ///< Size of the payload in bytes.
    quint16 id = 0;
    quint8 hops = 64;
    bool isV6 = false;
};

/// Writes a host's trace (CTF 1.8) with the events net_dev_queue and net_if_receive_skb in the layout of LTTng 2.13. Returns false if it
/// cannot be written. Requires: events sorted by time.
inline bool writeNetworkTrace(const QString& folder, const QString& host, int number, const std::vector<MadeNetworkEvent>& events)
{
    const QByteArray be = "signed = 0; encoding = none; base = 10; byte_order = be; }";
    const auto field = [&](int bits, int align, const char* name) {
        return QByteArray("integer { size = ") + QByteArray::number(bits) + "; align = " + QByteArray::number(align) + "; " + be + ' '
            + name + ";\n";
    };
    const QByteArray protocol = "enum : integer { size = 8; align = 8; " + be
        + R"( { "_unknown" = 0, "_icmp" = 1, "_unknown" = 2 ... 5, "_tcp" = 6, "_unknown" = 7 ... 16, "_udp" = 17, "_unknown" = 18 ... 255, } )";
    const QByteArray transport = R"(enum : integer { size = 8; align = 8; signed = 0; encoding = none; base = 10; }
        { "_unknown" = 0, "_tcp" = 1, "_udp" = 2, "_icmp" = 3, } _transport_header_type;
        variant <_transport_header_type> { struct { } _unknown; struct { )"
        + field(16, 8, "_source_port") + field(16, 8, "_dest_port") + field(32, 8, "_seq") + field(32, 8, "_ack_seq")
        + field(4, 4, "_data_offset") + field(3, 1, "_reserved") + field(9, 1, "_flags") + field(16, 8, "_window_size")
        + field(16, 8, "_checksum") + field(16, 8, "_urg_ptr") + "} _tcp; struct { " + field(16, 8, "_source_port")
        + field(16, 8, "_dest_port") + field(16, 8, "_len") + field(16, 8, "_check") + "} _udp; struct { " + field(8, 8, "_type")
        + field(8, 8, "_code") + field(16, 8, "_checksum") + field(32, 8, "_gateway") + "} _icmp; } _transport_header;\n";
    const QByteArray payload = R"(struct { integer { size = 64; align = 8; base = 16; } _skbaddr; integer { size = 32; align = 8; } _len;
        string _name; enum : integer { size = 8; align = 8; signed = 0; encoding = none; base = 10; }
        { "_unknown" = 0, "_ipv4" = 1, "_ipv6" = 2, } _network_header_type;
        variant <_network_header_type> { struct { } _unknown; struct { )"
        + field(4, 4, "_version") + field(4, 4, "_ihl") + field(8, 8, "_tos") + field(16, 8, "_tot_len") + field(16, 8, "_id")
        + field(16, 8, "_frag_off") + field(8, 8, "_ttl") + protocol + "_protocol;\n" + field(16, 8, "_checksum")
        + "struct { } align(8) _saddr_padding;\n" + field(8, 8, "_saddr[4]") + "struct { } align(8) _daddr_padding;\n"
        + field(8, 8, "_daddr[4]") + transport + "} _ipv4; struct { " + field(4, 4, "_version") + field(4, 4, "_prio")
        + "struct { } align(8) _flow_lbl_padding;\n" + field(8, 8, "_flow_lbl[3]") + field(16, 8, "_payload_len") + protocol + "_nexthdr;\n"
        + field(8, 8, "_hop_limit") + "struct { } align(8) _saddr_padding;\n" + field(16, 8, "_saddr[8]")
        + "struct { } align(8) _daddr_padding;\n" + field(16, 8, "_daddr[8]") + transport + "} _ipv6; } _network_header; }";
    const QByteArray eventTypes = QByteArray(R"(event { name = "net_dev_queue"; id = 0; stream_id = 0; fields := )") + payload + R"(; };
event { name = "net_if_receive_skb"; id = 1; stream_id = 0; fields := )"
        + payload + "; };\n";

    test::MadeStream stream(events.front().time, events.back().time);
    for (const MadeNetworkEvent& it : events) {
        constexpr quint16 TcpHeader = 20, V4Header = 20, V6Header = 40;
        const auto putAddress = [&](const std::array<quint8, 4>& address) {
            if (it.isV6)
                stream.append(QByteArray("\xfd\0\0\0\0\0\0\0\0\0\0\0", 12));
            stream.put(address);
        };
        stream.event(it.isOut ? 0 : 1, it.time);
        stream.put(it.memory);
        stream.put(quint32(it.payload + TcpHeader + (it.isV6 ? V6Header : V4Header)));
        stream.append(it.device + '\0');
        stream.put(quint8(it.isV6 ? 2 : 1));
        if (it.isV6) {
            stream.putWire(quint32(0x60000000));
            stream.putWire(quint16(it.payload + TcpHeader));
            stream.put(quint8(6));
            stream.put(it.hops);
        } else {
            stream.putWire(quint16(0x4500));
            stream.putWire(quint16(it.payload + TcpHeader + V4Header));
            stream.putWire(it.id);
            stream.putWire(quint16(0x4000)); // IPv4 flag: don't fragment.
            stream.put(it.hops);
            stream.put(quint8(6));
            stream.putWire(quint16(0));
        }
        putAddress(it.from);
        putAddress(it.to);
        stream.put(quint8(1));
        stream.putWire(it.fromPort);
        stream.putWire(it.toPort);
        stream.putWire(it.sequence);
        stream.putWire(it.acknowledgement);
        stream.putWire(quint16(TcpHeader / 4 << 12 | it.flags));
        stream.putWire(quint16(65'000));
        stream.putWire(quint16(0));
        stream.putWire(quint16(0));
    }
    return test::writeKernelTrace(folder, host, number, eventTypes, std::move(stream));
}

} // namespace helio
