#pragma once

#include "core/trace/event.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace helio {

struct NamedValue;
struct FieldValue;

/// Value of an enumeration with all labels whose ranges contain it, in the order of declaration.
struct EnumValue {
    std::int64_t number = 0;
    bool isSigned = false;
    std::vector<std::string> labels;
};

/// Decoded value of a field of any type, for tables, details and output; too slow for analyses. Strings are the trace's bytes and may be
/// invalid UTF-8; strings in other encodings are converted to UTF-8. A variant has the value of its chosen option.
struct FieldValue {
    std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string, EnumValue, std::vector<FieldValue>,
                 std::vector<NamedValue>, bool>
        value; ///< std::monostate if an optional field is absent.
    DisplayBase base = DisplayBase::Decimal; ///< Base in which an integer is shown to the user.
};

struct NamedValue {
    std::string name;
    FieldValue value;
};

/// Decodes the members of one section of an event; empty if the event has no such section. Members beyond the packet's end are left out.
std::vector<NamedValue> decodeSection(const EventView& event, Section section);

/// Decodes stream context and event context, in this order.
std::vector<NamedValue> decodeContext(const EventView& event);

class StructLayout;
struct FieldScope;

/// Returns the reason why the section that begins at `bit` cannot be read completely, for example `no option of "v" has the tag 7`; empty
/// if it can be read.
std::string explainCutOff(const StructLayout& layout, const FieldScope& scope, std::uint64_t bit);

/// Returns the value as text for the CSV output and the event table: `k=v` pairs, nested values in braces.
std::string displayText(const FieldValue& value);

} // namespace helio
