#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"
#include "core/xml_analysis/running/texts.h"

#include <string_view>

namespace helio::xml {

/// Tells where events of one type have the value of a field. The language's rules look for a field of the payload (a name, then a path). If
/// LTTng's name of a scheduler field is asked for ("next_tid"), the kernel's name ("next_pid") is found, too, e.g. in perf traces. A name
/// "context._vtid" is a context. The names "cpu" (an int), "timestamp" (ns, a long), "hostID" and "event type" belong to every event. Any
/// other name is a context. Case matters only in names of payload fields.
class FieldSource {
public:
    FieldSource() = default; ///< A field that events do not have.
    /// `host` is the value of "hostID".
    /// Ownership: the type outlives the object.
    FieldSource(const EventType& type, std::string_view name, TextId host);

    bool isText() const { return m_kind == Kind::Text; }
    /// Returns the text, valid as long as the event. Requires: isText().
    std::string_view text(const EventView& event) const { return m_field.text(event); }

    /// True if events have the field, or if isCurrentThread().
    bool isAnywhere() const { return m_kind != Kind::Nowhere; }
    /// True if the value is the thread that runs on the event's CPU, because the event does not name its thread.
    bool isCurrentThread() const { return m_kind == Kind::CurrentThread; }

    /// Returns null if the event does not have the field. Integers are longs. An enumeration is the text of its label, or a long if it has
    /// no label.
    Value read(const EventView& event, Texts& texts) const;

private:
    enum class Kind : std::uint8_t { Nowhere, Integer, Real, Text, Enumeration, Cpu, Timestamp, Host, Name, CurrentThread };

    bool take(FieldRef field, std::string_view name);
    bool takeContext(const EventType& type, std::string_view name);
    Value readEnumeration(const EventView& event, Texts& texts) const;

    Kind m_kind = Kind::Nowhere;
    IntegerNotation m_form = IntegerNotation::Signed; ///< Notation of an integer.
    TextId m_host = 0;
    FieldRef m_field;
};

} // namespace helio::xml
