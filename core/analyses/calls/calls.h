#pragma once

#include "core/analysis/analysis.h"
#include "core/event_model/call_stacks.h"
#include "core/event_model/called_functions.h"
#include "core/event_model/caller_life.h"
#include "core/event_model/context_cache.h"
#include "core/event_model/mapped_frames.h"
#include "core/event_model/thread_fields.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::calls {

/// The call stacks of user-space threads, from events that report entries and exits of functions.
///
/// Rows of the view call-stack: processes `pid:PID`, their threads `calls:TID`, and the threads' depths `calls:TID/1`,
/// `calls:TID/2`..., whose intervals are calls. Threads without a TID are `calls:stream-N`. A TID that another process uses later is
/// another thread, `calls:TID#2`. Every call is also a segment of the kind "call": its name is the function, its value the self time in ns
/// (without callees). Lost events truncate all open calls. A thread's calls end when another trace of the host shows that the thread ended;
/// later events of its TID are another thread. When a process executes another program, the calls of the former program end.
class Calls final : public Analysis {
public:
    /// `mapped`: the store of the mappings analysis, may be nullptr. `threadEnds`: sorted, outlives the object.
    Calls(const Trace& trace, std::shared_ptr<const Store> mapped, std::span<const ThreadEnd> threadEnds, StateSink& sink);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override { return m_functions.typeOf(type).source != 0; }
    void onEvents(const EventRun& run) override;
    void onLossBegin(const Loss& loss) override { truncateAll(loss.range.begin); }
    void onLoss(const Loss& loss) override { truncateAll(loss.range.end); }
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    struct Process {
        TrackId row = NoTrack;
        std::string name;
    };
    struct Thread {
        TrackId row = NoTrack;
        ProcessId process;
        CallerLife life;
        /// Time of the last event, never decreasing: an event with an earlier time is moved here, so that no call ends before it begins.
        HostTimestamp now = HostTimestamp::min();
        std::string name;
        std::unique_ptr<CallStack> stack;
        bool isListed = false; ///< True if the thread is in m_mayCall.
        std::uint64_t contextRead = 0; ///< Required by ContextCache.
    };

    void take(const EventView& event);
    Thread& threadOf(const EventView& event);
    static void truncate(Thread& thread, HostTimestamp at);
    void beginThread(Thread& thread, ThreadId id, std::int32_t pid, HostTimestamp at);
    Process& processOf(std::int32_t pid, std::uint32_t pidNamespace);
    void setName(Thread& thread, std::string_view name);
    void truncateAll(HostTimestamp at);

    const Trace& m_trace;
    StateSink& m_sink;
    MappedFrames m_frames;
    CalledFunctions m_functions;
    CallOutput m_out;
    const std::span<const ThreadEnd> m_threadEnds;
    std::int32_t m_pid = -1; ///< Process that all events of the trace belong to; -1 if unknown.
    std::vector<ThreadFields> m_fields; ///< Indexed by EventTypeId.
    std::unordered_map<ThreadId, Thread> m_threads;
    PerStreamCache<ThreadId, Thread> m_last;
    std::optional<ContextCache<Thread>> m_known; ///< Set once m_fields is filled.
    std::vector<Thread*> m_mayCall; ///< Threads that entered a function since events were last lost.
    std::map<std::pair<std::uint32_t, std::int32_t>, Process> m_processes;
    std::unordered_map<std::string, int> m_lives; ///< Count of threads that a key was used for.
};

} // namespace helio::calls
