#include "core/correlators/packets/packet_reading.h"

#include "core/correlation/transmissions.h"
#include "core/trace/event.h"
#include "core/trace/fields/event_type.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/fields/struct_layout.h"
#include "core/trace/merged_events.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <optional>
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

/// Returns an address in network order, from an array of 8-bit or 16-bit numbers; empty if the member is missing.
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

/// Returns true for an IPv4 address that is mapped into IPv6; the packets of such a socket have IPv4 headers.
bool isMapped(const std::vector<std::uint8_t>& v6)
{
    return std::ranges::all_of(v6.begin(), v6.begin() + 10, [](std::uint8_t byte) { return byte == 0; }) && v6[10] == 0xff
        && v6[11] == 0xff;
}

/// Returns true if events of the type are entries of connect() or exits of accept() that record the peer's address. LTTng's kernel tracer
/// records it from version 2.11 on.
bool isSocketCall(const EventType& type)
{
    const auto has = [&](const char* port) {
        const StructLayout* layout = type.layout(Section::Payload);
        return layout && layout->locate(port).isValid() && layout->locate("v4addr").isValid();
    };
    return (isConnect(type.name) && has("dport")) || (isAccept(type.name) && has("sport"));
}

/// Reads a socket call; nullopt if the call failed or has no address. The caller sets `trace` and `tid` of the result. Requires:
/// isSocketCall().
/// Cost: decodes the whole event, but such events are rare.
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

constexpr std::int32_t MostCpus = 32'767;

/// Role of an event type in finding packets and the threads that send or receive them.
enum class Role : std::uint8_t { None, Packet, Switch, Wakeup, InterruptBegin, InterruptEnd, Socket };

struct TypeUse {
    Role role = Role::None;
    Direction direction = Direction::None;
    HeaderFields header;
    FieldRef tid;
    FieldRef comm;
    FieldRef buffer;
    FieldRef device;
    FieldRef socket;
};

bool isAny(std::string_view name, std::initializer_list<std::string_view> names) { return std::ranges::find(names, name) != names.end(); }

TypeUse useOf(const EventType& type)
{
    const std::string_view name = type.name;
    TypeUse use;
    use.direction = directionOf(name);
    if (use.direction != Direction::None) {
        use.header = HeaderFields(type);
        use.buffer = FieldRef(type, Section::Payload, "skbaddr");
        use.device = payloadField(type, {"name", "dev_name"});
        use.socket = payloadField(type, {"sk"});
        use.role = Role::Packet;
    } else if (isSocketCall(type)) {
        use.role = Role::Socket;
    } else if (name == "sched_switch") {
        use.tid = payloadField(type, {"next_tid", "next_pid"});
        use.comm = payloadField(type, {"next_comm"});
        use.role = Role::Switch;
    } else if (isAny(name, {"sched_waking", "sched_wakeup"})) {
        use.tid = payloadField(type, {"tid", "pid"});
        use.role = Role::Wakeup;
    } else if (isAny(name, {"irq_softirq_entry", "softirq_entry", "irq_handler_entry"})) {
        use.role = Role::InterruptBegin;
    } else if (isAny(name, {"irq_softirq_exit", "softirq_exit", "irq_handler_exit"})) {
        use.role = Role::InterruptEnd;
    }
    return use;
}

/// State of one CPU during reading.
struct Cpu {
    std::int32_t tid = -1;
    std::int32_t interrupts = 0; ///< Nesting depth of the interrupts that the CPU is handling.
    std::size_t lastIn = 0; ///< Index plus one of the arrived packet to which the CPU's next wake-up is attributed; 0 for no packet.
};

class PacketEventReader {
public:
    PacketEventReader(const Trace& trace, std::uint16_t number, PacketObservations& observations)
        : m_number(number)
        , m_observations(observations)
    {
        for (const auto& type : trace.eventTypes())
            m_uses.push_back(useOf(*type));
    }

    void take(const EventView& event)
    {
        const TypeUse& use = m_uses[static_cast<std::size_t>(event.record->type)];
        if (use.role == Role::None)
            return;
        Cpu& cpu = cpuOf(event.cpu());
        switch (use.role) {
        case Role::None: break;
        case Role::Packet: takePacket(event, use, cpu); break;
        case Role::Switch: cpu = {threadOf(event, use), 0, 0}; break;
        case Role::Wakeup: takeWakeup(event, use, cpu); break;
        case Role::Socket: takeCall(event, cpu); break;
        case Role::InterruptBegin: ++cpu.interrupts; break;
        case Role::InterruptEnd:
            cpu.interrupts = std::max(cpu.interrupts - 1, 0);
            cpu.lastIn = 0;
            break;
        }
    }

private:
    Cpu& cpuOf(std::int32_t number)
    {
        const auto place = static_cast<std::size_t>(number >= 0 && number < MostCpus ? number + 1 : 0);
        if (place >= m_cpus.size())
            m_cpus.resize(place + 1);
        return m_cpus[place];
    }

    /// Returns the TID of the thread that is switched in. Returns -1 for kernel threads that only handle interrupts or softirqs, because
    /// they forward packets and do not send any.
    static std::int32_t threadOf(const EventView& event, const TypeUse& use)
    {
        const std::string_view comm = use.comm.isValid() ? use.comm.text(event) : std::string_view();
        const bool servesInterrupts = std::ranges::any_of(std::initializer_list<std::string_view>{"ksoftirqd/", "irq/", "napi/"},
                                                          [&](std::string_view start) { return comm.starts_with(start); });
        return servesInterrupts ? -1 : static_cast<std::int32_t>(use.tid.integerOr(event, -1));
    }

