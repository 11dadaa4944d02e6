#pragma once

#include "core/trace/stored/stored_events.h"
#include "core/trace/stored/stored_trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Track events: events that applications record about themselves, namely slices of threads, slices on tracks that belong to no thread,
// counters, instants and flows. Readers of formats with such events (Chrome JSON, Perfetto) store them as the event types below. One
// analysis shows the track events of all formats.
//
// Each event has a stream context with the fields vpid, vtid, pid_ns and procname (TrackContext). Its payload has these fields, in this
// order:
//
// | event                             | fields                                                                            |
// |-----------------------------------|-----------------------------------------------------------------------------------|
// | span_begin                        | name, cat, args, [cpu_ns]: a slice of the thread in the context begins             |
// | span_end                          | [name], [args], [cpu_ns]: the innermost open slice of the thread ends              |
// | track_begin                       | track, nest, name, cat, args, [id]: a slice on a track begins                      |
// | track_end                         | track, nest, [name], [args]: the innermost open slice of the nest ends             |
// | instant                           | scope, track, nest, name, cat, args, [id]                                          |
// | counter                           | scope, track, name, series, unit, value                                            |
// | flow_begin, flow_step, flow_end   | track, nest, cat, name, id, binding                                                |
// | track_info                        | track, parent, name, order                                                         |
// | process_info                      | name, labels, order: about the process in the context                              |
// | thread_info                       | name, order: about the thread in the context                                       |
//
// Fields in brackets are omitted if they are empty. `args` is the text of a JSON object with the arguments, e.g. {"frame":7}; empty if
// there are no arguments. `cpu_ns` is the CPU time of the thread during the slice. Times are in ns. Events may be added in any order of
// time, because StoredEvents sorts them. Events with the same time keep the order in which they were added. With the same time, an outer
// slice must be added before its inner slices, the end of a slice before the begin of the next slice, and a slice before the flow points
// that bind to it.

namespace helio {

/// Process and thread of a track event.
/// Ownership: the name is a view of the caller's data.
struct TrackContext {
    /// Inode number of the kernel's initial PID namespace (PROC_PID_INIT_INO in include/linux/proc_ns.h).
    static constexpr std::uint32_t HostNamespace = 0xeffffffc;

