#pragma once

#include "core/analysis/analysis.h"
#include "core/store/store.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace helio::kvm {

/// Returns the events about waits (halts, interrupts) that are missing in a trace with exits.
std::vector<MissingEvents> missingOfWaits(const Trace& trace);

/// Writes two kinds of waits of guests, while the hypervisor runs, as segments on the rows of the vCPUs:
/// - interrupts: from their injection by kvm to the next entry into the guest, which then handles the interrupt (kvm_inj_virq, then
///   kvm_entry);
/// - halts: named by whether kvm polled for the wake-up or released the CPU (kvm_vcpu_wakeup; arch/x86/kvm and virt/kvm/kvm_main.c).
///
/// Threads: used by one thread.
/// Cost: a lookup for each event.
class VcpuWaits {
public:
    VcpuWaits(const Trace& trace, StateSink& sink);

    /// Returns true if events of this type are about waits.
    bool takes(std::uint32_t type) const { return m_uses[type].role != Role::None; }

    void begin(HostTimestamp at) { m_begin = at; }
    /// Processes an event. `row`: the row of the vCPU's thread. Requires: takes() returns true for the event's type.
    void take(const EventView& event, TrackId row);
    void onEntry(HostTimestamp at, TrackId row);
    /// Drops the pending interrupt of a row because events were lost.
    void forget(TrackId row) { m_injected.erase(static_cast<std::uint32_t>(row)); }

private:
    enum class Role : std::uint8_t { None, Injection, WakeUp };
    struct TypeUse {
        Role role = Role::None;
        FieldRef number; ///< Field with the number of the interrupt, or with the duration of the halt in ns.
        FieldRef hasWaited;
    };
    struct Injected {
        HostTimestamp at;
        std::int64_t number = -1;
    };
    static TypeUse useOf(const EventType& type);
    void halt(const EventView& event, const TypeUse& use, TrackId row);

    StateSink& m_sink;
    SegmentKindId m_interrupts{};
    SegmentKindId m_halts{};
    HostTimestamp m_begin{};
    std::vector<TypeUse> m_uses; ///< Role and fields of each event type, indexed by EventTypeId.
    /// Injected interrupts that the guest will handle after its next entry, keyed by the row of the vCPU's thread.
    std::unordered_map<std::uint32_t, Injected> m_injected;
};

} // namespace helio::kvm