    /// Returns the number of an interface name in PacketObservations::devices; 0 if the name is empty or no number is free.
    std::uint16_t deviceOf(std::string_view name)
    {
        constexpr std::size_t MostDevices = 65'534;
        auto& all = m_observations.devices;
        if (name.empty())
            return 0;
        if (const auto found = all.find(name); found != all.end())
            return found->second;
        if (all.size() >= MostDevices)
            return 0;
        const auto number = static_cast<std::uint16_t>(all.size() + 1);
        return all.emplace(std::string(name), number).first->second;
    }

    std::uint32_t socketOf(std::uint64_t pointer)
    {
        if (pointer == 0)
            return 0;
        const auto [found, isNew] = m_sockets.try_emplace(pointer, static_cast<std::uint32_t>(m_observations.sockets.size() + 1));
        if (isNew)
            m_observations.sockets.push_back(pointer);
        return found->second;
    }

    void takePacket(const EventView& event, const TypeUse& use, Cpu& cpu)
    {
        ++m_observations.events;
        TracePacketCounts& sum = m_observations.traces[m_number];
        const auto header = use.header.isThere() ? use.header.read(event) : std::nullopt;
        if (!header) {
            ++sum.unnamed;
            return;
        }
        ++(use.direction == Direction::Out ? sum.out : sum.in);
        PacketObservation seen;
        seen.time = event.time();
        seen.flow = m_observations.flows.idOf(header->flow);
        seen.sequence = header->sequence;
        seen.acknowledgement = header->acknowledgement;
        seen.length = header->length;
        seen.headers = static_cast<std::uint16_t>(header->headers);
        seen.flags = header->flags;
        seen.id = header->id;
        seen.hops = header->hops;
        seen.trace = m_number;
        // Socket buffers are at least 64 bytes apart, so the low 6 bits carry no information.
        seen.buffer = static_cast<std::uint32_t>(use.buffer.integerOr(event, 0) >> 6);
        seen.device = use.device.isText() ? deviceOf(use.device.text(event)) : std::uint16_t(0);
        seen.socket = header->flow.version == 0 ? socketOf(static_cast<std::uint64_t>(use.socket.integerOr(event, 0))) : 0;
        seen.cpu = static_cast<std::int16_t>(event.cpu() < MostCpus ? event.cpu() : -1);
        seen.isOut = use.direction == Direction::Out;
        if (seen.isOut && cpu.interrupts == 0 && cpu.tid > 0)
            seen.tid = cpu.tid;
        m_observations.all.push_back(seen);
        if (!seen.isOut)
            cpu.lastIn = m_observations.all.size();
    }

    void takeCall(const EventView& event, const Cpu& cpu)
    {
        if (auto call = readSocketCall(event)) {
            call->trace = m_number;
            call->tid = cpu.tid;
            m_observations.calls.push_back(std::move(*call));
        }
    }

    void takeWakeup(const EventView& event, const TypeUse& use, Cpu& cpu)
    {
        if (cpu.lastIn == 0)
            return;
        m_observations.all[cpu.lastIn - 1].tid = static_cast<std::int32_t>(use.tid.integerOr(event, -1));
        cpu.lastIn = 0;
    }

    const std::uint16_t m_number;
    PacketObservations& m_observations;
    std::vector<TypeUse> m_uses; ///< Role and fields of each event type, indexed by event type.
    std::vector<Cpu> m_cpus; ///< States of the CPUs, indexed by CPU number plus one; the first element is for events without a CPU.
    /// Numbers of the sockets for PacketObservation::socket, keyed by the kernel address of the socket.
    std::unordered_map<std::uint64_t, std::uint32_t> m_sockets;
};

bool losesEvents(const StreamInfo& stream)
{
    return std::ranges::any_of(stream.packets, [](const PacketInfo& packet) { return packet.discarded > 0; });
}

} // namespace

std::size_t FlowTable::Hash::operator()(const FlowKey& key) const
{
    std::uint64_t words[5] = {};
    std::memcpy(words, key.from.data(), 16);
    std::memcpy(words + 2, key.to.data(), 16);
    words[4] = std::uint64_t(key.version) << 40 | std::uint64_t(key.protocol) << 32 | std::uint64_t(key.fromPort) << 16 | key.toPort;
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

std::uint32_t FlowTable::idOf(const FlowKey& key)
{
    if (!m_flows.empty() && m_flows.back() == key)
        return static_cast<std::uint32_t>(m_flows.size() - 1);
    const auto [at, isNew] = m_ids.try_emplace(key, static_cast<std::uint32_t>(m_flows.size()));
    if (isNew)
        m_flows.push_back(key);
    return at->second;
}

std::uint32_t FlowTable::find(const FlowKey& key) const
{
    const auto found = m_ids.find(key);
    return found != m_ids.end() ? found->second : NoFlow;
}

bool hasPackets(const Trace& trace)
{
    return std::ranges::any_of(
        trace.eventTypes(), [](const auto& type) { return directionOf(type->name) != Direction::None && HeaderFields(*type).isThere(); });
}

void readPackets(const Trace& trace, std::uint16_t number, PacketObservations& observations, const std::stop_token& stop)
{
    observations.traces.resize(std::max<std::size_t>(observations.traces.size(), number + 1u));
    observations.isLossy.resize(observations.traces.size());
    observations.isLossy[number] = std::ranges::any_of(trace.streams(), losesEvents);
    PacketEventReader reading(trace, number, observations);
    forEachEvent(
        trace, [&](const EventView& event) { reading.take(event); }, stop);
}

} // namespace helio::packets
