#pragma once

#include "core/store/samples.h"
#include "core/trace/fields/field_ref.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace helio::sampling {

/// The fields of lock:contention_begin and lock:contention_end.
struct ContentionFields {
    FieldRef lock;
    FieldRef tid; ///< TID of the waiting thread in the host's numbering.
    bool isBegin = false;
    static std::optional<ContentionFields> of(const EventType& type);
};

/// Makes samples of the time that threads wait for kernel locks, spinning or sleeping, with the stack at the beginning of the wait.
///
/// The samples have one kind, "lock-wait". A second contention_begin for the same lock continues the wait, e.g. when a mutex is first spun
/// for and then slept for. A wait without an end makes no sample. The idle thread of each CPU can wait, too, in an interrupt while the CPU
/// is idle. Lost events drop all open waits.
class LockWaits {
public:
    explicit LockWaits(SampleSink& sink)
        : m_sink(sink)
    {
    }

    /// Takes an event. `sample`: the event's own sample.
    void take(const HostSample& sample, std::int32_t tid, const ContentionFields& fields, const EventView& event);
    void forget() { m_waits.clear(); }

private:
    using WaitId = std::pair<std::int32_t, std::int64_t>; ///< Thread and lock; the idle thread of a CPU is -1 - CPU.

    SampleSink& m_sink;
    std::optional<SampleKindId> m_kind; ///< Added when first needed.
    std::map<WaitId, HostSample> m_waits; ///< Samples at the beginnings of open waits.
};

} // namespace helio::sampling
