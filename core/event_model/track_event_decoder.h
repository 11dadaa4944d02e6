#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/stored/track_events.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio {

/// Event that an application recorded about itself, decoded: one of those that TrackEventWriter stores, or a marker of atrace. Markers
/// are texts that programs write to the file trace_marker of ftrace.
/// Ownership: the texts are views of the event's bytes.
struct TrackEvent {
    enum class Kind : std::uint8_t {
        None, ///< Any other event.
        SliceBegin,
        SliceEnd,
        Instant,
        Counter,
        FlowBegin,
        FlowStep,
        FlowEnd,
        TrackInfo,
        ProcessInfo,
        ThreadInfo,
    };

    Kind kind = Kind::None;
    TrackScope scope = TrackScope::Thread; ///< For slices: Thread or Track.
    bool isMarker = false; ///< True for a marker of atrace. Its track is identified by `pid` and `trackName`, not by `track`.
    bool bindsToNext = false; ///< FlowPoint::bindsToNext.
    bool isReal = false; ///< Counter: true if the value is `real`, false if it is `integer`.
    std::int32_t pid = -1; ///< Marker: process that the marker names; -1 if none.
    std::int64_t track = 0; ///< TrackPlace::track.
    std::int64_t nest = 0; ///< TrackPlace::nest.
    std::int64_t parent = 0; ///< TrackDescription::parent.
    std::int64_t order = 0; ///< Sort key of a process, thread or track.
    std::int64_t integer = 0;
    double real = 0;
    std::string_view trackName;
    std::string_view name;
    std::string_view category;
    std::string_view id;
    std::string_view series;
    std::string_view unit;
    std::string_view labels;
};

/// Parses a marker of atrace: B|PID|NAME, E, S|PID|NAME|COOKIE, F, C|PID|NAME|VALUE, I|PID|NAME, G|PID|TRACK|NAME|COOKIE, H, N. Returns
/// false if the text is none.
bool parseMarker(std::string_view text, TrackEvent& event);

/// Decodes the track events of a trace.
/// Threads: any at once, after construction.
/// Cost: tens of ns per event.
class TrackEventDecoder {
public:
    explicit TrackEventDecoder(const Trace& trace);

    /// True if the trace has event types of which decode() may return true.
    bool hasTrackEvents() const { return m_hasTrackEvents; }
    /// True if the trace has event types with counters, or with markers that may be counters.
    bool hasCounters() const { return m_hasCounters; }
    bool hasMarkers() const { return m_hasMarkers; }
    /// True if the trace has events that TrackEventWriter stored. Its processes are identified by their PIDs alone, and the numbers of PID
    /// namespaces only distinguish threads with the same TID.
    bool hasStoredEvents() const { return m_hasStoredEvents; }
    bool isTrackEvent(EventTypeId type) const { return m_types[static_cast<std::size_t>(type)].isUsed(); }
    /// True if events of the type may be counters, or names of the owners of counters.
    bool isCounterOrName(EventTypeId type) const
    {
        const Type& it = m_types[static_cast<std::size_t>(type)];
        return it.isMarker || it.kind == TrackEvent::Kind::Counter || it.kind == TrackEvent::Kind::TrackInfo
            || it.kind == TrackEvent::Kind::ProcessInfo;
    }

    /// Decodes an event. Returns false if it is no track event.
    bool decode(const EventView& view, TrackEvent& event) const;

private:
    /// Fields of an event type; those that it lacks are invalid.
    struct Type {
        TrackEvent::Kind kind = TrackEvent::Kind::None;
        bool isMarker = false;
        FieldRef scope, track, nest, parent, order, name, category, id, series, unit, labels, binding, value;
        bool isUsed() const { return kind != TrackEvent::Kind::None || isMarker; }
    };
    static Type typeOf(const EventType& type);

    std::vector<Type> m_types; ///< Indexed by EventTypeId.
    bool m_hasTrackEvents = false;
    bool m_hasCounters = false;
    bool m_hasMarkers = false;
    bool m_hasStoredEvents = false;
};

} // namespace helio
