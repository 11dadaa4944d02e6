#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <vector>

namespace helio {

/// Histogram of events over time, with at most 4096 buckets of equal length. The length in ns is a power of two and doubles when the trace
/// exceeds the buckets. Buckets begin at multiples of their length, so the result does not depend on the order of the calls.
class DensityCounter {
public:
    static constexpr std::size_t MaxBuckets = 4096;

    /// Counts events at `time`. Returns the range of the bucket, which may be merged into a longer bucket later.
    HostRange add(HostTimestamp time, std::uint64_t events);
    std::vector<DensityBucket> buckets() const;
    std::uint64_t events() const { return m_events; }

private:
    void makeRoom(std::int64_t time);
    void halve();

    int m_shift = 8; ///< Base-2 logarithm of the bucket length in ns.
    std::int64_t m_first = 0; ///< Begin of the first bucket, shifted right by m_shift.
    std::vector<std::uint64_t> m_counts;
    std::uint64_t m_events = 0;
};

} // namespace helio
