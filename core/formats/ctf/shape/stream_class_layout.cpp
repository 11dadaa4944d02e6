#include "core/formats/ctf/shape/stream_class_layout.h"

#include <algorithm>
#include <array>

namespace helio::ctf {
namespace {

/// Calls `onLeaf(path, integer)` for all integers and enumerations outside of arrays and sequences.
template <typename OnLeaf> void forEachInteger(const FieldType& type, std::vector<std::string>& path, OnLeaf& onLeaf)
{
    const auto* structure = std::get_if<StructType>(&type.shape);
    const auto* variant = std::get_if<VariantType>(&type.shape);
    if (structure || variant) {
        for (const auto& member : structure ? structure->members : variant->options) {
            path.push_back(member.name);
            forEachInteger(*member.type, path, onLeaf);
            path.pop_back();
        }
    } else if (const auto* integer = integerOf(type)) {
        onLeaf(path, *integer);
    }
}

template <typename OnLeaf> void forEachInteger(const FieldTypePtr& type, OnLeaf onLeaf)
{
    std::vector<std::string> path;
    if (type)
        forEachInteger(*type, path, onLeaf);
}

/// Returns the first clock to which an integer of the section refers; empty if there is none.
std::string clockIn(const FieldTypePtr& type)
{
    std::string clock;
    forEachInteger(type, [&](const auto&, const IntegerType& integer) {
        if (clock.empty())
            clock = integer.clock;
    });
    return clock;
}

FieldLocator integerNamed(const StructLayout* layout, std::string_view name)
{
    const auto field = layout ? layout->locate(name) : FieldLocator();
    return field.isValid() && integerOf(*field.type()) ? field : FieldLocator();
}

FieldLocator uuidOf(const FieldLocator& field)
{
    const auto* array = field.isValid() ? std::get_if<ArrayType>(&field.type()->shape) : nullptr;
    const auto* integer = array ? std::get_if<IntegerType>(&array->element->shape) : nullptr;
    return integer && integer->bits == 8 && array->element->alignment <= 8 && array->length == 16 ? field : FieldLocator();
}

/// Returns the field in which a tracer stores the CPU number if the packet context contains none.
FieldLocator cpuOf(const EventType& type)
{
    constexpr std::array<std::string_view, 3> names{"cpu_id", "perf_cpu", "cpu"};
    for (const auto section : {Section::StreamContext, Section::EventContext, Section::EventHeader})
        for (const auto name : names)
            if (const auto field = integerNamed(type.layout(section), name); field.isValid())
                return field;
    return integerNamed(type.layout(Section::Payload), "perf_cpu");
}

} // namespace

/// Each stream has one clock, as in babeltrace2. If fields refer to several clocks, the clock of the event header is used.
std::string clockOf(const StreamClass& stream)
{
    for (const auto* part : {&stream.eventHeader, &stream.packetContext, &stream.eventContext})
        if (auto clock = clockIn(*part); !clock.empty())
            return clock;
    for (const auto& event : stream.events)
        for (const auto* part : {&event.context, &event.fields})
            if (auto clock = clockIn(*part); !clock.empty())
                return clock;
    return {};
}

StreamClassLayout::StreamClassLayout(const Metadata& metadata, const StreamClass& stream, EventTypes& types)
    : id(stream.id)
    , clockName(clockOf(stream))
    , m_frame(std::make_unique<EventType>())
{
    m_frame->packetHeader = metadata.packetHeader;
    m_frame->packetContext = stream.packetContext;
    m_frame->eventHeader = stream.eventHeader;
    m_frame->streamContext = stream.eventContext;
    compileLayouts(*m_frame);
    check(*m_frame);
    if (!m_fault.empty())
        return;
    if (const auto* known = metadata.findClock(clockName))
        clock = ClockConversion(*known);
    packetHeader = m_frame->layout(Section::PacketHeader);
    packetContext = m_frame->layout(Section::PacketContext);
    streamContext = m_frame->layout(Section::StreamContext);
    header = EventHeader(*m_frame, clockName, metadata.hasRoles ? &stream.eventIds : nullptr);
    if (metadata.hasRoles)
        bindByRole(metadata.packetRoles, stream.packetRoles);
    else
        bindByName();
    packet.cpu = integerNamed(packetContext, "cpu_id");
    for (const auto& [stamp, bits] : {std::pair(&packet.end, &packet.endBits), std::pair(&packet.begin, &packet.beginBits)}) {
        if (!stamp->isValid())
            continue;
        const auto& integer = *integerOf(*stamp->type());
        *bits = integer.bits;
        packet.isTimed = integer.clock.empty() || integer.clock == clockName;
    }
    if (packet.discarded.isValid())
        packet.discardedBits = integerOf(*packet.discarded.type())->bits;
    const std::uint64_t ids = stream.events.empty() ? 0 : stream.events.back().id + 1;
    m_dense.resize(std::min<std::uint64_t>(ids, 4 * stream.events.size() + 64));
    for (const auto& event : stream.events)
        addEvent(event, types);
    makeFixedLayouts();
}

void StreamClassLayout::bindByName()
{
    packet.magic = integerNamed(packetHeader, "magic");
    packet.uuid = packetHeader ? uuidOf(packetHeader->locate("uuid")) : FieldLocator();
    packet.streamId = integerNamed(packetHeader, "stream_id");
    packet.streamInstance = integerNamed(packetHeader, "stream_instance_id");
    packet.contentSize = integerNamed(packetContext, "content_size");
    packet.packetSize = integerNamed(packetContext, "packet_size");
    packet.begin = integerNamed(packetContext, "timestamp_begin");
    packet.end = integerNamed(packetContext, "timestamp_end");
    packet.discarded = integerNamed(packetContext, "events_discarded");
    packet.sequence = integerNamed(packetContext, "packet_seq_num");
}

void StreamClassLayout::bindByRole(const FieldRoles& headerRoles, const FieldRoles& contextRoles)
{
    const auto fieldOf = [](const StructLayout* layout, const FieldRoles& roles, std::string_view role) {
        const auto path = roles.find(role);
        return layout && path != roles.end() ? layout->locate(path->second) : FieldLocator();
    };
    const auto bind = [&](FieldLocator& field, const StructLayout* layout, const FieldRoles& roles, std::string_view role) {
        const auto found = fieldOf(layout, roles, role);
        if (found.isValid() && integerOf(*found.type()))
            field = found;
    };
    bind(packet.magic, packetHeader, headerRoles, "packet-magic-number");
    bind(packet.streamId, packetHeader, headerRoles, "data-stream-class-id");
    bind(packet.streamInstance, packetHeader, headerRoles, "data-stream-id");
    packet.uuid = uuidOf(fieldOf(packetHeader, headerRoles, "metadata-stream-uuid"));
    bind(packet.contentSize, packetContext, contextRoles, "packet-content-length");
    bind(packet.packetSize, packetContext, contextRoles, "packet-total-length");
    bind(packet.begin, packetContext, contextRoles, "default-clock-timestamp");
    bind(packet.end, packetContext, contextRoles, "packet-end-default-clock-timestamp");
    bind(packet.discarded, packetContext, contextRoles, "discarded-event-record-counter-snapshot");
    bind(packet.sequence, packetContext, contextRoles, "packet-sequence-number");
}

void StreamClassLayout::addEvent(const EventClass& event, EventTypes& types)
{
    EventType type = *m_frame;
    type.name = event.name;
    type.eventContext = event.context;
    type.payload = event.fields;
    const auto& added = types[types.add(std::move(type))];
    check(added);

    auto shape = std::make_unique<EventClassLayout>();
    shape->type = added.id;
    shape->context = added.layout(Section::EventContext);
    shape->payload = added.layout(Section::Payload);
    if (!packet.cpu.isValid())
        shape->cpu = cpuOf(added);
    for (const auto section : {Section::StreamContext, Section::EventContext, Section::Payload}) {
        forEachInteger(added.section(section), [&](const auto& path, const IntegerType& integer) {
            if (integer.clock.empty() || integer.clock != clockName)
                return;
            if (const auto field = added.layout(section)->locate(path); field.isValid())
                shape->stamps.emplace_back(field, integer.bits);
        });
    }
    shape->hasOtherFields = shape->cpu.isValid() || !shape->stamps.empty();
    EventClassEntry step;
    step.type = added.id;
    step.shape = shape.get();
    if (!shape->context && !shape->hasOtherFields && (!shape->payload || shape->payload->isFixed())) {
        step.payloadBits = shape->payload ? shape->payload->fixedBits() : 0;
        step.payloadMask = shape->payload ? static_cast<std::uint32_t>(shape->payload->alignment() - 1) : 0;
    }
    (event.id < m_dense.size() ? m_dense[event.id] : m_sparse[event.id]) = step;
    m_events.push_back(std::move(shape));
}

void StreamClassLayout::makeFixedLayouts()
{
    // Maximum size in bits of an event that FixedEventReader may read. The reader checks only the number of events of a batch, not their
    // bytes, so that larger events would make a batch too large.
    constexpr std::uint64_t MostQuickBits = 8 * 512;
    const EventHeader::ShortForm form = header.shortForm();
    const std::uint64_t alignment = header.alignment();
    const auto fits = [alignment](const StructLayout* part) { return !part || (part->isFixed() && part->alignment() <= alignment); };
    if (form.bits == 0 || !clock.isNanoseconds() || !fits(streamContext))
        return;
    m_quick.resize(std::min<std::size_t>(m_dense.size(), form.escape));
    for (std::size_t i = 0; i < m_quick.size(); ++i) {
        const EventClassLayout* shape = m_dense[i].shape;
        if (!shape || shape->hasOtherFields || !fits(shape->context) || !fits(shape->payload))
            continue;
        const auto begin = [](const StructLayout* part, std::uint64_t bit) { return part ? part->alignedStart(bit) : bit; };
        const auto end = [&](const StructLayout* part, std::uint64_t bit) { return begin(part, bit) + (part ? part->fixedBits() : 0); };
        const std::uint64_t context = end(shape->context, end(streamContext, form.bits));
        const std::uint64_t whole = end(shape->payload, context);
        if (whole <= MostQuickBits)
            m_quick[i] = {static_cast<std::uint32_t>(begin(streamContext, form.bits)),
                          static_cast<std::uint32_t>(begin(shape->payload, context)), static_cast<std::uint32_t>(whole), shape->type};
    }
}

const EventClassEntry& StreamClassLayout::findSparse(std::uint64_t eventId) const
{
    static const EventClassEntry none;
    const auto it = m_sparse.find(eventId);
    return it == m_sparse.end() ? none : it->second;
}

void StreamClassLayout::check(const EventType& type)
{
    for (const auto& layout : type.layouts)
        if (layout && !layout->isUsable() && m_fault.empty())
            m_fault = type.name.empty() ? "a stream has too many or too deeply nested fields"
                                        : "the fields of \"" + type.name + "\" are too many or nested too deeply";
}

} // namespace helio::ctf
