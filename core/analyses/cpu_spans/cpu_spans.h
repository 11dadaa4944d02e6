#pragma once

#include "core/analysis/analysis.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/values_by_event_type.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace helio::cpuspans {

enum class Role : std::uint8_t {
    None,
    Span, ///< The event describes a span of a CPU: kutrace:span.
    Wait, ///< The event describes a wait of a thread, with the wait reason: kutrace:wait.
    Rpc, ///< The event says that a thread begins, continues or ends its work on a remote procedure call: kutrace:rpc_*.
};

/// Role and fields of an event type that the analysis reads.
struct SpanType {
    Role role = Role::None;
    FieldRef name, event, duration, arg, rpc, ipc, reason, tid;
};

/// Analysis of KUtrace recordings: shows the spans of CPUs with their instructions per cycle (IPC), the waits of threads with their
/// reasons, and remote procedure calls (RPCs).
///
/// The view ipc-spans has the rows `cpu:N` and `tid:N`, whose states are those of ipcStates(). The value of an interval is its method: the
/// name of a system call, interrupt or trap, or "user NAME" while the thread NAME executes user-space code. The attribute "rpc" of a
/// thread's row contains the name of the method of the RPC that the thread works on. The view wait-reasons has rows `tid:N`, whose states
/// are the wait reasons.
///
/// A segment of the kind "rpc" covers the work of a thread on an RPC, from the event that begins this work to the event that ends it. The
/// segment's name is the method of the RPC; its value is the number of the RPC.
class CpuSpans final : public Analysis {
public:
    CpuSpans(const Trace& trace, StateSink& sink);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override { return m_types.has(type); }
    void onEvents(const EventRun& run) override;
    /// Lost events need no action: a time without spans has no intervals.
    void onLoss(const Loss&) override { }
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    struct Thread {
        TrackId row = NoTrack;
        TrackId rpcs = NoTrack; ///< Attribute "rpc" with the method of the current RPC; NoTrack until the thread works on its first RPC.
        TrackId waits = NoTrack; ///< The thread's row in the view wait-reasons; NoTrack until the thread's first wait.
        std::string name;
        HostTimestamp end = HostTimestamp::min(); ///< End of the thread's last stored span.
        HostTimestamp waitEnd = HostTimestamp::min(); ///< End of the thread's last wait; HostTimestamp::min() before the first wait.
        std::int64_t rpc = 0; ///< Number of the RPC that the thread works on; 0 if it works on no RPC.
        HostTimestamp rpcSince;
    };
    struct Cpu {
        TrackId row = NoTrack;
        HostTimestamp end = HostTimestamp::min();
    };

    void takeSpan(const EventView& event, const SpanType& type);
    void takeWait(const EventView& event, const SpanType& type);
    void takeRpc(const EventView& event, const SpanType& type);
    Cpu& cpuOf(std::int32_t number);
    Thread& threadOf(std::int64_t tid);
    void setName(Thread& thread, std::string_view name);
    void setRpc(HostTimestamp at, std::int64_t tid, Thread& thread, std::int64_t rpc);
    State reasonState(std::string_view reason);

    const Trace& m_trace;
    StateSink& m_sink;
    ValuesByEventType<SpanType> m_types;
    StateSetId m_states;
    StateSetId m_reasons;
    SegmentKindId m_rpcKind{};
    std::map<std::int32_t, Cpu> m_cpus;
    std::map<std::int64_t, Thread> m_threads;
    std::unordered_map<std::int64_t, std::string> m_methods; ///< Method names of RPCs, keyed by RPC number.
    std::uint64_t m_unfinishedRpcs = 0;
};

} // namespace helio::cpuspans
