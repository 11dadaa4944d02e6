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
    Span, ///< A span of a CPU: kutrace:span.
    Wait, ///< A wait of a thread with its reason: kutrace:wait.
    Rpc, ///< A thread begins, continues or ends its work on a remote procedure call: kutrace:rpc_*.
};

/// Event type with the fields that the analysis reads.
struct SpanType {
    Role role = Role::None;
    FieldRef name, event, duration, arg, rpc, ipc, reason, tid;
};

/// Spans of CPUs with their instructions per cycle (IPC), waits with their reasons, and remote procedure calls (RPCs), from recordings of
/// KUtrace.
///
/// Rows of the view ipc-spans: `cpu:N` and `tid:N`, in the states of ipcStates(). The value of an interval is its method: the name of a
/// system call, interrupt or trap, or "user NAME" for code of a thread in user space. A thread's attribute "rpc" has the method of the RPC
/// that the thread works on. Rows of the view wait-reasons: `tid:N`, with the reasons as states.
///
/// The work of a thread on an RPC, from the event that begins it to the event that ends it, is a segment of the kind "rpc": its name is the
/// method, its value the number of the RPC.
class CpuSpans final : public Analysis {
public:
    CpuSpans(const Trace& trace, StateSink& sink);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override { return m_types.has(type); }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override { } ///< Gaps have no spans.
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    struct Thread {
        TrackId row = NoTrack;
        TrackId rpcs = NoTrack; ///< Attribute with the methods of RPCs; NoTrack until the first one.
        TrackId waits = NoTrack; ///< Row with the reasons of waits; NoTrack until the first one.
        std::string name;
        HostTimestamp end = HostTimestamp::min(); ///< End of the last span.
        HostTimestamp waitEnd = HostTimestamp::min(); ///< End of the wait that was begun last.
        std::int64_t rpc = 0; ///< Number of the RPC that the thread works on; 0 for none.
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
    std::unordered_map<std::int64_t, std::string> m_methods; ///< Names of RPCs' methods by number.
    std::uint64_t m_unfinishedRpcs = 0;
};

} // namespace helio::cpuspans
