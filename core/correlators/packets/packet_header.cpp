#include "core/correlators/packets/packet_header.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cstdio>
#include <cstring>

namespace helio::packets {
namespace {

/// Returns a socket as text, for example "socket 0xffff88003b1a0000"; empty if the socket was not recorded.
std::string socketText(const std::array<std::uint8_t, 16>& address)
{
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, address.data(), sizeof pointer);
    char text[32] = {};
    if (pointer != 0)
        std::snprintf(text, sizeof text, "socket 0x%llx", static_cast<unsigned long long>(pointer));
    return text;
}

std::string addressText(const FlowKey& key, const std::array<std::uint8_t, 16>& address)
{
    if (key.version == 0)
        return socketText(address);
    char text[INET6_ADDRSTRLEN] = {};
    if (!inet_ntop(key.version == 4 ? AF_INET : AF_INET6, address.data(), text, sizeof text))
        return {};
    return text;
}

std::string protocolText(const FlowKey& key)
{
    switch (Protocol(key.protocol)) {
    case Protocol::Unknown: return {};
    case Protocol::Icmp: return "icmp";
    case Protocol::Tcp: return "tcp";
    case Protocol::Udp: return "udp";
    case Protocol::IcmpV6: return "icmp6";
    }
    return "ip-" + std::to_string(key.protocol);
}

std::string endText(const FlowKey& key, const std::array<std::uint8_t, 16>& address, std::uint16_t port)
{
    std::string text = addressText(key, address);
    if (port == 0)
        return text;
    if (key.version == 6)
        text = "[" + text + "]";
    return text + ":" + std::to_string(port);
}

constexpr std::string_view Outgoing[] = {"net_dev_queue", "inet_sock_local_out"};
constexpr std::string_view Incoming[] = {"net_if_receive_skb", "netif_receive_skb", "net_netif_receive_skb", "inet_sock_local_in"};

enum V4 : std::size_t { HeaderWords, TotalLength, Id, TimeToLive, ProtocolV4, FromV4, ToV4 };
enum V6 : std::size_t { PayloadLength, HopLimit, NextHeader, FromV6, ToV6 };
enum Tcp : std::size_t { FromPort, ToPort, Sequence, Acknowledgement, DataWords, Flags };
enum Icmp : std::size_t { Type, Code, Rest };

/// Returns the size of a type in bits; 0 if the size is not constant.
std::uint64_t fixedBits(const FieldType& type)
{
    if (const IntegerType* integer = integerOf(type))
        return integer->isVariable || integer->isReversed ? 0 : integer->bits;
    if (const auto* array = std::get_if<ArrayType>(&type.shape))
        return array->length <= 64 ? array->length * fixedBits(*array->element) : 0;
    return 0;
}

bool isEmptyStruct(const FieldType& type)
{
    const auto* asStruct = std::get_if<StructType>(&type.shape);
    return asStruct && asStruct->members.empty();
}

FieldLocator structAt(const EventType& type, std::string_view path)
{
    const StructLayout* layout = type.layout(Section::Payload);
    FieldLocator found = layout ? layout->locate(path) : FieldLocator();
    return found.isValid() && std::holds_alternative<StructType>(found.type()->shape) ? found : FieldLocator();
}

} // namespace

std::array<std::uint8_t, 16> socketAddress(std::uint64_t pointer, std::uint16_t host)
{
    std::array<std::uint8_t, 16> address{};
    std::memcpy(address.data(), &pointer, sizeof pointer);
    std::memcpy(address.data() + sizeof pointer, &host, sizeof host);
    return address;
}

Flow textOf(const FlowKey& key)
{
    return {protocolText(key), endText(key, key.from, key.fromPort), endText(key, key.to, key.toPort), NoFlow, NoFlow};
}

Direction directionOf(std::string_view event)
{
    if (std::ranges::find(Outgoing, event) != std::end(Outgoing))
        return Direction::Out;
    return std::ranges::find(Incoming, event) != std::end(Incoming) ? Direction::In : Direction::None;
}

