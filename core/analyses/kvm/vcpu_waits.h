#pragma once

#include "core/analysis/analysis.h"
#include "core/store/store.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace helio::kvm {

/// Returns the events of waits (halts, interrupts) that a trace with exits lacks.
std::vector<MissingEvents> missingOfWaits(const Trace& trace);

/// Writes waits of guests in the hypervisor, as segments on the rows of their vCPUs: interrupts, from when kvm injects one into the vCPU
/// until the guest is entered and handles it (kvm_inj_virq, then kvm_entry); and halts, named by whether kvm polled for the wake-up or gave
/// the CPU away (kvm_vcpu_wakeup, arch/x86/kvm and virt/kvm/kvm_main.c).
///
/// Threads: to be used by one thread.
/// Cost: a look-up for each event.
class VcpuWaits {
public:
    VcpuWaits(const Trace& trace, StateSink& sink);

    /// Returns true if events of the type report waits.
    bool takes(std::uint32_t type) const { return m_uses[type].role != Role::None; }

    void begin(HostTimestamp at) { m_begin = at; }
    /// Takes an event. `row`: the row of the vCPU's thread. Requires: takes() of the event's type.
    void take(const EventView& event, TrackId row);
    void onEntry(HostTimestamp at, TrackId row);
    /// Drops the pending interrupt of a row, because events were lost.
    void forget(TrackId row) { m_injected.erase(static_cast<std::uint32_t>(row)); }

private:
    enum class Role : std::uint8_t { None, Injection, WakeUp };
    struct TypeUse {
        Role role = Role::None;
        FieldRef number; ///< Number of the interrupt, or duration of the halt in ns.
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
    std::vector<TypeUse> m_uses; ///< Indexed by EventTypeId.
    std::unordered_map<std::uint32_t, Injected> m_injected; ///< The interrupt that the guest handles after the next entry, by row.
};

} // namespace helio::kvm
