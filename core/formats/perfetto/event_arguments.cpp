#include "core/formats/perfetto/event_arguments.h"

#include "core/base/json.h"
#include "core/formats/perfetto/call_stacks.h"

#include <cstdio>
#include <optional>

namespace helio::perfetto {
namespace {

constexpr int MostLevels = 32; ///< Largest depth of nested values; only damaged files exceed it.

std::string hexadecimal(std::uint64_t number)
{
    char digits[24];
    std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(number));
    return digits;
}

/// Returns true if a TrackEvent field with bytes as its value is an argument of the event. Such fields from number 24 on are arguments that
/// Chrome or extensions define. Exceptions are fields 31, 36, 42 and 45 to 48, which contain packed numbers.
constexpr bool isArgument(std::uint32_t field)
{
    return field >= 24 && field != 31 && field != 36 && field != 42 && (field < 45 || field > 48);
}

/// Returns the name of a debug annotation (message DebugAnnotation).
std::string nameOf(std::string_view annotation, const PacketSequence& sequence)
{
    std::string name;
    forEachField(annotation, [&](const WireField& field) {
        if (field.number == 10) {
            name = field.bytes;
        } else if (field.number == 1) {
            const auto text = sequence.findText(interned::DebugAnnotationNames, field.value);
            name = text ? std::string(*text) : "name " + std::to_string(field.value);
        }
    });
    return name;
}

/// Writes a DebugAnnotation.NestedValue message, the old form of nested values, as JSON.
void writeNested(JsonWriter& json, std::string_view value, int level)
{
    std::uint64_t type = 0;
    std::vector<std::string_view> keys;
    std::vector<std::string_view> members;
    std::vector<std::string_view> elements;
    std::optional<WireField> leaf;
    forEachField(value, [&](const WireField& field) {
        switch (field.number) {
        case 1: type = field.value; break;
        case 2: keys.push_back(field.bytes); break;
        case 3: members.push_back(field.bytes); break;
        case 4: elements.push_back(field.bytes); break;
        default: leaf = field;
        }
    });
    constexpr std::uint64_t Dictionary = 1;
    constexpr std::uint64_t Array = 2;
    if (level >= MostLevels)
        return json.value("(too deep)");
    if (type == Dictionary) {
        json.beginObject();
        for (std::size_t i = 0; i < members.size(); ++i) {
            json.key(i < keys.size() ? keys[i] : std::string_view());
            writeNested(json, members[i], level + 1);
        }
        return json.endObject();
    }
    if (type == Array) {
        json.beginArray();
        for (const std::string_view element : elements)
            writeNested(json, element, level + 1);
        return json.endArray();
    }
    switch (leaf ? leaf->number : 0) {
    case 5: json.value(leaf->integer()); break;
    case 6: json.value(leaf->real()); break;
    case 7: json.value(leaf->value != 0); break;
    case 8: json.value(leaf->bytes); break;
    default: json.null();
    }
}

/// Writes the value of a debug annotation (message DebugAnnotation) as JSON.
void writeValue(JsonWriter& json, std::string_view annotation, const PacketSequence& sequence, int level)
{
    if (level >= MostLevels)
        return json.value("(too deep)");
    bool hasMembers = false;
    bool hasElements = false;
    std::optional<WireField> leaf;
    forEachField(annotation, [&](const WireField& field) {
        hasMembers = hasMembers || field.number == 11;
        hasElements = hasElements || field.number == 12;
        if ((field.number >= 2 && field.number <= 9) || field.number == 14 || field.number == 17)
            leaf = field;
    });
    if (hasMembers || hasElements) {
        hasMembers ? json.beginObject() : json.beginArray();
        forEachField(annotation, [&](const WireField& field) {
            if (field.number != (hasMembers ? 11 : 12))
                return;
            if (hasMembers)
                json.key(nameOf(field.bytes, sequence));
            writeValue(json, field.bytes, sequence, level + 1);
        });
        hasMembers ? json.endObject() : json.endArray();
        return;
    }
    switch (leaf ? leaf->number : 0) {
    case 2: json.value(leaf->value != 0); break;
    case 3: json.value(leaf->value); break;
    case 4: json.value(leaf->integer()); break;
    case 5: json.value(leaf->real()); break;
    case 6:
    case 9: json.value(leaf->bytes); break;
    case 7: json.value(std::string_view(hexadecimal(leaf->value))); break;
    case 8: writeNested(json, leaf->bytes, level + 1); break;
    case 14: json.value(std::string_view("(" + std::to_string(leaf->bytes.size()) + " bytes)")); break;
    case 17: {
        const auto text = sequence.findText(interned::DebugAnnotationTexts, leaf->value);
        json.value(std::string_view(text ? std::string(*text) : "text " + std::to_string(leaf->value)));
        break;
    }
    default: json.null();
    }
}

/// Writes a source location (message SourceLocation) as a JSON object.
void writeLocation(JsonWriter& json, std::string_view key, std::string_view location)
{
    json.key(key);
    json.beginObject();
    forEachField(location, [&](const WireField& field) {
        if (field.number == 2)
            json.member("file", field.bytes);
        else if (field.number == 3)
            json.member("function", field.bytes);
        else if (field.number == 4)
            json.member("line", field.value);
    });
    json.endObject();
}

void writeInternedLocation(JsonWriter& json, std::string_view key, std::uint64_t number, const PacketSequence& sequence)
{
    const auto location = sequence.findInterned(interned::SourceLocations, number);
    if (location && sequence.texts().takeWhole(location->size()))
        writeLocation(json, key, *location);
    else
        json.key(key).value(std::string_view("location " + std::to_string(number)));
}

void writeFrame(JsonWriter& json, std::string_view function, std::string_view module, std::string_view file, std::uint32_t line)
{
    std::string text(function.empty() ? module : function);
    if (!file.empty())
        ((text += " (") += file) += line > 0 ? ":" + std::to_string(line) + ")" : ")";
    json.value(std::string_view(text));
}

/// Writes the call stack of an event as a JSON array, outermost function first.
void writeCallstack(JsonWriter& json, const WireField& field, const PacketSequence& sequence)
{
    json.key("callstack");
    json.beginArray();
    if (field.isBytes())
        forEachField(field.bytes, [&](const WireField& frame) {
            std::string_view function;
            std::string_view file;
            std::uint32_t line = 0;
            forEachField(frame.bytes, [&](const WireField& part) {
                if (part.number == 1)
                    function = part.bytes;
                else if (part.number == 2)
                    file = part.bytes;
                else if (part.number == 3)
                    line = part.uint32();
            });
            writeFrame(json, function, {}, file, line);
        });
    else if (sequence.texts().takeWhole(sequence.findInterned(interned::Callstacks, field.value).value_or("").size()))
        for (const StackFrame& frame : findFrames(sequence, field.value))
            writeFrame(json, frame.function, frame.module, frame.file, frame.line);
    json.endArray();
}

void writeLogMessage(JsonWriter& json, std::string_view message, const PacketSequence& sequence)
{
    forEachField(message, [&](const WireField& field) {
        if (field.number == 1)
            writeInternedLocation(json, "logged_from", field.value, sequence);
        else if (field.number == 2)
            json.member("log", sequence.findText(interned::LogMessages, field.value).value_or(std::string_view()));
    });
}

} // namespace

