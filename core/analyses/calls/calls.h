#pragma once

#include "core/analysis/analysis.h"
#include "core/event_model/call_stacks.h"
#include "core/event_model/called_functions.h"
#include "core/event_model/caller_life.h"
#include "core/event_model/known_contexts.h"
#include "core/event_model/last_of_stream.h"
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

/// The call stacks of user-space threads, from events that say which functions were entered and left.
///
/// Rows of the view call-stack: processes `pid:PID`, below them threads `calls:TID`, below those the depths `calls:TID/1`, `calls:TID/2`...
/// whose intervals are calls; without a tid `calls:stream-N`. A TID that belongs to another process from some time on is a thread of its
/// own, `calls:TID#2`. Every call is a segment of the kind "call", too: its name the function, its value the ns that were its own and not
/// its callees'. Where events were lost, all that is open is truncated: nobody knows what was left. Where another trace of the host shows
/// that a thread ended, its calls end there, and who has its TID from then on is another thread. Where a process executes another program,
/// the calls of the former end.
class Calls final : public Analysis {
public:
    /// `mapped` may be null. `threadEnds`: sorted, outlives it.
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
        HostTimestamp now = HostTimestamp::min(); ///< Of its last event, or that of a later one before it: nothing ends before it begins.
        std::string name;
        std::unique_ptr<CallStack> stack;
        bool isListed = false; ///< In m_mayCall.
        std::uint64_t contextRead = 0; ///< As KnownContexts wants it.
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
    std::int32_t m_pid = -1; ///< That the whole trace is of, where it says so.
    std::vector<ThreadFields> m_fields; ///< By EventTypeId.
    std::unordered_map<ThreadId, Thread> m_threads;
    LastOfStream<ThreadId, Thread> m_last;
    std::optional<KnownContexts<Thread>> m_known; ///< Once m_fields are there.
    std::vector<Thread*> m_mayCall; ///< Those that entered anything since events were lost last.
    std::map<std::pair<std::uint32_t, std::int32_t>, Process> m_processes;
    std::unordered_map<std::string, int> m_lives; ///< How many threads a key had.
};

} // namespace helio::calls
