#include "core/trace/event_type.h"

#include "core/trace/struct_layout.h"

namespace helio {

const FieldTypePtr& EventType::section(Section s) const
{
    switch (s) {
    case Section::PacketHeader: return packetHeader;
    case Section::PacketContext: return packetContext;
    case Section::EventHeader: return eventHeader;
    case Section::StreamContext: return streamContext;
    case Section::EventContext: return eventContext;
    case Section::Payload: break;
    }
    return payload;
}

EventTypeId EventTypes::add(EventType type)
{
    type.id = EventTypeId{static_cast<std::uint32_t>(m_types.size())};
    compileLayouts(type, m_types.empty() ? nullptr : m_types.back().get());
    m_types.push_back(std::make_unique<const EventType>(std::move(type)));
    return m_types.back()->id;
}

} // namespace helio
