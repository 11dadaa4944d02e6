#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"
#include "core/xml_analysis/running/texts.h"

#include <string_view>

namespace helio::xml {

/// Where the value of a field stands, by the language's rules, in events of one type: a field of the payload (a name, then a path), also
/// where LTTng's name of a scheduler's field is asked for ("next_tid") and the trace has the kernel's ("next_pid"), as perf's have; a
/// context ("context._vtid"); then what is known of every event, whatever its type: "cpu" (an int), "timestamp" (ns, a long), "hostID",
/// "event type"; then a context by its bare name. Capital letters count in fields alone.
class FieldSource {
public:
    FieldSource() = default; ///< Nowhere.
    /// `host`: what "hostID" is. The type outlives it.
    FieldSource(const EventType& type, std::string_view name, TextId host);

    bool isText() const { return m_kind == Kind::Text; }
    /// Requires: isText(). Valid as long as the event.
    std::string_view text(const EventView& event) const { return m_field.text(event); }

    bool isAnywhere() const { return m_kind != Kind::Nowhere; }
    /// The thread that runs on the event's CPU, where the event does not say which that is.
    bool isCurrentThread() const { return m_kind == Kind::CurrentThread; }

    /// Null where the event does not have it. Integers are longs, as are enumerations without a label; with one they are that text.
    Value read(const EventView& event, Texts& texts) const;

private:
    enum class Kind : std::uint8_t { Nowhere, Integer, Real, Text, Enumeration, Cpu, Timestamp, Host, Name, CurrentThread };

    bool take(FieldRef field, std::string_view name);
    bool takeContext(const EventType& type, std::string_view name);
    Value readEnumeration(const EventView& event, Texts& texts) const;

    Kind m_kind = Kind::Nowhere;
    Form m_form = Form::Signed; ///< Of an integer.
    TextId m_host = 0;
    FieldRef m_field;
};

} // namespace helio::xml