StructFields::StructFields(const EventType& type, std::string_view path, std::initializer_list<std::string_view> members)
    : m_locator(structAt(type, path))
    , m_places(members.size())
{
    if (!isThere())
        return;
    std::uint64_t bit = 0;
    for (const Member& member : std::get<StructType>(m_locator.type()->shape).members) {
        bit = alignUp(bit, std::max(1u, member.type->alignment));
        const std::uint64_t bits = fixedBits(*member.type);
        if (const auto* name = std::ranges::find(members, member.name); name != members.end() && bits > 0) {
            const auto* array = std::get_if<ArrayType>(&member.type->shape);
            m_places[static_cast<std::size_t>(name - members.begin())] = {bit, *integerOf(array ? *array->element : *member.type),
                                                                          array ? array->length : 1};
        }
        if (bits == 0 && !isEmptyStruct(*member.type))
            return; // Stop at a member of variable size: the members after it have no constant offset.
        bit += bits;
    }
}

std::uint64_t StructFields::number(const PacketBytes& packet, std::uint64_t bit, std::size_t member) const
{
    const IntegerPosition& place = m_places[member];
    if (place.bit == CutOff || place.count != 1 || bit + place.bit + place.type.bits > packet.contentBits)
        return 0;
    return readBits(packet.data, bit + place.bit, place.type.bits, place.type.order);
}

bool StructFields::bytes(const PacketBytes& packet, std::uint64_t bit, std::size_t member, std::array<std::uint8_t, 16>& to) const
{
    const IntegerPosition& place = m_places[member];
    const std::uint64_t size = place.type.bits / 8;
    if (place.bit == CutOff || place.type.bits % 8 != 0 || place.count * size > to.size()
        || bit + place.bit + place.count * place.type.bits > packet.contentBits)
        return false;
    for (std::uint64_t i = 0; i < place.count; ++i) {
        const std::uint64_t value = readBits(packet.data, bit + place.bit + i * place.type.bits, place.type.bits, place.type.order);
        for (std::uint64_t byte = 0; byte < size; ++byte)
            to[i * size + byte] = static_cast<std::uint8_t>(value >> (8 * (size - 1 - byte)));
    }
    return true;
}

HeaderFields::HeaderFields(const EventType& type)
{
    const auto transport = [&](const std::string& above) {
        const std::string path = above + ".transport_header.";
        return Transport{{type, path + "tcp", {"source_port", "dest_port", "seq", "ack_seq", "data_offset", "flags"}},
                         {type, path + "udp", {"source_port", "dest_port"}},
                         {type, path + "icmp", {"type", "code", "gateway"}}};
    };
    m_v4 = {type, "network_header.ipv4", {"ihl", "tot_len", "id", "ttl", "protocol", "saddr", "daddr"}};
    m_v6 = {type, "network_header.ipv6", {"payload_len", "hop_limit", "nexthdr", "saddr", "daddr"}};
    m_overV4 = transport("network_header.ipv4");
    m_overV6 = transport("network_header.ipv6");
    m_sequence = FieldRef(type, Section::Payload, "seq");
    m_acknowledgement = FieldRef(type, Section::Payload, "ack_seq");
    m_flags = FieldRef(type, Section::Payload, "flags");
    m_isThere = m_v4.isThere() || m_v6.isThere() || (m_sequence.isValid() && m_acknowledgement.isValid());
}

std::optional<PacketHeader> HeaderFields::read(const EventView& event) const
{
    PacketHeader header;
    if (m_sequence.isValid())
        return readFlat(event, header) ? std::optional(header) : std::nullopt;
    const FieldScope scope = scopeOf(event);
    return readV4(event, scope, header) || readV6(event, scope, header) ? std::optional(header) : std::nullopt;
}

