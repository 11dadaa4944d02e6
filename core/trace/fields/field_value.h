#pragma once

#include "core/trace/event.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace helio {

struct NamedValue;
struct FieldValue;

/// An enumeration's number with every label that covers it, in the order of declaration.
struct EnumValue {
    std::int64_t number = 0;
    bool isSigned = false;
    std::vector<std::string> labels;
};

/// Any field, decoded whole: for tables, details and output, never for the hot path. Strings are the trace's bytes and may not be
/// valid UTF-8; those in other encodings are converted to it. A variant is its chosen option's value.
struct FieldValue {
    std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string, EnumValue, std::vector<FieldValue>,
                 std::vector<NamedValue>, bool>
        value; ///< std::monostate: an optional field that is absent.
    DisplayBase base = DisplayBase::Decimal; ///< How an integer is best shown.
};

struct NamedValue {
    std::string name;
    FieldValue value;
};

/// The members of one section of an event; empty where it has none. What the packet's end cuts off is left out.
std::vector<NamedValue> decodeSection(const EventView& event, Section section);

/// Stream context and event context merged, in this order.
std::vector<NamedValue> decodeContext(const EventView& event);

class StructLayout;
struct FieldScope;

/// Why a section that begins at a bit cannot be read whole: `no option of "v" has the tag 7`. Empty where it can.
std::string whyCutOff(const StructLayout& layout, const FieldScope& scope, std::uint64_t bit);

/// `k=v` pairs, nested ones in braces, as the csv output and the event table show them.
std::string displayText(const FieldValue& value);

} // namespace helio
