#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <vector>

namespace helio {

/// Counts events in at most 4096 buckets of equal length. The length is a power of two and doubles when the trace outgrows
/// them; buckets lie at multiples of it, so the outcome does not depend on the order of the calls.
class DensityCounter {
public:
    static constexpr std::size_t MaxBuckets = 4096;

    /// The bucket they fell into; it may become part of a longer one later.
    HostRange add(HostTimestamp time, std::uint64_t events);
    std::vector<DensityBucket> buckets() const;
    std::uint64_t events() const { return m_events; }

private:
    void makeRoom(std::int64_t time);
    void halve();

    int m_shift = 8; ///< Bucket length: 2^m_shift ns.
    std::int64_t m_first = 0; ///< First bucket's begin >> m_shift.
    std::vector<std::uint64_t> m_counts;
    std::uint64_t m_events = 0;
};

} // namespace helio
