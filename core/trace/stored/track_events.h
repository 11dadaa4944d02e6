#pragma once

#include "core/trace/stored/stored_events.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Events that applications record about themselves: slices of threads, slices on tracks that belong to no thread, counters, instants and
// flows. Readers of such formats (Chrome JSON, Perfetto) store them as the event types below, and one analysis shows them all.
//
// Each event has the stream context vpid, vtid, pid_ns, procname (TrackContext). Its fields, in this order:
//
// | event                             | fields                                                                            |
// |-----------------------------------|-----------------------------------------------------------------------------------|
// | span_begin                        | name, cat, args: a slice of the thread in the context begins                       |
// | span_end                          | [args]: the innermost open slice of the thread ends                                |
// | track_begin                       | track, nest, name, cat, args, [id]: a slice on a track begins                      |
// | track_end                         | track, nest, [name], [args]: the innermost open slice of the nest ends             |
// | instant                           | scope, track, nest, name, cat, args, [id]                                          |
// | counter                           | scope, track, name, series, unit, value                                            |
// | flow_begin, flow_step, flow_end   | track, nest, cat, name, id, binding                                                |
// | track_info                        | track, parent, name, order                                                         |
// | process_info                      | name, labels, order: about the process in the context                              |
// | thread_info                       | name, order: about the thread in the context                                       |
//
// Fields in brackets are left out if they are empty. `args` is the text of a JSON object with the arguments, e.g. {"frame":7}; empty if
// there are none. Times are ns. Events may be added in any order of time, because StoredEvents sorts them, but events of equal time keep
// the order in which they were added: an outer slice must be added before its inner slices, the end of a slice before the begin of the
// slice that follows it, and a slice before the flows that bind to it.

namespace helio {

/// Process and thread of a track event.
/// Ownership: the name is a view of the caller's data.
struct TrackContext {
    static constexpr std::uint32_t HostNamespace = 0xeffffffc; ///< PROC_PID_INIT_INO in include/linux/proc_ns.h.

    // Numbers from 1; -1 if the event belongs to no process or thread, or to an unknown one. 0 is no number of a process or thread: a
    // reader whose format has such ids must choose other numbers for them.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    /// Distinguishes threads with the same tid: any number from 1 that the reader chooses, or HostNamespace for the first one. Processes
    /// are identified by their pid alone.
    std::uint32_t pidNamespace = HostNamespace;
    std::string_view name; ///< Name of the thread; empty if unknown.
    std::int32_t cpu = -1; ///< CPU that recorded the event, or CPU of a counter with TrackScope::Cpu; -1 if unknown.
};

/// Owner of an instant or of a counter: what its row stands below.
enum class TrackScope : std::uint8_t {
    Thread, ///< The thread in the context.
    Process, ///< The process in the context.
    Global, ///< The whole trace.
    Cpu, ///< The CPU in the context. Only for counters.
    Track, ///< The track with the number TrackPlace::track.
};

/// Returns the value of the field "scope": "thread", "process", "global", "cpu" or "track".
std::string_view wordOf(TrackScope scope);

/// Owner of a slice, an instant, a counter or a flow.
struct TrackPlace {
    TrackContext context; ///< For a track: the process that it belongs to; the thread is only shown.
    /// Number of a track, which TrackEventWriter::declareTrack() describes; 0 for the thread in the context. Unique in the recording.
    std::int64_t track = 0;
    /// Slices of a track with the same number nest like calls: an end closes the innermost one. Slices with different numbers may overlap;
    /// they are drawn at different levels of the track's row. For formats that identify each asynchronous operation: a number for each
    /// operation, e.g. counted from 1, or its id. For tracks whose slices nest anyway: 0.
    std::int64_t nest = 0;
};

/// Texts of a slice or an instant. Views of the caller's data.
struct SliceTexts {
    std::string_view name;
    std::string_view category; ///< Categories, separated by commas; may be empty.
    std::string_view arguments; ///< JSON object; empty if there are no arguments.
    std::string_view id; ///< Id of the asynchronous operation as the recording shows it; may be empty. Not stored for slices of threads.
};

/// Description of a track.
struct TrackDescription {
    std::int64_t track = 0; ///< Never 0.
    /// Number of the parent track. 0: the parent is the thread in `context` if it has a tid, else the process if it has a pid, else the
    /// track is at the top. A parent may be declared later. A track without slices, instants and counters is a heading, shown only if it
    /// has children.
    std::int64_t parent = 0;
    TrackContext context;
    /// Label of the row. Tracks that are to share one row, e.g. those of one name below one parent, must have one number; the reader
    /// distinguishes their slices by TrackPlace::nest.
    std::string_view name;
    std::int32_t order = 0; ///< Sort key among siblings, ascending; equal keys are sorted by name.
};

/// Value of a counter. All values of one counter (scope, owner, name and series) must be of one type, integers or doubles.
struct TrackCounter {
    std::string_view name;
    std::string_view series; ///< Name of the series, if a counter has several that are drawn together; else empty.
    std::string_view unit; ///< E.g. "B", "ns" or "%"; empty for plain numbers.
    bool isReal = false; ///< True if the value is `real`, false if it is `integer`.
    std::int64_t integer = 0;
    double real = 0; ///< NaN and infinities are not shown.
};

enum class FlowPhase : std::uint8_t { Begin, Step, End };

/// Point of a flow: a sequence of slices, connected by arrows in the order of their times. Points with the same category, name and id
/// belong to one flow. An arrow leads from each Begin and Step to the next Step or End, and further arrows from the same point to each
/// further End. Views of the caller's data.
struct FlowPoint {
    FlowPhase phase = FlowPhase::Step; ///< Begin starts a new flow even if there is one with this id; a Step does if there is none.
    std::string_view category; ///< Empty if ids are unique in the recording, as in Perfetto.
    std::string_view name;
    std::string_view id; ///< Number in any notation, or another text.
    /// True if the point belongs to the next slice that begins at its place, false if it belongs to the innermost slice that is open there
    /// at its time. An instant that was added just before with the same time and place counts as a slice.
    bool bindsToNext = false;
};

/// Makes the event types of a recording of track events; the TypeMaker of its StoredEvents.
EventType makeTrackEventType(const NewEvent& event, std::span<const StoredField> fields);

constexpr std::size_t TrackNameSize = 32; ///< Size in bytes of the name of a thread in the stream context; longer names are cut.
/// Size in bytes of the stream context: i32 vpid, i32 vtid, u32 pid_ns, char procname[TrackNameSize]. The payload offset of StoredTrace.
constexpr std::uint32_t TrackContextSize = 12 + TrackNameSize;

/// Adds track events to stored events whose TypeMaker is makeTrackEventType().
///
/// Threads: to be used by one thread.
/// Errors: none; StoredEvents reports a full disk.
class TrackEventWriter {
public:
    /// Ownership: `events` must outlive the writer.
    explicit TrackEventWriter(StoredEvents& events)
        : m_events(events)
    {
    }

