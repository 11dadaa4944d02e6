#pragma once

#include "core/trace/fields/field_ref.h"

#include <initializer_list>
#include <string_view>

namespace helio {

// Tracers, and versions of them, call one field differently: the first of these names that an event has. Not valid: it has none of them.
// Empty names are none.

inline FieldRef fieldIn(const EventType& type, Section section, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
        if (FieldRef field = name.empty() ? FieldRef() : FieldRef(type, section, name); field.isValid())
            return field;
    return {};
}

inline FieldRef payloadField(const EventType& type, std::initializer_list<std::string_view> names)
{
    return fieldIn(type, Section::Payload, names);
}

/// Of the event's own context, else of its stream's.
inline FieldRef contextField(const EventType& type, std::initializer_list<std::string_view> names)
{
    FieldRef field = fieldIn(type, Section::EventContext, names);
    return field.isValid() ? field : fieldIn(type, Section::StreamContext, names);
}

} // namespace helio
