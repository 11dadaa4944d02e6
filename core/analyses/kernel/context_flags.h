#pragma once

#include "core/event_model/kernel_version.h"

#include <cstdint>
#include <string_view>

namespace helio::kernel {

/// Decodes common_flags, which ftrace and perf record with each event: it tells whether an interrupt had the CPU (enum trace_flag_type in
/// include/linux/trace_events.h), even if no event of the interrupt was recorded. LTTng does not record it.
class ContextFlags {
public:
    explicit ContextFlags(std::string_view release)
        : m_marksSoftirqs(parseKernelVersion(release) == 0 || parseKernelVersion(release) >= FirstExact)
    {
    }

    /// Returns what had the CPU: "interrupt" or "softirq"; empty if it was the thread.
    std::string_view interruptOf(std::int64_t flags) const
    {
        if ((flags & (HardIrq | Nmi)) != 0)
            return "interrupt";
        return m_marksSoftirqs && (flags & Softirq) != 0 ? "softirq" : "";
    }

private:
    static constexpr std::int64_t HardIrq = 0x08;
    static constexpr std::int64_t Softirq = 0x10;
    static constexpr std::int64_t Nmi = 0x40;
    /// First kernel with exact flags (4.10). Older ones also set Softirq while a thread disables softirqs (tracing_generic_entry_update()
    /// tested SOFTIRQ_MASK).
    static constexpr int FirstExact = 4010;

    bool m_marksSoftirqs;
};

} // namespace helio::kernel
