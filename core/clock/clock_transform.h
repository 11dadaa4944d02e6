#pragma once

#include "core/base/time.h"

namespace helio {

/// From one host's clock to the experiment's: a shift. (Drift comes with synchronization.)
class ClockTransform {
public:
    ClockTransform() = default;
    explicit ClockTransform(Duration offset) : m_offset(offset) {}

    Timestamp operator()(HostTimestamp t) const { return Timestamp(t.time_since_epoch() + m_offset); }
    HostTimestamp inverse(Timestamp t) const { return HostTimestamp(t.time_since_epoch() - m_offset); }
    TimeRange operator()(HostRange r) const { return {(*this)(r.begin), (*this)(r.end)}; }
    HostRange inverse(TimeRange r) const { return {inverse(r.begin), inverse(r.end)}; }

    Duration offset() const { return m_offset; }

private:
    Duration m_offset{};
};

} // namespace helio
