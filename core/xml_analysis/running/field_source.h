#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"
#include "core/xml_analysis/running/texts.h"

#include <string_view>

namespace helio::xml {

/// Source of the value of a field in events of one type. The language's rules determine it from the field's name:
/// - A name is first looked up as a payload field (literally, then as a path). LTTng's name of a scheduler field ("next_tid") also finds
/// the kernel's name ("next_pid"), for example in perf traces.
/// - A name such as "context._vtid" is a context.
/// - The names "cpu" (an int), "timestamp" (ns, a long), "hostID" and "event type" exist in every event.
/// - Any other name is a context.
///
/// Only names of payload fields are case-sensitive.
class FieldSource {
public:
    FieldSource() = default; ///< Makes the source of a field that no event has.
    /// Finds the source of the field `name` in events of `type`. `host`: value of the field "hostID".
    /// Ownership: `type` must outlive the object.
    FieldSource(const EventType& type, std::string_view name, TextId host);

    bool isText() const { return m_kind == Kind::Text; }
    /// Returns the text of the field, valid as long as the event. Requires: isText().
    std::string_view text(const EventView& event) const { return m_field.text(event); }

    /// True if the value is available for this event type: the events have the field, or the value is the thread on the event's CPU.
    bool isAvailable() const { return m_kind != Kind::Nowhere; }
    /// True if the value is the thread on the event's CPU, because the event itself does not contain its thread.
    bool isCurrentThread() const { return m_kind == Kind::CurrentThread; }

    /// Returns the value of the field; null if the event does not have the field. Integers have the type Long. The value of an enumeration
    /// is the text of its label, or a Long if no label matches.
    Value read(const EventView& event, Texts& texts) const;

private:
    enum class Kind : std::uint8_t { Nowhere, Integer, Real, Text, Enumeration, Cpu, Timestamp, Host, Name, CurrentThread };

    bool take(FieldRef field, std::string_view name);
    bool takeContext(const EventType& type, std::string_view name);
    Value readEnumeration(const EventView& event, Texts& texts) const;

    Kind m_kind = Kind::Nowhere;
    IntegerNotation m_form = IntegerNotation::Signed; ///< Notation in which an integer is shown to the user.
    TextId m_host = 0;
    FieldRef m_field;
};

} // namespace helio::xml