    // Process ID, from 1; -1 if the event belongs to no process, or to an unknown one. Readers of formats in which 0 is a valid process or
    // thread ID must replace it by another number.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    /// Number that distinguishes threads with the same tid: HostNamespace for the first such thread, for others any number from 1 that the
    /// reader chooses. Processes are identified by their pid alone.
    std::uint32_t pidNamespace = HostNamespace;
    std::string_view name; ///< Name of the thread; empty if unknown.
    std::int32_t cpu = -1; ///< CPU that recorded the event, or the counter's CPU for TrackScope::Cpu; -1 if unknown.
};

/// Kind of owner of an instant or a counter. The row of the instant or counter is a child of the owner's row; for Global, it is at the top
/// level.
enum class TrackScope : std::uint8_t {
    Thread, ///< The owner is the thread in the event's TrackContext.
    Process, ///< The owner is the process in the event's TrackContext.
    Global, ///< The owner is the whole trace.
    Cpu, ///< The owner is the CPU in the event's TrackContext. Only for counters.
    Track, ///< The owner is the track with the number TrackPlace::track.
};

/// Returns the text that the field "scope" of an event has for `scope`: "thread", "process", "global", "cpu" or "track".
std::string_view wordOf(TrackScope scope);

/// Owner of a slice, an instant, a counter or a flow.
struct TrackPlace {
    /// The owner's process and thread. If `track` is not 0, the owner is a track of this process, and the thread is only displayed.
    TrackContext context;
    /// Number of the owning track, unique in the recording; TrackEventWriter::declareTrack() describes it. 0 if the owner is the thread in
    /// `context`.
    std::int64_t track = 0;
    /// Number of a group of slices on the track. Slices of one group nest like calls: an end event closes the group's innermost open slice.
    /// Slices in different groups may overlap and are drawn at different levels of the track's row. Formats that identify each asynchronous
    /// operation use one group for each operation. 0 for tracks whose slices always nest.
    std::int64_t nest = 0;
};

/// Texts of a slice or an instant. All members are views of the caller's data.
struct SliceTexts {
    std::string_view name;
    std::string_view category; ///< Categories, separated by commas; may be empty.
    std::string_view arguments; ///< Arguments as the text of a JSON object; empty if there are no arguments.
    std::string_view id; ///< Id of the asynchronous operation, as written in the recording; may be empty. Not stored for slices of threads.
};

/// Description of a track for TrackEventWriter::declareTrack().
struct TrackDescription {
    std::int64_t track = 0; ///< Number of the track; never 0.
    /// Number of the parent track, which may be declared later. 0: the parent is the thread in `context` if it has a tid, else the process
    /// if it has a pid; without both, the track has no parent. A track without slices, instants and counters is a heading: it is displayed
    /// only if it has children.
    std::int64_t parent = 0;
    TrackContext context;
    /// Label of the track's row. To show several tracks in one row, the reader gives them one number and distinguishes their slices by
    /// TrackPlace::nest.
    std::string_view name;
    std::int32_t order = 0; ///< Sort key among tracks with the same parent, ascending; tracks with equal keys are sorted by name.
};

/// Value of a counter. All values of one counter (scope, owner, name and series) must be of one type, integers or doubles.
struct TrackCounter {
    std::string_view name;
    std::string_view series; ///< Name of the series if the counter has several series, which are drawn together; else empty.
    std::string_view unit; ///< Unit of the value, e.g. "B", "ns" or "%"; empty for plain numbers.
    bool isReal = false; ///< True if the value is `real`, false if it is `integer`.
    std::int64_t integer = 0;
    double real = 0; ///< Value if `isReal`. Values that are NaN or infinite are not displayed.
};

enum class FlowPhase : std::uint8_t { Begin, Step, End };

/// Point of a flow. A flow is a sequence of slices, connected by arrows in the order of their times. Points with the same category, name
/// and id belong to one flow. An arrow leads from each Begin or Step to the next Step or End in time. If several Ends follow, an arrow
/// leads from that Begin or Step to each of them. A Begin or Step after an End starts another flow. All texts are views of the caller's
/// data.
struct FlowPoint {
    /// Begin always starts a new flow, even if a flow with this id exists; Step starts one only if none exists, or if it has ended.
    FlowPhase phase = FlowPhase::Step;
    std::string_view category; ///< Category of the flow; empty in formats whose flow ids are unique in the recording, such as Perfetto.
    std::string_view name;
    std::string_view id; ///< Id of the flow: a number in any notation, or another text.
    /// True if the point belongs to the next slice that begins on its thread or track, false if it belongs to the innermost slice that is
    /// open there at the point's time. An instant that was added immediately before, with the same time and place, counts as a slice.
    bool bindsToNext = false;
};

/// Stores an event as a sample of the thread in `context`. Its payload has the fields period, which is hidden unless `showsPeriod`, and
/// `fields`. The events of `recording` must be made by makeTrackEventType(). Returns the kind of the sample, or nullptr, as
/// StoredRecording::addSample() does.
SampleEvent* addTrackSample(StoredRecording& recording, std::int64_t time, const TrackContext& context, std::string_view name,
                            const StoredSample& sample, bool showsPeriod, std::span<const StoredField> fields);

/// Makes the event type of the track event `event` with `fields`. To be passed to StoredEvents as its TypeMaker.
EventType makeTrackEventType(const NewEvent& event, std::span<const StoredField> fields);

constexpr std::size_t TrackNameSize = 32; ///< Size in bytes of the thread name in the stream context; longer names are cut.

/// Writes track events to a StoredEvents object, whose TypeMaker must be makeTrackEventType().
///
/// Threads: only one thread may use the object.
/// Errors: none are reported here; StoredEvents reports a full disk.
class TrackEventWriter {
public:
    /// Ownership: `events` must outlive the writer.
    explicit TrackEventWriter(StoredEvents& events)
        : m_events(events)
    {
    }

    // The functions declare...() describe processes, threads and tracks. A description may be added before or after the events it concerns,
    // with any time within the recording; a later description replaces an earlier one.
    void declareProcess(std::int64_t time, const TrackContext& context, std::string_view name, std::string_view labels = {},
                        std::int32_t order = 0);
    void declareThread(std::int64_t time, const TrackContext& context, std::int32_t order = 0);
    void declareTrack(std::int64_t time, const TrackDescription& track);

    /// Begins a slice at `place`. `cpuTime`: CPU time of the thread during the slice in ns; nullopt if unknown, or known only at the end.
    void beginSlice(std::int64_t time, const TrackPlace& place, const SliceTexts& texts, std::optional<std::int64_t> cpuTime = {});
    /// Ends the innermost open slice at `place`. With a `name`, ends the innermost open slice with this name and all slices in it.
    void endSlice(std::int64_t time, const TrackPlace& place, std::string_view arguments = {}, std::string_view name = {},
                  std::optional<std::int64_t> cpuTime = {});
    void addInstant(std::int64_t time, TrackScope scope, const TrackPlace& place, const SliceTexts& texts);
    void addCounter(std::int64_t time, TrackScope scope, const TrackPlace& place, const TrackCounter& counter);
    void addFlow(std::int64_t time, const TrackPlace& place, const FlowPoint& point);

    /// Adds an event with any other name and the given fields, e.g. an event that no analysis uses. `text` is all fields as one text; it is
    /// stored instead of the fields if the recording has too many event types. Returns false if the event was dropped because of too many
    /// event types.
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
    std::vector<StoredField> m_fields; ///< Fields of the event that is being added. It is a member so that its memory is reused.
    std::vector<std::byte> m_head;
};

} // namespace helio
