#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/stored/track_events.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace helio {

/// Decoded event that an application recorded about itself. The event is either one that TrackEventWriter stored, or a marker of atrace: a
/// text that the application wrote to ftrace's file trace_marker.
/// Ownership: the strings are views of the event's bytes.
struct TrackEvent {
    enum class Kind : std::uint8_t {
        None, ///< The event is no track event.
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
    TrackScope scope = TrackScope::Thread; ///< Owner of a slice (only Thread or Track), an instant or a counter.
    bool isMarker = false; ///< True for a marker of atrace, whose track is identified by `pid` and `trackName` instead of `track`.
    /// True if the point of a flow belongs to the next slice instead of the current one; see FlowPoint::bindsToNext.
    bool bindsToNext = false;
    bool isReal = false; ///< True if the value of a counter is in `real`, false if it is in `integer`.
    std::int32_t pid = -1; ///< PID in the text of an atrace marker; -1 if the text has none or the event is no marker.
    std::int64_t track = 0; ///< Number of the track; 0 if the event belongs to its thread instead. See TrackPlace::track.
    std::int64_t nest = 0; ///< Number of the group of slices that nest in each other on the track; see TrackPlace::nest.
    std::int64_t parent = 0; ///< Number of the parent track, 0 if none; see TrackDescription::parent.
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

/// Parses a marker of atrace. Markers of a thread's slices: B|PID|NAME begins, E or E|PID ends. Asynchronous slices: S|PID|NAME|COOKIE
/// begins, F|PID|NAME|COOKIE ends; on a track with a name, G|PID|TRACK|NAME|COOKIE begins, H|PID|TRACK|COOKIE ends. Counter:
/// C|PID|NAME|VALUE. Instants: I|PID|NAME, on a track N|PID|TRACK|NAME. Returns false if `text` is no marker.
bool parseMarker(std::string_view text, TrackEvent& event);

/// Recognizes the event types of track events in a trace, and decodes their events into TrackEvent.
/// Threads: after construction, any number of threads at the same time.
/// Cost: tens of ns per event.
class TrackEventDecoder {
public:
    explicit TrackEventDecoder(const Trace& trace);

    /// True if the trace has event types for which decode() may return true: types of TrackEventWriter or of atrace markers.
    bool hasTrackEvents() const { return m_hasTrackEvents; }
    /// True if the trace has event types that are counters, or atrace markers, which may be counters.
    bool hasCounters() const { return m_hasCounters; }
    bool hasMarkers() const { return m_hasMarkers; }
    /// True if the trace has events that TrackEventWriter stored. Its processes are identified by their PIDs alone, and the numbers of PID
    /// namespaces only distinguish threads with the same TID.
    bool hasStoredEvents() const { return m_hasStoredEvents; }
    bool isTrackEvent(EventTypeId type) const { return m_places[static_cast<std::size_t>(type)] != 0; }
    /// True if events of this type may contain counter values or the name of a process or track, which can be the owner of a counter.
    bool isCounterOrName(EventTypeId type) const
    {
        const Type& it = typeAt(type);
        return it.isMarker || it.kind == TrackEvent::Kind::Counter || it.kind == TrackEvent::Kind::TrackInfo
            || it.kind == TrackEvent::Kind::ProcessInfo;
    }

    /// Decodes an event into `event`. Returns false if it is no track event.
    bool decode(const EventView& view, TrackEvent& event) const;

private:
    /// Kind and fields of an event type. References to fields that the type lacks are invalid.
    struct Type {
        TrackEvent::Kind kind = TrackEvent::Kind::None;
        bool isMarker = false;
        FieldRef scope, track, nest, parent, order, name, category, id, series, unit, labels, binding, value;
    };
    static std::optional<Type> typeOf(const EventType& type);
    const Type& typeAt(EventTypeId type) const { return m_types[m_places[static_cast<std::size_t>(type)]]; }

    std::vector<Type> m_types{Type{}}; ///< Kinds and fields of the event types of track events, after an empty one.
    std::vector<std::uint32_t> m_places; ///< Index in m_types of each event type, indexed by EventTypeId; 0 for types of other events.
    bool m_hasTrackEvents = false;
    bool m_hasCounters = false;
    bool m_hasMarkers = false;
    bool m_hasStoredEvents = false;
};

} // namespace helio
