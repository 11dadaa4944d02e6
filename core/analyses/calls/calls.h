#pragma once

#include "core/analyses/calls/flows.h"
#include "core/analyses/calls/instant_rows.h"
#include "core/analyses/calls/slice_track.h"
#include "core/analysis/analysis.h"
#include "core/event_model/call_stacks.h"
#include "core/event_model/called_functions.h"
#include "core/event_model/caller_life.h"
#include "core/event_model/context_cache.h"
#include "core/event_model/mapped_frames.h"
#include "core/event_model/running_threads.h"
#include "core/event_model/thread_fields.h"
#include "core/event_model/track_event_decoder.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::calls {

/// Analysis that shows call stacks, from events that record entries and exits of functions. It also shows the slices of threads, slices on
/// tracks, instants and flows that applications record about themselves in track events (see TrackEventDecoder).
///
/// Rows of the view call-stack: processes `pid:PID`, their threads `calls:TID`, and below each thread one row for each call depth:
/// `calls:TID/1`, `calls:TID/2`..., whose intervals are calls. If the events have no field for the TID, the threads are `calls:stream-N`,
/// one for each stream; if the TID of an event is 0 (an idle thread) or unknown, its thread is `calls:cpu-N`, one for each CPU. If another
/// process reuses a TID, its thread is `calls:TID#2`.
///
/// Every call is also a segment of the kind "call": its name is the function, its value the self time in ns (without callees). Lost events
/// truncate all open calls. The open calls of a thread end when the process executes another program, or when another trace of the host
/// shows that the thread ended; later events of its TID belong to a new thread.
///
/// Each track has a row `track:NUMBER` (`track:PID/NAME` for a track of atrace) below the row of its process, thread or parent track, or at
/// the top level if it has none of these. Below it, rows `/1`, `/2`... show the slices; overlapping slices are on different rows. Slices on
/// tracks are segments of the kind "async". The instants of a thread, process or track are in a row `/instants` below its row. Flows are
/// links of the kind "flow" between the rows of slices.
class Calls final : public Analysis {
public:
    /// `mapped`: the store of the mappings analysis, which tells the module of a function's address; may be nullptr. `threadEnds`: ends of
    /// the host's threads, from the host's other traces; sorted by TID, then by time.
    /// Ownership: the caller keeps `threadEnds` and `sink` alive longer than the object.
    Calls(const Trace& trace, std::shared_ptr<const Store> mapped, std::span<const ThreadEnd> threadEnds, StateSink& sink);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override
    {
        return m_functions.typeOf(type).source != 0 || m_decoder.isTrackEvent(type) || m_running.isSwitch(type);
    }
    void onEvents(const EventRun& run) override;
    void onLossBegin(const Loss& loss) override { truncateAll(loss.range.begin); }
    void onLoss(const Loss& loss) override { truncateAll(loss.range.end); }
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    struct Process {
        TrackId row = NoTrack;
        std::optional<std::int64_t> order; ///< Recorded sort key among the processes, ascending; nullopt if the trace has none.
        /// True if a process_info event gave the process a name, so that the name of its main thread must not replace it.
        bool isDeclared = false;
    };
    /// Points of flows that belong to the next slice of a thread or track, which has not begun yet.
    using WaitingFlows = std::vector<std::pair<FlowIdentity, FlowRole>>;
    struct Thread {
        TrackId row = NoTrack;
        ProcessId process;
        CallerLife life;
        /// Time of the thread's last event; never decreases. An event with an earlier time gets this time, so that no call ends before it
        /// begins.
        HostTimestamp now = HostTimestamp::min();
        std::string name;
        std::unique_ptr<CallStack> stack;
        /// CPU on which the thread's events occur, if the TID of the events is 0 (an idle thread) or unknown; -1 if the thread has a TID.
        std::int32_t cpu = -1;
        bool isListed = false; ///< True if the thread is in m_mayCall, the list of threads that may have open calls.
        WaitingFlows waiting;
        FlowPlace lastInstant;
        /// Set and used by ContextCache only: changes whenever it reads this thread's fields from an event; 0 before the first event.
        std::uint64_t contextReadNumber = 0;
    };

