#include "core/correlators/packets/socket_calls.h"

#include "core/correlators/packets/packet_header.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/fields/struct_layout.h"

#include <algorithm>
#include <string_view>

namespace helio::packets {
namespace {

bool isConnect(std::string_view name) { return name == "syscall_entry_connect"; }
bool isAccept(std::string_view name) { return name == "syscall_exit_accept" || name == "syscall_exit_accept4"; }

const FieldValue* find(const std::vector<NamedValue>& members, std::string_view name)
{
    const auto found = std::ranges::find(members, name, &NamedValue::name);
    return found != members.end() ? &found->value : nullptr;
}

std::optional<std::int64_t> numberIn(const FieldValue& field)
{
    if (const auto* number = std::get_if<std::int64_t>(&field.value))
        return *number;
    if (const auto* number = std::get_if<std::uint64_t>(&field.value))
        return static_cast<std::int64_t>(*number);
    if (const auto* label = std::get_if<EnumValue>(&field.value))
        return label->number;
    return {};
}

std::int64_t number(const std::vector<NamedValue>& members, std::string_view name, std::int64_t otherwise)
{
    const FieldValue* field = find(members, name);
    return field ? numberIn(*field).value_or(otherwise) : otherwise;
}

/// Address in network order, from numbers of 8 or 16 bits; empty if the member is missing.
std::vector<std::uint8_t> bytes(const std::vector<NamedValue>& members, std::string_view name, std::size_t size)
{
    const FieldValue* field = find(members, name);
    const auto* elements = field ? std::get_if<std::vector<FieldValue>>(&field->value) : nullptr;
    std::vector<std::uint8_t> all;
    if (!elements || (elements->size() != size && 2 * elements->size() != size))
        return all;
    for (const FieldValue& element : *elements) {
        const auto value = static_cast<std::uint64_t>(numberIn(element).value_or(0));
        if (elements->size() != size)
            all.push_back(static_cast<std::uint8_t>(value >> 8));
        all.push_back(static_cast<std::uint8_t>(value));
    }
    return all;
}

/// True for an IPv4 address mapped into IPv6: packets have it as an IPv4 address.
bool isMapped(const std::vector<std::uint8_t>& v6)
{
    return std::ranges::all_of(v6.begin(), v6.begin() + 10, [](std::uint8_t byte) { return byte == 0; }) && v6[10] == 0xff
        && v6[11] == 0xff;
}

} // namespace

bool isSocketCall(const EventType& type)
{
    const auto has = [&](const char* port) {
        const StructLayout* layout = type.layout(Section::Payload);
        return layout && layout->locate(port).isValid() && layout->locate("v4addr").isValid();
    };
    return (isConnect(type.name) && has("dport")) || (isAccept(type.name) && has("sport"));
}

std::optional<SocketCall> readSocketCall(const EventView& event)
{
    constexpr std::size_t V4 = 4, V6 = 16;
    const std::vector<NamedValue> members = decodeSection(event, Section::Payload);
    const bool connects = isConnect(event.type->name);
    if (!connects && number(members, "ret", -1) < 0)
        return {};
    FlowKey key;
    key.fromPort = static_cast<std::uint16_t>(number(members, connects ? "dport" : "sport", 0));
    auto address = bytes(members, "v4addr", V4);
    key.version = 4;
    if (address.empty()) {
        address = bytes(members, "v6addr", V6);
        key.version = 6;
        if (!address.empty() && isMapped(address)) {
            address.erase(address.begin(), address.end() - V4);
            key.version = 4;
        }
    }
    if (address.empty() || key.fromPort == 0)
        return {};
    std::ranges::copy(address, key.from.begin());
    return SocketCall{event.time(), 0, -1, connects ? SocketCall::Kind::Connect : SocketCall::Kind::Accept, textOf(key).from};
}

} // namespace helio::packets
