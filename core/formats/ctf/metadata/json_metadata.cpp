// Parser of the metadata of CTF 2, a sequence of JSON fragments (preamble, trace class, clock classes, data stream classes, event record
// classes). Follows CTF2-SPEC-2.0, and also accepts the spellings of its release candidates (enumerations, arrays as field locations,
// clocks by name).

#include "core/formats/ctf/metadata/json_types.h"
#include "core/formats/ctf/metadata/metadata_diagnostics.h"
#include "core/formats/ctf/metadata/tsdl_lexer.h"
#include "core/formats/ctf/shape/stream_class_layout.h"

#include <algorithm>

namespace helio::ctf {
namespace {

/// Maximum size of the text in bytes, because values in memory are many times larger than their text.
constexpr std::size_t MaxJsonText = std::size_t(64) << 20;

std::string uuidFrom(const JsonValue& bytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    if (bytes.kind == JsonValue::Kind::Text)
        return bytes.text;
    if (bytes.items.size() != 16)
        throw TsdlError(bytes.line, "not a UUID");
    std::string text;
    for (std::size_t i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        const auto byte = static_cast<std::uint64_t>(bytes.items[i].integer);
        text.append(1, digits[(byte >> 4) & 15]).append(1, digits[byte & 15]);
    }
    return text;
}

class JsonMetadataReader {
public:
    explicit JsonMetadataReader(const std::string& fileName)
        : m_damages(fileName)
    {
    }

