#include "core/correlators/packets/packet_header.h"

#include <arpa/inet.h>
#include <cstdio>
#include <cstring>

namespace helio::packets {
namespace {

/// Text of a socket, for example "socket 0xffff88003b1a0000"; empty if the socket was not recorded.
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

} // namespace helio::packets