    /// A track that an application recorded. It belongs to a process, to a thread, or to neither.
    struct AppTrack {
        TrackId row = NoTrack; ///< Row that shows the track; NoTrack as long as the track has no slice, instant, flow or child track.
        std::string key;
        std::string name;
        std::int64_t parent = 0; ///< Number of the parent track (a key of m_tracks); 0 if the track has no parent track.
        ProcessId process;
        TrackId thread = NoTrack; ///< Row of the thread that owns the track; NoTrack if no thread owns it.
        std::int64_t order = 0;
        std::unique_ptr<SliceTrack> slices;
        WaitingFlows waiting;
        FlowPlace lastInstant;
    };

    void take(const EventView& event);
    void takeTrackEvent(const EventView& event);
    void takeSlice(const EventView& view, const TrackEvent& event);
    void takeInstant(const EventView& view, const TrackEvent& event);
    void takeFlow(const EventView& view, const TrackEvent& event);
    void takeDescription(const EventView& view, const TrackEvent& event);
    void bindWaiting(WaitingFlows& waiting, const FlowPlace& place);
    ProcessId processIn(const EventView& view, const TrackEvent& event) const;
    AppTrack& trackOf(const EventView& view, const TrackEvent& event);
    AppTrack& withRow(AppTrack& track);
    void closeTracks(HostTimestamp at, CallEnding ending);
    void placeTracks();
    void sortRows();
    Thread& currentThread(const EventView& event, std::int32_t markerPid = -1);
    void enter(Thread& thread, const RecordedFunction& function, std::int64_t cpuTime = -1);
    Thread& threadOf(const EventView& event, std::int32_t markerPid);
    static void truncate(Thread& thread, HostTimestamp at);
    void beginThread(Thread& thread, ThreadId id, std::int32_t pid, HostTimestamp at);
    Process& processOf(const ProcessId& process);
    void setName(Thread& thread, std::string_view name);
    void truncateAll(HostTimestamp at);

    const Trace& m_trace;
    StateSink& m_sink;
    MappedFrames m_frames;
    CalledFunctions m_functions;
    CallOutput m_out;
    CallOutput m_trackOut; ///< Output for slices on tracks: segments of the kind "async".
    TrackEventDecoder m_decoder;
    /// Name of the thread on each CPU, from switch events; needed for atrace markers, because their events contain no thread name.
    RunningThreads m_running;
    InstantRows m_instants;
    Flows m_flows;
    const std::span<const ThreadEnd> m_threadEnds;
    /// PID of the process to which all events of the trace belong; -1 if they belong to several processes or the PID is unknown.
    std::int32_t m_pid = -1;
    std::vector<ThreadFields> m_fields; ///< Fields that identify the thread of an event, for each event type; indexed by EventTypeId.
    std::vector<FieldRef> m_cpuTimes; ///< Field with the CPU time of a call, for each event type; indexed by EventTypeId.
    /// First name of each thread in the trace's process records, keyed by TID.
    std::unordered_map<std::int64_t, std::string_view> m_recordedNames;
    std::unordered_map<ThreadId, Thread> m_threads;
    PerStreamCache<ThreadId, Thread> m_last;
    /// Cache of the thread of each stream's last event. Constructed from m_fields, so it is nullopt until m_fields is filled.
    std::optional<ContextCache<Thread>> m_known;
    std::vector<Thread*> m_mayCall; ///< Threads that may have open calls: they entered a function since the last loss of events.
    std::map<ProcessId, Process> m_processes;
    std::unordered_map<std::int64_t, AppTrack> m_tracks; ///< Tracks that events identify by a number, keyed by this number.
    /// Tracks that atrace markers identify by process and name, keyed by PID and track name.
    std::map<std::pair<std::int32_t, std::string>, AppTrack, std::less<>> m_markerTracks;
    /// Recorded sort keys of threads, keyed by the TrackId of the thread's row.
    std::unordered_map<std::uint32_t, std::int64_t> m_threadOrders;
    /// Number of threads that have had a row key so far, keyed by row key. If another process reuses a TID, this number becomes the
    /// suffix of the new row's key.
    std::unordered_map<std::string, int> m_lives;
};

} // namespace helio::calls
