#pragma once

#include "core/analysis/analysis.h"
#include "core/store/store.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace helio::kvm {

/// What a trace of a host with exits lacks for them.
std::vector<Requirement> missingOfWaits(const Trace& trace);

/// What guests wait for in the hypervisor, as segments on the rows of their vCPUs: interrupts, from when kvm puts one into the vCPU until
/// the guest is entered and handles it (kvm_inj_virq, then kvm_entry); and halts, by whether kvm polled for the wake-up or gave the CPU
/// away (kvm_vcpu_wakeup, arch/x86/kvm and virt/kvm/kvm_main.c). One thread. Cost: of a look-up an event.
class VcpuWaits {
public:
    VcpuWaits(const Trace& trace, StateSink& sink);

    /// Whether events of that type say anything of it.
    bool takes(std::uint32_t type) const { return m_uses[type].role != Role::None; }

    void begin(HostTimestamp at) { m_begin = at; }
    /// Requires: it takes events of that type. `row`: the vCPU's.
    void take(const EventView& event, TrackId row);
    void onEntry(HostTimestamp at, TrackId row);
    /// Events of it were lost.
    void forget(TrackId row) { m_injected.erase(static_cast<std::uint32_t>(row)); }

private:
    enum class Role : std::uint8_t { None, Injection, WakeUp };
    struct TypeUse {
        Role role = Role::None;
        FieldRef number; ///< The interrupt's; how long the halt was, in ns.
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
    std::vector<TypeUse> m_uses; ///< By event type.
    std::unordered_map<std::uint32_t, Injected> m_injected; ///< By row: what the guest will handle next.
};

} // namespace helio::kvm
