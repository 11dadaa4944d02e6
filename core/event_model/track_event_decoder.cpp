#include "core/event_model/track_event_decoder.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace helio {
namespace {

using Kind = TrackEvent::Kind;

struct KnownType {
    std::string_view name;
    Kind kind;
    /// Names of the payload fields that an event type must have, besides the name `name`, to be recognized; then empty.
    std::array<std::string_view, 6> fields{};
};
constexpr KnownType KnownTypes[] = {
    {"track_begin", Kind::SliceBegin, {"track", "nest", "name", "cat", "args"}},
    {"track_end", Kind::SliceEnd, {"track", "nest"}},
    {"instant", Kind::Instant, {"scope", "track", "nest", "name", "cat", "args"}},
    {"counter", Kind::Counter, {"scope", "track", "name", "series", "unit", "value"}},
    {"flow_begin", Kind::FlowBegin, {"track", "nest", "cat", "name", "id", "binding"}},
    {"flow_step", Kind::FlowStep, {"track", "nest", "cat", "name", "id", "binding"}},
    {"flow_end", Kind::FlowEnd, {"track", "nest", "cat", "name", "id", "binding"}},
    {"track_info", Kind::TrackInfo, {"track", "parent", "name", "order"}},
    {"process_info", Kind::ProcessInfo, {"name", "labels", "order"}},
    {"thread_info", Kind::ThreadInfo, {"name", "order"}},
};

constexpr std::size_t LongestName = std::ranges::max(KnownTypes, {}, [](const KnownType& it) { return it.name.size(); }).name.size();

/// True for the name of an event type with atrace markers, with or without a provider: "print", "ftrace:print".
bool isMarkerName(std::string_view name)
{
    for (const std::string_view marker : {"print", "tracing_mark_write"})
        if (name.ends_with(marker) && (name.size() == marker.size() || name[name.size() - marker.size() - 1] == ':'))
            return true;
    return false;
}

TrackScope scopeFrom(std::string_view word)
{
    for (const TrackScope scope : {TrackScope::Process, TrackScope::Global, TrackScope::Cpu, TrackScope::Track})
        if (word == wordOf(scope))
            return scope;
    return TrackScope::Thread;
}

/// Removes the text up to and including the first '|' from `rest` and returns it without the '|'. Without a '|', removes and returns the
/// whole text.
std::string_view takePart(std::string_view& rest)
{
    const std::size_t end = rest.find('|');
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return part;
}

template <typename Number> bool readNumber(std::string_view text, Number& number)
{
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

/// Splits "NAME|COOKIE" at its last '|'. COOKIE is a number that identifies an asynchronous slice. Returns false if there is no cookie.
bool splitCookie(std::string_view text, std::string_view& name, std::int64_t& cookie)
{
    const std::size_t at = text.rfind('|');
    if (at == std::string_view::npos)
        return false;
    name = text.substr(0, at);
    return readNumber(text.substr(at + 1), cookie);
}

/// Parses the name and value of a counter from "NAME|VALUE" or, as newer versions of atrace print it, "NAME|VALUE|CATEGORY". Returns false
/// for any other text.
bool readCounter(std::string_view rest, TrackEvent& event)
{
    event.kind = Kind::Counter;
    event.scope = TrackScope::Process;
    for (int parts = 0; parts < 2; ++parts) {
        const std::size_t at = rest.rfind('|');
        if (at == std::string_view::npos)
            return false;
        const std::string_view value = rest.substr(at + 1);
        event.name = rest.substr(0, at);
        if (readNumber(value, event.integer))
            return true;
        if (event.isReal = readNumber(value, event.real); event.isReal)
            return true;
        event.category = value;
        rest = event.name;
    }
    return false;
}

} // namespace

bool parseMarker(std::string_view text, TrackEvent& event)
{
    constexpr std::string_view Prefix = "tracing_mark_write: "; // `trace-cmd report` prints this prefix before the text of a marker.
    if (text.starts_with(Prefix))
        text.remove_prefix(Prefix.size());
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0' || text.back() == '\r'))
        text.remove_suffix(1);
    if (text.empty() || (text.size() > 1 && text[1] != '|'))
        return false;
    const char type = text.front();
    if (type == 'E') {
        std::string_view rest = text.substr(std::min<std::size_t>(text.size(), 2));
        event.isMarker = true;
        event.kind = Kind::SliceEnd;
        if (!readNumber(takePart(rest), event.pid))
            event.pid = -1;
        return true;
    }
    if (text.size() < 2)
        return false;
    std::string_view rest = text.substr(2);
    if (!readNumber(takePart(rest), event.pid) || event.pid < 0)
        return false;
    event.isMarker = true;
    event.name = rest;
    switch (type) {
    case 'B': event.kind = Kind::SliceBegin; return true;
    case 'I': event.kind = Kind::Instant; return true;
    case 'C': return readCounter(rest, event);
    case 'S':
    case 'F':
        event.kind = type == 'S' ? Kind::SliceBegin : Kind::SliceEnd;
        event.scope = TrackScope::Track;
        if (!splitCookie(rest, event.name, event.nest))
            return false;
        event.trackName = event.name;
        return true;
    case 'N':
        event.kind = Kind::Instant;
        event.scope = TrackScope::Track;
        event.trackName = takePart(rest);
        event.name = rest;
        return true;
    case 'G':
        event.kind = Kind::SliceBegin;
        event.scope = TrackScope::Track;
        event.trackName = takePart(rest);
        return splitCookie(rest, event.name, event.nest);
    case 'H':
        event.kind = Kind::SliceEnd;
        event.scope = TrackScope::Track;
        event.trackName = takePart(rest);
        // Ignore the name: only some versions of atrace print it in the marker H, and the cookie (`nest`) identifies the slice.
        event.name = {};
        return readNumber(rest.substr(rest.rfind('|') + 1), event.nest);
    default: return false;
    }
}

std::optional<TrackEventDecoder::Type> TrackEventDecoder::typeOf(const EventType& type)
{
    const auto field = [&](std::string_view name) { return FieldRef(type, Section::Payload, name); };
    if (isMarkerName(type.name)) {
        Type marker;
        marker.isMarker = true;
        marker.name = payloadField(type, {"buf", "text"});
        return marker.name.isValid() && marker.name.isText() ? std::optional(std::move(marker)) : std::nullopt;
    }
    if (type.name.size() > LongestName) // Most types of a kernel trace.
        return {};
    const auto known = std::ranges::find(KnownTypes, std::string_view(type.name), &KnownType::name);
    if (known == std::end(KnownTypes)
        || !std::ranges::all_of(known->fields, [&](std::string_view it) { return it.empty() || field(it).isValid(); }))
        return {};
    Type result;
    result.kind = known->kind;
    result.scope = field("scope");
    result.track = field("track");
    result.nest = field("nest");
    result.parent = field("parent");
    result.order = field("order");
    result.name = field("name");
    result.category = field("cat");
    result.id = field("id");
    result.series = field("series");
    result.unit = field("unit");
    result.labels = field("labels");
    result.binding = field("binding");
    result.value = field("value");
    return result;
}

TrackEventDecoder::TrackEventDecoder(const Trace& trace)
{
    for (const auto& type : trace.eventTypes()) {
        auto it = typeOf(*type);
        m_places.push_back(it ? static_cast<std::uint32_t>(m_types.size()) : 0);
        if (!it)
            continue;
        m_hasTrackEvents = true;
        m_hasMarkers = m_hasMarkers || it->isMarker;
        m_hasStoredEvents = m_hasStoredEvents || it->kind != Kind::None;
        m_hasCounters = m_hasCounters || it->isMarker || it->kind == Kind::Counter;
        m_types.push_back(std::move(*it));
    }
}

bool TrackEventDecoder::decode(const EventView& view, TrackEvent& event) const
{
    const Type& type = typeAt(view.record->type);
    event = {};
    if (type.isMarker)
        return parseMarker(type.name.text(view), event);
    if (type.kind == Kind::None)
        return false;
    const auto text = [&](const FieldRef& field) { return field.isValid() ? field.text(view) : std::string_view(); };
    event.kind = type.kind;
    event.track = type.track.integerOr(view, 0);
    event.nest = type.nest.integerOr(view, 0);
    event.parent = type.parent.integerOr(view, 0);
    event.name = text(type.name);
    event.id = text(type.id);
    event.series = text(type.series);
    event.unit = text(type.unit);
    event.labels = text(type.labels);
    event.category = text(type.category);
    event.order = type.order.integerOr(view, 0);
    event.scope = type.scope.isValid() ? scopeFrom(text(type.scope)) : event.track != 0 ? TrackScope::Track : TrackScope::Thread;
    event.bindsToNext = text(type.binding) == "next";
    event.isReal = type.value.isValid() && type.value.isFloat();
    if (event.isReal)
        event.real = type.value.number(view).value_or(0);
    else
        event.integer = type.value.integerOr(view, 0);
    return true;
}

} // namespace helio
