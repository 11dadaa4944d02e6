// Parser of the blocks of TSDL (trace, env, clock, stream, event), which converts them to Metadata.

#include "core/formats/ctf/metadata/metadata_diagnostics.h"
#include "core/formats/ctf/metadata/tsdl_parser.h"
#include "core/formats/ctf/metadata/type_resolver.h"
#include "core/formats/ctf/shape/clock_conversion.h"
#include "core/formats/ctf/shape/ctf_metadata.h"
#include "core/formats/ctf/shape/stream_class_layout.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

namespace helio::ctf {
namespace {

constexpr std::size_t MaxTsdlText = std::size_t(256) << 20; ///< Maximum size of the text in bytes; real metadata has a few MiB at most.

ByteOrder byteOrderNamed(const Token& word)
{
    if (!word.isWord("be") && !word.isWord("le"))
        throw TsdlError(word.line, "\"" + word.text + "\" is not a byte order");
    return word.isWord("be") ? ByteOrder::Big : ByteOrder::Little;
}

/// Returns the byte order from the trace block. It must be known before parsing, because types may be declared before the trace block.
/// Errors: throws TsdlError if no trace block contains a byte order.
ByteOrder byteOrderIn(std::string_view text)
{
    TsdlLexer lexer(text);
    Token previous;
    int depth = 0;
    bool isTrace = false;
    for (auto token = lexer.next(); token.kind != Token::Kind::End; previous = std::move(token), token = lexer.next()) {
        if (token.isMark("{") && depth++ == 0)
            isTrace = previous.isWord("trace");
        else if (token.isMark("}"))
            --depth;
        else if (isTrace && depth == 1 && token.isWord("byte_order") && lexer.next().isMark("="))
            return byteOrderNamed(lexer.next());
    }
    throw TsdlError(previous.line, "no trace block defines the byte order");
}

std::string uuidFrom(const TsdlValue& value)
{
    std::string uuid = value.text;
    std::size_t digits = 0;
    for (auto& c : uuid) {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        digits += std::isxdigit(static_cast<unsigned char>(c)) != 0;
    }
    if (uuid.size() != 36 || digits != 32)
        throw TsdlError(value.line, "\"" + value.text + "\" is not a UUID");
    return uuid;
}

/// An event class with the line of its block, for errors that are found after parsing.
struct ParsedEvent {
    EventClass event;
    std::optional<std::uint64_t> stream;
    unsigned line = 0;
};
struct ParsedStream {
    StreamClass stream;
    unsigned line = 0;
};

class MetadataReader {
public:
    MetadataReader(std::string_view text, const std::string& fileName)
        : m_order(findOrder(text, m_orderError))
        , m_parser(text, m_order)
        , m_damages(fileName)
    {
        m_metadata.order = m_order;
    }

    Metadata read()
    {
        Token begin;
        while (!m_damages.tryRead("the enclosing block", [&] { readStatements(begin); }))
            m_parser.resumeAfter(begin);
        m_damages.require(m_hasTrace && !m_streams.empty() && !m_orderError);
        if (m_orderError)
            throw TsdlError(*m_orderError);
        for (auto& parsed : m_events)
            m_damages.tryRead("the event \"" + parsed.event.name + "\"", [&] { place(parsed); });
        finish();
        return std::move(m_metadata);
    }

private:
    /// Returns the byte order of the text. Without one, returns Little and sets `error`. The text is parsed nevertheless, because another
    /// error may be the cause.
    static ByteOrder findOrder(std::string_view text, std::optional<TsdlError>& error)
    {
        try {
            return byteOrderIn(text);
        } catch (const TsdlError& missing) {
            error = missing;
            return ByteOrder::Little;
        }
    }

    void readStatements(Token& begin)
    {
        for (begin = m_parser.peek(); begin.kind != Token::Kind::End; begin = m_parser.peek())
            readStatement();
    }

    void readStatement()
    {
        if (m_parser.skipMark(";") || m_parser.takeDeclaration())
            return;
        const auto line = m_parser.peek().line;
        const auto word = m_parser.takeName("a block");
        if (word == "trace")
            readTrace();
        else if (word == "env")
            readEnvironment();
        else if (word == "clock")
            readClock();
        else if (word == "stream")
            readStream(line);
        else if (word == "event")
            readEvent(line);
        else if (word == "callsite")
            m_parser.takeBlock([](const std::string&, const TsdlValue*, const FieldTypePtr&) {});
        else
            throw TsdlError(line, "\"" + word + "\" is not a known kind of block");
        m_parser.expectMark(";");
    }

