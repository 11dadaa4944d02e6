#pragma once

#include "core/base/time.h"

namespace helio {

/// From one host's clock to the experiment's: a shift. (Drift comes with synchronization.)
/// Saturates at the ends of time, so that "from the beginning" stays that on every clock.
class ClockTransform {
public:
    ClockTransform() = default;
    explicit ClockTransform(Duration offset) : m_offset(offset) {}

    Timestamp operator()(HostTimestamp t) const { return Timestamp(shifted(t.time_since_epoch(), m_offset)); }
    HostTimestamp inverse(Timestamp t) const { return HostTimestamp(shifted(t.time_since_epoch(), -m_offset)); }
    TimeRange operator()(HostRange r) const { return {(*this)(r.begin), (*this)(r.end)}; }
    HostRange inverse(TimeRange r) const { return {inverse(r.begin), inverse(r.end)}; }

    Duration offset() const { return m_offset; }

private:
    static Duration shifted(Duration t, Duration by)
    {
        std::int64_t sum = 0;
        if (__builtin_add_overflow(t.count(), by.count(), &sum))
            return by < Duration{} ? Duration::min() : Duration::max();
        return Duration(sum);
    }

    Duration m_offset{};
};

} // namespace helio