bool HeaderFields::readV4(const EventView& event, const FieldScope& scope, PacketHeader& header) const
{
    const std::uint64_t bit = m_v4.isThere() ? m_v4.bit(scope) : CutOff;
    if (bit == CutOff || !m_v4.bytes(event.packet, bit, FromV4, header.flow.from) || !m_v4.bytes(event.packet, bit, ToV4, header.flow.to))
        return false;
    const auto number = [&](V4 member) { return m_v4.number(event.packet, bit, member); };
    header.flow.version = 4;
    header.flow.protocol = static_cast<std::uint8_t>(number(ProtocolV4));
    header.length = static_cast<std::uint32_t>(number(TotalLength));
    header.headers = static_cast<std::uint32_t>(4 * number(HeaderWords));
    header.id = static_cast<std::uint16_t>(number(Id));
    header.hops = static_cast<std::uint8_t>(number(TimeToLive));
    return readTransport(m_overV4, event, scope, header);
}

bool HeaderFields::readV6(const EventView& event, const FieldScope& scope, PacketHeader& header) const
{
    constexpr std::uint32_t HeaderBytes = 40;
    const std::uint64_t bit = m_v6.isThere() ? m_v6.bit(scope) : CutOff;
    if (bit == CutOff || !m_v6.bytes(event.packet, bit, FromV6, header.flow.from) || !m_v6.bytes(event.packet, bit, ToV6, header.flow.to))
        return false;
    const auto number = [&](V6 member) { return m_v6.number(event.packet, bit, member); };
    header.flow.version = 6;
    header.flow.protocol = static_cast<std::uint8_t>(number(NextHeader));
    header.length = HeaderBytes + static_cast<std::uint32_t>(number(PayloadLength));
    header.headers = HeaderBytes;
    header.hops = static_cast<std::uint8_t>(number(HopLimit));
    return readTransport(m_overV6, event, scope, header);
}

bool HeaderFields::readTransport(const Transport& transport, const EventView& event, const FieldScope& scope, PacketHeader& header) const
{
    const PacketBytes& packet = event.packet;
    if (const std::uint64_t bit = transport.tcp.isThere() ? transport.tcp.bit(scope) : CutOff; bit != CutOff) {
        const auto number = [&](Tcp member) { return transport.tcp.number(packet, bit, member); };
        header.flow.fromPort = static_cast<std::uint16_t>(number(FromPort));
        header.flow.toPort = static_cast<std::uint16_t>(number(ToPort));
        header.sequence = static_cast<std::uint32_t>(number(Sequence));
        header.acknowledgement = static_cast<std::uint32_t>(number(Acknowledgement));
        header.flags = static_cast<std::uint16_t>(number(Flags));
        header.headers += static_cast<std::uint32_t>(4 * number(DataWords));
        return true;
    }
    if (const std::uint64_t bit = transport.udp.isThere() ? transport.udp.bit(scope) : CutOff; bit != CutOff) {
        constexpr std::uint32_t UdpHeader = 8;
        header.flow.fromPort = static_cast<std::uint16_t>(transport.udp.number(packet, bit, FromPort));
        header.flow.toPort = static_cast<std::uint16_t>(transport.udp.number(packet, bit, ToPort));
        header.headers += UdpHeader;
        return true;
    }
    if (const std::uint64_t bit = transport.icmp.isThere() ? transport.icmp.bit(scope) : CutOff; bit != CutOff) {
        constexpr std::uint32_t IcmpHeader = 8;
        header.flags = static_cast<std::uint16_t>(transport.icmp.number(packet, bit, Type) << 8 | transport.icmp.number(packet, bit, Code));
        header.sequence = static_cast<std::uint32_t>(transport.icmp.number(packet, bit, Rest));
        header.headers += IcmpHeader;
        return true;
    }
    return false;
}

bool HeaderFields::readFlat(const EventView& event, PacketHeader& header) const
{
    const auto sequence = m_sequence.integer(event);
    const auto acknowledgement = m_acknowledgement.integer(event);
    if (!sequence || !acknowledgement)
        return false;
    header.flow.protocol = static_cast<std::uint8_t>(Protocol::Tcp);
    header.sequence = static_cast<std::uint32_t>(*sequence);
    header.acknowledgement = static_cast<std::uint32_t>(*acknowledgement);
    header.flags = static_cast<std::uint16_t>(m_flags.integerOr(event, 0));
    return true;
}

} // namespace helio::packets