    void readTrace()
    {
        m_parser.takeBlock([&](const std::string& name, const TsdlValue* value, const FieldTypePtr& type) {
            if (name == "packet.header" && type)
                m_metadata.packetHeader = type;
            else if (name == "uuid" && value)
                m_metadata.uuid = uuidFrom(*value);
            else if (name == "major" && value && numberOf(*value) != 1)
                throw TsdlUnsupportedError(value->line, "CTF version " + std::to_string(numberOf(*value)));
        });
        m_hasTrace = true;
    }

    void readEnvironment()
    {
        m_parser.takeBlock([&](const std::string& name, const TsdlValue* value, const FieldTypePtr&) {
            if (value && value->number)
                m_metadata.environment.emplace_back(name, *value->number);
            else if (value)
                m_metadata.environment.emplace_back(name, value->text);
        });
    }

    void readClock()
    {
        Clock clock;
        m_parser.takeBlock([&](const std::string& name, const TsdlValue* value, const FieldTypePtr&) {
            if (!value)
                return;
            if (name == "name")
                clock.name = value->text;
            else if (name == "uuid")
                clock.uuid = uuidFrom(*value);
            else if (name == "description")
                clock.description = value->text;
            else if (name == "freq")
                clock.frequency = static_cast<std::uint64_t>(numberOf(*value));
            else if (name == "precision")
                clock.precision = static_cast<std::uint64_t>(numberOf(*value));
            else if (name == "offset_s")
                clock.offsetSeconds = numberOf(*value);
            else if (name == "offset")
                clock.offsetCycles = numberOf(*value);
            else if (name == "absolute")
                clock.isAbsolute = truthOf(*value);
        });
        if (clock.frequency == 0)
            m_parser.fail("a clock with a frequency of 0 Hz");
        m_metadata.clocks.push_back(std::move(clock));
    }

    void readStream(unsigned line)
    {
        ParsedStream parsed;
        parsed.line = line;
        m_parser.takeBlock([&](const std::string& name, const TsdlValue* value, const FieldTypePtr& type) {
            if (name == "id" && value)
                parsed.stream.id = static_cast<std::uint64_t>(numberOf(*value));
            else if (name == "packet.context" && type)
                parsed.stream.packetContext = type;
            else if (name == "event.header" && type)
                parsed.stream.eventHeader = type;
            else if (name == "event.context" && type)
                parsed.stream.eventContext = type;
        });
        if (streamOf(parsed.stream.id))
            throw TsdlError(line, "more than one stream with ID " + std::to_string(parsed.stream.id));
        m_streams.push_back(std::move(parsed));
    }

    void readEvent(unsigned line)
    {
        ParsedEvent parsed;
        parsed.line = line;
        m_parser.takeBlock([&](const std::string& name, const TsdlValue* value, const FieldTypePtr& type) {
            if (name == "name" && value)
                parsed.event.name = value->number ? std::to_string(*value->number) : value->text;
            else if (name == "id" && value)
                parsed.event.id = static_cast<std::uint64_t>(numberOf(*value));
            else if (name == "stream_id" && value)
                parsed.stream = static_cast<std::uint64_t>(numberOf(*value));
            else if (name == "loglevel" && value && value->number)
                parsed.event.logLevel = value->number;
            else if (name == "context" && type)
                parsed.event.context = type;
            else if (name == "fields" && type)
                parsed.event.fields = type;
        });
        m_events.push_back(std::move(parsed));
    }

    StreamClass* streamOf(std::uint64_t id)
    {
        for (auto& parsed : m_streams)
            if (parsed.stream.id == id)
                return &parsed.stream;
        return nullptr;
    }

    void place(ParsedEvent& parsed)
    {
        if (m_streams.empty())
            m_streams.emplace_back();
        if (!parsed.stream && m_streams.size() > 1)
            throw TsdlError(parsed.line, "an event does not name its stream");
        auto* stream = parsed.stream ? streamOf(*parsed.stream) : &m_streams.front().stream;
        if (!stream)
            throw TsdlError(parsed.line, "an event refers to stream " + std::to_string(*parsed.stream) + ", which is not declared");
        parsed.event.streamId = stream->id;
        m_lines[{stream->id, parsed.event.id}] = parsed.line;
        stream->events.push_back(std::move(parsed.event));
    }