    Metadata read(std::string_view text)
    {
        const auto fragments = jsonSequence(text, m_damages);
        const bool hasPreamble = !fragments.empty() && textOf(fragments.front(), "type") == "preamble";
        m_damages.require(hasPreamble);
        if (!hasPreamble)
            throw TsdlError(1, "the metadata does not begin with a preamble");
        m_metadata.hasRoles = true;
        for (const auto& fragment : fragments) {
            if (textOf(fragment, "type") == "event-record-class")
                m_damages.tryRead("this event", [&] { readEvent(fragment); });
            else
                readFragment(fragment);
        }
        m_damages.require(hasEssentials());
        for (auto& stream : m_metadata.streams)
            settle(stream);
        m_metadata.damages = m_damages.take();
        std::sort(m_metadata.streams.begin(), m_metadata.streams.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
        return std::move(m_metadata);
    }

private:
    void readFragment(const JsonValue& fragment)
    {
        const auto type = textOf(fragment, "type");
        if (type == "preamble")
            readPreamble(fragment);
        else if (type == "field-class-alias")
            m_types.addAlias(fragment);
        else if (type == "trace-class")
            readTrace(fragment);
        else if (type == "clock-class")
            readClock(fragment);
        else if (type == "data-stream-class")
            readStream(fragment);
        else
            throw TsdlUnsupportedError(fragment.line, "unsupported fragment type \"" + type + "\"");
    }

    void readPreamble(const JsonValue& fragment)
    {
        if (const auto version = integerOf(fragment, "version"); version != 2)
            throw TsdlUnsupportedError(fragment.line, "CTF version " + std::to_string(version));
        if (const auto* extensions = fragment.find("extensions"); extensions && !extensions->items.empty())
            throw TsdlUnsupportedError(extensions->line, "the extension \"" + extensions->names.front() + "\" is not supported");
        if (const auto* uuid = fragment.find("uuid"))
            m_metadata.uuid = uuidFrom(*uuid);
    }

    void readTrace(const JsonValue& fragment)
    {
        for (const auto* name : {"uuid", "uid"})
            if (const auto* uuid = fragment.find(name); uuid && m_metadata.uuid.empty())
                m_metadata.uuid = uuidFrom(*uuid);
        if (const auto* environment = fragment.find("environment")) {
            for (std::size_t i = 0; i < environment->names.size(); ++i) {
                const auto& value = environment->items[i];
                if (value.kind == JsonValue::Kind::Integer)
                    m_metadata.environment.emplace_back(environment->names[i], value.integer);
                else
                    m_metadata.environment.emplace_back(environment->names[i], value.text);
            }
        }
        m_hasTrace = true;
        JsonTypes::Roles roles;
        m_metadata.packetHeader =
            m_types.sectionFrom(fragment.find("packet-header-field-class"), Section::PacketHeader, SectionTypes(), {}, roles);
        keepFirstFields(roles, m_metadata.packetRoles);
    }

    void readClock(const JsonValue& fragment)
    {
        Clock clock;
        clock.name = textOf(fragment, "id", textOf(fragment, "name", ""));
        clock.description = textOf(fragment, "description", "");
        for (const auto* name : {"uuid", "uid"})
            if (const auto* uuid = fragment.find(name); uuid && clock.uuid.empty())
                clock.uuid = uuidFrom(*uuid);
        clock.frequency = static_cast<std::uint64_t>(integerOf(fragment, "frequency"));
        if (clock.frequency == 0)
            throw TsdlError(fragment.line, "a clock with a frequency of 0 Hz");
        clock.precision = static_cast<std::uint64_t>(integerOf(fragment, "precision", 0));
        if (const auto* offset = fragment.find("offset-from-origin")) {
            clock.offsetSeconds = integerOf(*offset, "seconds", 0);
            clock.offsetCycles = integerOf(*offset, "cycles", 0);
        }
        const auto* origin = fragment.find("origin");
        clock.isAbsolute = origin && origin->isText("unix-epoch");
        m_metadata.clocks.push_back(std::move(clock));
    }

    void readStream(const JsonValue& fragment)
    {
        StreamClass stream;
        stream.id = static_cast<std::uint64_t>(integerOf(fragment, "id", 0));
        if (streamOf(stream.id))
            throw TsdlError(fragment.line, "more than one data stream class with ID " + std::to_string(stream.id));
        const auto clock = textOf(fragment, "default-clock-class-id", textOf(fragment, "default-clock-class-name", ""));
        auto before = sectionsOf(stream);
        const auto section = [&](std::string_view name, Section which, JsonTypes::Roles& roles) {
            auto type = m_types.sectionFrom(fragment.find(name), which, before, clock, roles);
            before[static_cast<std::size_t>(which)] = type;
            return type;
        };
        JsonTypes::Roles packet;
        JsonTypes::Roles event;
        JsonTypes::Roles none;
        stream.packetContext = section("packet-context-field-class", Section::PacketContext, packet);
        stream.eventHeader = section("event-record-header-field-class", Section::EventHeader, event);
        stream.eventContext = section("event-record-common-context-field-class", Section::StreamContext, none);
        keepFirstFields(packet, stream.packetRoles);
        stream.eventIds = event["event-record-class-id"];
        m_metadata.streams.push_back(std::move(stream));
    }

    void readEvent(const JsonValue& fragment)
    {
        EventClass event;
        event.id = static_cast<std::uint64_t>(integerOf(fragment, "id", 0));
        event.streamId = static_cast<std::uint64_t>(integerOf(fragment, "data-stream-class-id", 0));
        event.name = textOf(fragment, "name", "");
        auto* stream = streamOf(event.streamId);
        if (!stream)
            throw TsdlError(fragment.line,
                            "an event refers to data stream class " + std::to_string(event.streamId) + ", which is not declared");
        auto before = sectionsOf(*stream);
        JsonTypes::Roles none;
        event.context = before[static_cast<std::size_t>(Section::EventContext)] =
            m_types.sectionFrom(fragment.find("specific-context-field-class"), Section::EventContext, before, {}, none);
        event.fields = m_types.sectionFrom(fragment.find("payload-field-class"), Section::Payload, before, {}, none);
        stream->events.push_back(std::move(event));
    }

    /// True if the trace class, a data stream class and the clocks of all data stream classes were read.
    bool hasEssentials() const
    {
        const auto hasClock = [&](const StreamClass& stream) {
            const auto clock = clockOf(stream);
            return clock.empty() || m_metadata.findClock(clock);
        };
        const auto& streams = m_metadata.streams;
        return m_hasTrace && !streams.empty() && std::all_of(streams.begin(), streams.end(), hasClock);
    }

    StreamClass* streamOf(std::uint64_t id)
    {
        for (auto& stream : m_metadata.streams)
            if (stream.id == id)
                return &stream;
        return nullptr;
    }

    SectionTypes sectionsOf(const StreamClass& stream) const
    {
        return {m_metadata.packetHeader, stream.packetContext, stream.eventHeader, stream.eventContext, nullptr, nullptr};
    }

    static void keepFirstFields(const JsonTypes::Roles& roles, std::map<std::string, FieldNames, std::less<>>& kept)
    {
        for (const auto& [role, paths] : roles)
            kept[role] = paths.front();
    }

    static void settle(StreamClass& stream)
    {
        auto& events = stream.events;
        std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
        const auto twice = std::adjacent_find(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.id == b.id; });
        if (twice != events.end())
            throw TsdlError(1, "more than one event record class with ID " + std::to_string(twice->id));
    }

    JsonTypes m_types;
    MetadataDiagnostics m_damages;
    Metadata m_metadata;
    bool m_hasTrace = false;
};

} // namespace

Result<Metadata> parseJsonMetadata(std::string_view text, const std::string& fileName)
{
    if (text.size() > MaxJsonText)
        return Error{Error::Kind::Full, fileName + ": the metadata is larger than 64 MiB"};
    try {
        return JsonMetadataReader(fileName).read(text);
    } catch (const TsdlError& error) {
        return Error{kindOf(error), fileName + ":" + std::to_string(error.line) + ": CTF 2: " + error.what()};
    }
}

std::string jsonUuid(std::string_view text)
{
    try {
        const auto preamble = firstJson(text);
        const auto* uuid = preamble.find("uuid");
        return uuid ? uuidFrom(*uuid) : std::string();
    } catch (const TsdlError&) {
        return {};
    }
}

} // namespace helio::ctf
