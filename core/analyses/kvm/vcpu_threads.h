#pragma once

#include "core/analyses/kvm/exit_counts.h"
#include "core/analyses/kvm/vcpu_waits.h"
#include "core/analysis/analysis.h"
#include "core/event_model/cpu_threads.h"
#include "core/event_model/thread_fields.h"
#include "core/event_model/vcpu_modes.h"
#include "core/trace/fields/field_ref.h"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::kvm {

/// Returns true if the trace has events for VM exits or VM entries of vCPUs.
bool hasExits(const Trace& trace);

/// Computes for each vCPU thread when it was in the guest and why it exited. Each thread gets a row of the kind VcpuThreadKind, which no
/// view shows. The row's `cpu` is the number of the vCPU, -1 if no event gives it reliably; the row's label is the name of the event that
/// gives the number. Each exit becomes a segment that ends at the following entry, and is counted by reason.
///
/// An event belongs to the thread that its CPU was running according to the kernel analysis.
/// Threads: used by one thread.
/// Cost: about 50 ns for each event of the used types.
class VcpuThreads final : public Analysis {
public:
    /// `kernel`: the store of the kernel analysis of the same trace.
    VcpuThreads(const Trace& trace, const Store& kernel, StateSink& sink);

    void begin(HostTimestamp at) override;
    bool takes(EventTypeId type) const override { return m_uses[static_cast<std::size_t>(type)].role != Role::None; }
    void onEvents(const EventRun& run) override;
    void onLossBegin(const Loss& loss) override;
    void onLoss(const Loss& loss) override;
    void finish(HostTimestamp at) override;

private:
    enum class Role : std::uint8_t { None, Exit, Entry, Wait };
    struct TypeUse {
        Role role = Role::None;
        FieldRef reason;
        FieldRef isa;
        FieldRef vcpu;
    };
    /// vCPU number of a thread, according to its events of one type (exits or entries).
    struct VcpuNumbers {
        std::int64_t number = -1;
        bool isUnique = true; ///< True if all events had one vCPU number, and this number is in the valid range (0 to MostVcpus - 1).

        void add(std::int64_t vcpu);
        bool isReliable() const { return number >= 0 && isUnique; }
    };
    struct Thread {
        TrackId row = NoTrack;
        std::int32_t process = -1; ///< PID of the vCPU thread's process; the thread's TID if the process is unknown.
        std::int32_t cpu = -1; ///< CPU of the thread's last event.
        HostTimestamp last{}; ///< Time of the thread's last event.
        /// Beginning of a time whose mode (guest or hypervisor) only the thread's next event will show, e.g. after lost events; nullopt if
        /// the mode is known. If the next event is an exit, the thread was in the guest; if it is an entry, in the hypervisor.
        std::optional<HostTimestamp> modePendingSince;
        std::optional<HostTimestamp> exit; ///< Beginning of the current exit; nullopt unless the thread is in the hypervisor.
        StringId reason{};
        VcpuNumbers exitNumbers;
        VcpuNumbers entryNumbers;
    };

    struct Reason {
        std::string words;
        StringId id{};
    };

    static TypeUse useOf(const EventType& type);
    void take(const EventView& event, const TypeUse& use);
    Thread* threadOf(const EventView& event, const TypeUse& use);
    Thread& threadOf(TrackId kernelRow);
    void exit(const EventView& event, const TypeUse& use, Thread& thread);
    void entry(const EventView& event, Thread& thread);
    void endExit(HostTimestamp at, Thread& thread);
    void lose(HostTimestamp at, Thread& thread);
    void set(HostTimestamp at, Thread& thread, VcpuMode mode, StringId reason = {});
    bool mayAffect(const Loss& loss, const Thread& thread) const { return loss.cpu < 0 || loss.cpu == thread.cpu; }

    const Trace& m_trace;
    const Store& m_kernel;
    StateSink& m_sink;
    StateSetId m_states{};
    SegmentKindId m_exits{};
    HostTimestamp m_begin;
    std::vector<TypeUse> m_uses; ///< Role and fields of each event type, indexed by EventTypeId.
    std::vector<ThreadFields> m_fields; ///< Fields that identify the thread of an event, for each event type; indexed by EventTypeId.
    std::map<std::int32_t, CpuThreads> m_cpus;
    std::unordered_map<std::uint32_t, Thread> m_threads; ///< Threads of vCPUs, keyed by the thread's row in the kernel store.
    std::map<std::pair<Isa, std::int64_t>, Reason> m_reasons;
    ExitCounts m_counts;
    VcpuWaits m_waits;
};

} // namespace helio::kvm