bool appendArguments(std::string& out, std::string_view trackEvent, const PacketSequence& sequence)
{
    const std::size_t begin = out.size();
    JsonWriter json(out);
    json.beginObject();
    const std::size_t empty = out.size();
    bool areKnown = true;
    forEachField(trackEvent, [&](const WireField& field) {
        switch (field.number) {
        case 4:
            json.key(nameOf(field.bytes, sequence));
            writeValue(json, field.bytes, sequence, 0);
            break;
        case 5:
            forEachField(field.bytes, [&](const WireField& part) {
                if (part.number == 1)
                    writeInternedLocation(json, "posted_from", part.value, sequence);
            });
            break;
        case 21: writeLogMessage(json, field.bytes, sequence); break;
        case 33: writeLocation(json, "source_location", field.bytes); break;
        case 34: writeInternedLocation(json, "source_location", field.value, sequence); break;
        case 52: json.member("correlation_id", field.value); break;
        case 53: json.member("correlation_id", field.bytes); break;
        case 54:
            json.member("correlation_id", sequence.findText(interned::CorrelationIds, field.value).value_or(std::string_view()));
            break;
        case 55:
        case 56: writeCallstack(json, field, sequence); break;
        default: areKnown = areKnown && (!field.isBytes() || !isArgument(field.number));
        }
    });
    if (out.size() == empty)
        out.resize(begin);
    else
        json.endObject();
    return areKnown;
}

void forEachNumericAnnotation(std::string_view trackEvent, const PacketSequence& sequence,
                              const std::function<void(std::string_view name, bool isReal, std::int64_t integer, double real)>& take)
{
    forEachField(trackEvent, [&](const WireField& field) {
        if (field.number != 4 || !field.isBytes())
            return;
        forEachField(field.bytes, [&](const WireField& part) {
            if (part.number == 3 || part.number == 4)
                take(nameOf(field.bytes, sequence), false, part.integer(), 0);
            else if (part.number == 5)
                take(nameOf(field.bytes, sequence), true, 0, part.real());
        });
    });
}

} // namespace helio::perfetto
