#pragma once

#include "core/store/samples.h"
#include "core/trace/fields/field_ref.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace helio::sampling {

/// What is read of lock:contention_begin and lock:contention_end.
struct ContentionFields {
    FieldRef lock;
    FieldRef tid; ///< As the host numbers threads.
    bool isBegin = false;
    static std::optional<ContentionFields> of(const EventType& type);
};

/// Makes samples of the time that threads wait for locks of the kernel, spinning or asleep: with the stack that they began to wait with.
///
/// One kind, "lock-wait". A wait goes on where it is said to begin once more, as that for a mutex which is first spun for; those that do
/// not end are none. Each CPU has an idle thread, which waits where an interrupt does while the CPU is idle. Lost events make all of it
/// unknown.
class LockWaits {
public:
    explicit LockWaits(SampleSink& sink)
        : m_sink(sink)
    {
    }

    /// `sample`: the event's own.
    void take(const HostSample& sample, std::int32_t tid, const ContentionFields& fields, const EventView& event);
    void forget() { m_waits.clear(); }

private:
    using WaitId = std::pair<std::int32_t, std::int64_t>; ///< Thread, or -1 less the CPU that is idle, and lock.

    SampleSink& m_sink;
    std::optional<SampleKindId> m_kind; ///< Made when it is first needed.
    std::map<WaitId, HostSample> m_waits; ///< By their begins.
};

} // namespace helio::sampling
