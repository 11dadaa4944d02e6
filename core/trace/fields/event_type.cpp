#include "core/trace/fields/event_type.h"

#include "core/trace/fields/struct_layout.h"

namespace helio {
namespace {

/// Maximum number of layout nodes of all types of a trace together: a short text can describe types of unlimited size. Real traces have
/// some ten thousand nodes.
constexpr std::size_t MaxLayoutNodes = 1'000'000;

} // namespace

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
    m_layoutNodes += compileLayouts(type, m_types.empty() ? nullptr : m_types.back().get(), MaxLayoutNodes - m_layoutNodes);
    m_types.push_back(std::make_unique<const EventType>(std::move(type)));
    return m_types.back()->id;
}

} // namespace helio
