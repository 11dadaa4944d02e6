#pragma once

#include "core/analyses/heap/heap_blocks.h"
#include "core/analyses/heap/heap_events.h"
#include "core/analysis/analysis.h"
#include "core/event_model/called_functions.h"
#include "core/event_model/caller_life.h"
#include "core/event_model/open_calls.h"
#include "core/event_model/thread_fields.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::heap {

/// The open calls of one thread, from entries and exits of functions. A call stack is added to the store only on request, because most
/// calls allocate nothing.
class CallerStack {
public:
    void enter(const RecordedFunction& function);
    void leave(std::uint16_t source, bool hasKey, std::uint64_t key);
    /// Drops all open calls. Called when their exits may be missing: after lost events, or when the thread executes another program.
    void clear();

    /// Returns the id of the current call stack; adds the stack to the store if necessary.
    /// Cost: proportional to the open calls that have no stack id yet.
    StackId stack(StackSink& stacks);

private:
    struct Caller {
        StackFrame frame;
        StackId stack = NoStack; ///< Id of the call's stack; NoStack if the stack was not requested yet.
    };
    OpenCalls m_calls;
    std::vector<Caller> m_callers; ///< Callers, outermost first: one element for each call in m_calls, in the same order.
};

/// Memory that user-space programs allocate and free, from the events of LTTng-UST's libc wrapper.
///
/// Counters of the view heap, for each process: `pid:PID/heap-bytes` and `pid:PID/heap-blocks`, the memory in use after each change.
/// Segments: see core/event_model/segment_kinds.h; if entries of functions were also recorded, a segment has the call stack at its
/// beginning, as in the call stack analysis.
///
/// Processes are identified by PID alone: when a process executes another program, the blocks of the old program stay in use, and the
/// blocks of a parent are not known in a forked child.
class Heap final : public Analysis {
public:
    /// `mapped`: the store of the mappings analysis, which tells the module of a function's address; may be nullptr. `threadEnds`: ends of
    /// the host's threads, from the host's other traces; sorted by TID, then by time.
    /// Ownership: the caller keeps `threadEnds` and `sink` alive longer than the object.
    Heap(const Trace& trace, std::shared_ptr<const Store> mapped, std::span<const ThreadEnd> threadEnds, StateSink& sink);

    static bool hasHeap(const Trace& trace);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override;
    void onEvents(const EventRun& run) override;
    void onLossBegin(const Loss&) override { forgetCallers(); }
    void onLoss(const Loss& loss) override;
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    struct Fields {
        HeapEvent heap;
        ThreadFields thread;
    };
    struct Process {
        HeapBlocks blocks;
        std::optional<CounterSeriesId> bytesSeries; ///< Series of the bytes in use; nullopt if there are too many series.
        std::optional<CounterSeriesId> blocksSeries;
    };
    struct Thread {
        TrackId track = NoTrack;
        ProcessId of;
        CallerLife life;
        Process* process = nullptr;
        CallerStack callers;
        bool isListed = false; ///< True if the thread is in m_mayCall, the list of threads that may have open calls.
    };
    /// Numbers of inconsistent events, reported by diagnostics().
    struct Inconsistencies {
        std::uint64_t doubleFrees = 0;
        std::uint64_t unknownFrees = 0;
        std::uint64_t unseenFrees = 0;
        std::uint64_t beyondLimit = 0;
        std::uint64_t losses = 0;
    };

    void takeCall(const EventView& event);
    void takeChange(const EventView& event, const Fields& fields);
    void free(HostTimestamp at, const Thread& thread, std::uint64_t address, StackId stack);
    void allocate(HostTimestamp at, const Thread& thread, const HeapChange& change, StackId stack);
    void close(const Block& block, HostTimestamp at, SegmentKindId kind);
    void count(HostTimestamp at, const Process& process);
    Thread& threadOf(const EventView& event, const ThreadFields& fields);
    void beginThread(Thread& thread, const EventView& event, const ThreadFields& fields, ThreadId id, std::int32_t pid);
    Process& processOf(const EventView& event, const ThreadFields& fields, const ProcessId& id);
    SegmentKindId kindOf(std::string_view id, const char* title, const char* valueTitle, const char* unit);
    void forgetCallers();

    const Trace& m_trace;
    StateSink& m_sink;
    MappedFrames m_frames;
    CalledFunctions m_functions;
    SegmentKindId m_blocks;
    SegmentKindId m_frees;
    const std::span<const ThreadEnd> m_threadEnds;
    /// PID of the process to which all events of the trace belong; -1 if they belong to several processes or the PID is unknown.
    std::int32_t m_pid = -1;
    std::vector<Fields> m_fields; ///< Fields of the event types, indexed by EventTypeId.
    std::unordered_map<ThreadId, Thread> m_threads;
    std::vector<Thread*> m_mayCall; ///< Threads that may have open calls: they entered a function since the last loss of events.
    std::map<ProcessId, Process> m_processes; ///< Processes; a map, because threads point to its elements.
    Inconsistencies m_inconsistencies;
};

} // namespace helio::heap
