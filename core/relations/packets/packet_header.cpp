#include "core/relations/packets/packet_header.h"

#include <arpa/inet.h>

namespace helio::packets {
namespace {

std::string addressText(const FlowKey& key, const std::array<std::uint8_t, 16>& address)
{
    char text[INET6_ADDRSTRLEN] = {};
    if (key.version == 0 || !inet_ntop(key.version == 4 ? AF_INET : AF_INET6, address.data(), text, sizeof text))
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

} // namespace

Flow textOf(const FlowKey& key)
{
    return {protocolText(key), endText(key, key.from, key.fromPort), endText(key, key.to, key.toPort), NoFlow};
}

} // namespace helio::packets
