#pragma once

#include "core/analyses/heap/caller_stack.h"
#include "core/analyses/heap/heap_blocks.h"
#include "core/analyses/heap/heap_events.h"
#include "core/analysis/analysis.h"
#include "core/event_model/caller_life.h"
#include "core/event_model/thread_fields.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::heap {

/// The memory that user-space programs allocate and free, from the events of LTTng-UST's wrapper of libc.
///
/// Counters of the view heap: of each process `pid:PID/heap-bytes` and `pid:PID/heap-blocks`, what is in use after each change. Segments as
/// core/event_model/heap_segments.h says; where entries of functions are recorded, too, the stack is that of the calls that were open, as
/// the analysis of calls has them. Of the memory of processes nothing is known but their PID: a program that executes another one in its
/// place leaves its blocks behind as in use, and a forked child does not know those of its parent.
class Heap final : public Analysis {
public:
    /// `mapped` may be null. `threadEnds`: sorted, outlives it.
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
        std::optional<CounterSeriesId> bytesSeries; ///< None: there are too many.
        std::optional<CounterSeriesId> blocksSeries;
    };
    struct Thread {
        TrackId track = NoTrack;
        ProcessId of;
        CallerLife life;
        Process* process = nullptr;
        CallerStack callers;
        bool isListed = false; ///< In m_mayCall.
    };
    /// How often something was not as it should be.
    struct Oddities {
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
    std::int32_t m_pid = -1; ///< That the whole trace is of, where it says so.
    std::vector<Fields> m_fields; ///< By EventTypeId.
    std::unordered_map<ThreadId, Thread> m_threads;
    std::vector<Thread*> m_mayCall; ///< Those that entered anything since events were lost last.
    std::map<ProcessId, Process> m_processes; ///< They stay where they are.
    Oddities m_oddities;
};

} // namespace helio::heap
