#pragma once

#include "core/trace/fields/field_type.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio {

class StructLayout;

/// Index of an event type in its trace's EventTypes. Indices are small and dense, so tables by event type are arrays.
enum class EventTypeId : std::uint32_t {};

/// A type of events: its name and the types of its sections (nullptr for a section that it does not have). Each type also has pointers to
/// the types of the packet's and the stream's sections, so that a field can be found from the event type alone.
struct EventType {
    EventTypeId id{};
    std::string name;
    FieldTypePtr packetHeader;
    FieldTypePtr packetContext;
    FieldTypePtr eventHeader;
    FieldTypePtr streamContext;
    FieldTypePtr eventContext;
    FieldTypePtr payload;

    /// Compiled layouts of the sections (core/trace/fields/struct_layout.h), by Section; nullptr for a section that the type does not have.
    /// Set by EventTypes::add().
    std::array<std::shared_ptr<const StructLayout>, 6> layouts;

    const FieldTypePtr& section(Section s) const;
    const StructLayout* layout(Section s) const { return layouts[static_cast<std::size_t>(s)].get(); }
};

/// All event types of a trace. They do not change once the trace is open; their addresses stay valid during the trace's lifetime.
class EventTypes {
public:
    /// Sets the type's id, compiles its layouts and stores it.
    EventTypeId add(EventType type);

    const EventType& operator[](EventTypeId id) const { return *m_types[static_cast<std::size_t>(id)]; }
    std::size_t size() const { return m_types.size(); }

    auto begin() const { return m_types.begin(); } ///< Iterates over std::unique_ptr<const EventType>.
    auto end() const { return m_types.end(); }

private:
    std::vector<std::unique_ptr<const EventType>> m_types;
    std::size_t m_layoutNodes = 0;
};

} // namespace helio