    template <typename Work> static auto at(unsigned line, Work work)
    {
        try {
            return work();
        } catch (const std::string& cause) {
            throw TsdlError(line, cause);
        }
    }

    static FieldTypePtr& slot(SectionTypes& types, Section section) { return types[static_cast<std::size_t>(section)]; }

    void finish()
    {
        SectionTypes types;
        settle(m_metadata.packetHeader, Section::PacketHeader, types, 1);
        std::sort(m_streams.begin(), m_streams.end(), [](const auto& a, const auto& b) { return a.stream.id < b.stream.id; });
        for (auto& parsed : m_streams)
            if (m_damages.tryRead("the stream " + std::to_string(parsed.stream.id), [&] { finish(parsed, types); }))
                m_metadata.streams.push_back(std::move(parsed.stream));
        const auto hasClock = [&](const StreamClass& stream) {
            const auto clock = clockOf(stream);
            return clock.empty() || m_metadata.findClock(clock);
        };
        const auto& streams = m_metadata.streams;
        m_damages.require(!streams.empty() && std::all_of(streams.begin(), streams.end(), hasClock));
        m_metadata.damages = m_damages.take();
    }

    static void settle(FieldTypePtr& type, Section section, SectionTypes& types, unsigned line)
    {
        type = slot(types, section) = at(line, [&] { return resolved(type, section, types); });
    }

    void finish(ParsedStream& parsed, SectionTypes types)
    {
        auto& stream = parsed.stream;
        ClockMapping clocks(m_metadata.clocks);
        settle(stream.packetContext, Section::PacketContext, types, parsed.line);
        stream.packetContext = slot(types, Section::PacketContext) = clocks.mapPacketContext(stream.packetContext);
        settle(stream.eventHeader, Section::EventHeader, types, parsed.line);
        stream.eventHeader = slot(types, Section::EventHeader) = clocks.mapHeader(stream.eventHeader);
        settle(stream.eventContext, Section::StreamContext, types, parsed.line);

        auto& events = stream.events;
        std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
        dropDuplicateIds(events);
        std::vector<EventClass> good;
        for (auto& event : events)
            if (m_damages.tryRead("the event \"" + event.name + "\"", [&] { finish(event, types); }))
                good.push_back(std::move(event));
        events = std::move(good);
    }

    void finish(EventClass& event, SectionTypes& types) const
    {
        const auto line = m_lines.at({event.streamId, event.id});
        slot(types, Section::EventContext) = nullptr;
        settle(event.context, Section::EventContext, types, line);
        settle(event.fields, Section::Payload, types, line);
    }

    /// Removes all events that share an id with another event, because the id is ambiguous.
    void dropDuplicateIds(std::vector<EventClass>& events)
    {
        const auto isTwin = [](const auto& a, const auto& b) { return a.id == b.id; };
        for (auto it = events.begin(); (it = std::adjacent_find(it, events.end(), isTwin)) != events.end();) {
            const auto last = std::find_if(it, events.end(), [&](const auto& event) { return event.id != it->id; });
            m_damages.tryRead("each of them", [&] {
                throw TsdlError(m_lines[{it->streamId, it->id}], "more than one event with ID " + std::to_string(it->id));
            });
            it = events.erase(it, last);
        }
    }

    std::optional<TsdlError> m_orderError; ///< Error that no trace block contains a byte order; nullopt if one does.
    ByteOrder m_order;
    TsdlParser m_parser;
    MetadataDiagnostics m_damages;
    Metadata m_metadata;
    bool m_hasTrace = false;
    std::vector<ParsedStream> m_streams;
    std::vector<ParsedEvent> m_events;
    std::map<std::pair<std::uint64_t, std::uint64_t>, unsigned> m_lines; ///< Line of each event's block, keyed by stream id and event id.
};

} // namespace

Result<Metadata> parseTsdl(std::string_view text, const std::string& fileName)
{
    if (text.size() > MaxTsdlText)
        return Error{Error::Kind::Full, fileName + ": the metadata is larger than 256 MiB"};
    try {
        return MetadataReader(text, fileName).read();
    } catch (const TsdlError& error) {
        return Error{kindOf(error), fileName + ":" + std::to_string(error.line) + ": " + error.what()};
    }
}

} // namespace helio::ctf
