#include "core/formats/ctf/babeltrace/bt2_types.h"

namespace helio::bt2 {

ClassKey keyOf(const bt_event_class* eventClass)
{
    return {bt_stream_class_get_id(bt_event_class_borrow_stream_class_const(eventClass)), bt_event_class_get_id(eventClass)};
}

EventType makeType(const bt_event_class* eventClass, const EventType* like, HiddenEventMembers& hidden, std::uint64_t& unknown)
{
    const SectionClasses classes(bt_event_class_borrow_stream_class_const(eventClass), eventClass);
    EventType type;
    const char* name = bt_event_class_get_name(eventClass);
    type.name = name ? name : std::string();
    type.packetContext = translate(classes, Section::PacketContext, hidden.packet, unknown);
    type.packetHeader = hidden.packet.type();
    type.streamContext = translate(classes, Section::StreamContext, hidden.event, unknown);
    type.eventContext = translate(classes, Section::EventContext, hidden.event, unknown);
    type.payload = translate(classes, Section::Payload, hidden.event, unknown);
    type.eventHeader = hidden.event.type();
    if (like) {
        type.packetContext = like->packetContext;
        type.packetHeader = like->packetHeader;
        type.streamContext = like->streamContext;
    }
    return type;
}

void EventTypeIndex::add(const bt_stream_class* streamClass)
{
    const std::uint64_t streamId = bt_stream_class_get_id(streamClass);
    const EventType* like = nullptr;
    const std::uint64_t count = bt_stream_class_get_event_class_count(streamClass);
    for (std::uint64_t i = 0; i < count; ++i) {
        const bt_event_class* eventClass = bt_stream_class_borrow_event_class_by_index_const(streamClass, i);
        const ClassKey key{streamId, bt_event_class_get_id(eventClass)};
        if (ids.contains(key))
            continue;
        HiddenEventMembers hidden;
        ids[key] = types.add(makeType(eventClass, like, hidden, unknownFieldClasses));
        like = &types[ids[key]];
    }
}

EventTypeIndex typesOf(const bt_stream* stream)
{
    EventTypeIndex table;
    const bt_trace_class* trace = bt_stream_class_borrow_trace_class_const(bt_stream_borrow_class_const(stream));
    const std::uint64_t count = bt_trace_class_get_stream_class_count(trace);
    for (std::uint64_t i = 0; i < count; ++i)
        table.add(bt_trace_class_borrow_stream_class_by_index_const(trace, i));
    return table;
}

const EventClassCache::Entry& EventClassCache::operator[](const bt_event_class* eventClass)
{
    const auto [it, isNew] = m_entries.try_emplace(eventClass);
    if (isNew) {
        const auto known = m_table.ids.find(keyOf(eventClass));
        if (known != m_table.ids.end())
            it->second.type = known->second;
        std::uint64_t unknown = 0;
        makeType(eventClass, nullptr, it->second.hidden, unknown);
    }
    return it->second;
}

} // namespace helio::bt2