    // Descriptions may be added before or after the events of their process, thread or track, with any time within the recording; a later
    // one replaces an earlier one.
    void declareProcess(std::int64_t time, const TrackContext& context, std::string_view name, std::string_view labels = {},
                        std::int32_t order = 0);
    void declareThread(std::int64_t time, const TrackContext& context, std::int32_t order = 0);
    void declareTrack(std::int64_t time, const TrackDescription& track);

    void beginSlice(std::int64_t time, const TrackPlace& place, const SliceTexts& texts);
    /// Ends the innermost open slice of the place. `name`: for tracks, ends the innermost slice with this name and all slices in it.
    void endSlice(std::int64_t time, const TrackPlace& place, std::string_view arguments = {}, std::string_view name = {});
    void addInstant(std::int64_t time, TrackScope scope, const TrackPlace& place, const SliceTexts& texts);
    void addCounter(std::int64_t time, TrackScope scope, const TrackPlace& place, const TrackCounter& counter);
    void addFlow(std::int64_t time, const TrackPlace& place, const FlowPoint& point);

    /// Adds an event of any other name with the given fields, e.g. one that no analysis uses. `text` is the text of all fields, which is
    /// stored instead of them if there are too many types. Returns false if the event was dropped because there are too many types.
    bool addOther(std::int64_t time, const TrackContext& context, std::string_view name, std::span<const StoredField> fields,
                  std::string_view text = {});

private:
    void begin() { m_fields.clear(); }
    void add(std::string_view field, std::string_view text) { m_fields.push_back({field, text}); }
    void add(std::string_view field, std::int64_t number)
    {
        StoredField& it = m_fields.emplace_back(StoredField{field, {}});
        it.kind = StoredField::Kind::Integer;
        it.number = number;
    }
    void addPlace(const TrackPlace& place);
    bool store(std::int64_t time, const TrackContext& context, std::string_view name, std::string_view text = {});

    StoredEvents& m_events;
    std::vector<StoredField> m_fields; ///< Fields of the event that is being added; a member to reuse its memory.
    std::vector<std::byte> m_head;
};

} // namespace helio
