#pragma once

#include "core/trace/fields/field_ref.h"

#include <initializer_list>
#include <string_view>

namespace helio {

// Tracers, and versions of a tracer, name a field differently. These functions return the first of `names` that the event type has; an
// invalid FieldRef if it has none. Empty names are skipped.

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

/// Looks in the event's own context, then in its stream's.
inline FieldRef contextField(const EventType& type, std::initializer_list<std::string_view> names)
{
    FieldRef field = fieldIn(type, Section::EventContext, names);
    return field.isValid() ? field : fieldIn(type, Section::StreamContext, names);
}

} // namespace helio
