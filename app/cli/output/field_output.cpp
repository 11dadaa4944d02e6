#include "app/cli/output/field_output.h"

#include "app/cli/output/output.h"
#include "core/base/utf8.h"
#include "core/event_model/segment_fields.h"

#include <algorithm>

namespace helio {

void writeJson(JsonWriter& json, const FieldValue& value)
{
    if (const auto* number = std::get_if<std::int64_t>(&value.value)) {
        json.value(*number);
    } else if (const auto* natural = std::get_if<std::uint64_t>(&value.value)) {
        json.value(*natural);
    } else if (const auto* truth = std::get_if<bool>(&value.value)) {
        json.value(*truth);
    } else if (const auto* real = std::get_if<double>(&value.value)) {
        json.value(*real);
    } else if (const auto* text = std::get_if<std::string>(&value.value)) {
        json.value(*text);
    } else if (const auto* enumeration = std::get_if<EnumValue>(&value.value)) {
        json.beginObject();
        json.key("value");
        if (enumeration->isSigned)
            json.value(enumeration->number);
        else
            json.value(static_cast<std::uint64_t>(enumeration->number));
        json.key("labels").beginArray();
        for (const std::string& label : enumeration->labels)
            json.value(label);
        json.endArray();
        json.endObject();
    } else if (const auto* elements = std::get_if<std::vector<FieldValue>>(&value.value)) {
        json.beginArray();
        for (const FieldValue& element : *elements)
            writeJson(json, element);
        json.endArray();
    } else if (const auto* members = std::get_if<std::vector<NamedValue>>(&value.value)) {
        writeJson(json, std::span<const NamedValue>(*members));
    } else {
        json.null();
    }
}

void writeJson(JsonWriter& json, std::span<const NamedValue> members)
{
    json.beginObject();
    for (std::size_t i = 0; i < members.size(); ++i) {
        const auto later = members.subspan(i + 1);
        if (std::any_of(later.begin(), later.end(), [&](const NamedValue& other) { return other.name == members[i].name; }))
            continue;
        json.key(members[i].name);
        writeJson(json, members[i].value);
    }
    json.endObject();
}

void appendDetails(std::string& out, std::span<const NamedValue> members)
{
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (i > 0)
            out += ';';
        appendFieldText(out, members[i].name);
        out += '=';
        appendFieldText(out, displayText(members[i].value));
    }
}

void appendReadable(std::string& out, std::span<const NamedValue> members)
{
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (i > 0)
            out += ", ";
        appendPrintable(out, members[i].name);
        out += " = ";
        const bool isText = std::holds_alternative<std::string>(members[i].value.value);
        if (isText)
            out += '"';
        appendPrintable(out, displayText(members[i].value));
        if (isText)
            out += '"';
    }
}

} // namespace helio
