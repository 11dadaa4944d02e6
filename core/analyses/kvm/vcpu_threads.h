#pragma once

#include "core/analyses/kvm/exit_counts.h"
#include "core/analyses/kvm/exit_reasons.h"
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

/// Whether any of its events says when a vCPU's thread left the guest, or went back to it.
bool hasExits(const Trace& trace);

/// Of each thread that goes in and out of a guest: when it was in it, and why it left. A row a thread (of VcpuThreadKind, in no view),
/// whose `cpu` is the number of the vCPU, -1 where no event is to be trusted with it, and whose label is the event that says it. Each exit
/// is a segment, up to the entry that follows it, and counted by reason.
///
/// Whose an event is the kernel's own analysis says: which thread the CPU had. Threads: one. Cost: some 50 ns for each of its events.
class VcpuThreads final : public Analysis {
public:
    /// `kernel`: what the scheduler's events say of the same trace.
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
    /// The numbers of vCPUs that one kind of events gave a thread's.
    struct Numbers {
        std::int64_t number = -1;
        bool isOne = true; ///< They all gave the same.

        void add(std::int64_t vcpu);
        bool areGood() const { return number >= 0 && isOne; }
    };
    struct Thread {
        TrackId row = NoTrack;
        std::int32_t process = -1; ///< Its pid, or where that is not known its tid.
        std::int32_t cpu = -1; ///< Of its last event.
        HostTimestamp last{}; ///< Its time.
        std::optional<HostTimestamp> knownFrom; ///< It is not known what it does, or did until then: its next event says what it did since.
        std::optional<HostTimestamp> exit; ///< It is in the hypervisor since then.
        StringId reason{};
        Numbers ofExits;
        Numbers ofEntries;
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
    bool mayBeIn(const Loss& loss, const Thread& thread) const { return loss.cpu < 0 || loss.cpu == thread.cpu; }

    const Trace& m_trace;
    const Store& m_kernel;
    StateSink& m_sink;
    StateSetId m_states{};
    SegmentKindId m_exits{};
    HostTimestamp m_begin;
    std::vector<TypeUse> m_uses; ///< By event type.
    std::vector<ThreadFields> m_fields; ///< The same.
    std::map<std::int32_t, CpuThreads> m_cpus;
    std::unordered_map<std::uint32_t, Thread> m_threads; ///< By their rows in the kernel's store.
    std::map<std::pair<Isa, std::int64_t>, Reason> m_reasons;
    ExitCounts m_counts;
    VcpuWaits m_waits;
};

} // namespace helio::kvm
