#pragma once

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/store/segments.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio::fleet {

/// Digest of many durations, which can be merged with others: sum, shortest and longest duration, which are exact, and the number of
/// durations in each bucket of histogramStep(). Merging digests gives the digest of all durations, without a further error.
class DurationDigest {
public:
    /// Largest difference between an estimated percentile and the exact one, as a share of the exact one.
    static constexpr double RelativeError = 1.0 / 16;

    /// Adds a duration; a negative one counts as 0.
    void add(Duration length);
    void add(const DurationDigest& other);

    std::uint64_t count() const { return m_count; }
    Duration total() const { return m_total; } ///< Sum of the durations, saturated.
    Duration least() const { return m_least; } ///< Shortest duration; 0 if there are none.
    Duration most() const { return m_most; } ///< Longest duration; 0 if there are none.

    struct Percentile {
        Duration estimate; ///< Differs from the exact percentile by at most RelativeError.
        Duration lowest; ///< The exact percentile is at least this long.
        Duration highest; ///< The exact percentile is at most this long.
    };
    /// Returns the percentile by nearest rank: the shortest duration that is not exceeded by `percent` % of the durations; nullopt if there
    /// are no durations. `percent`: from 0 to 100; values beyond count as 0 and 100.
    /// Cost: adds up the buckets.
    std::optional<Percentile> percentile(double percent) const;

    /// A bucket with at least one duration.
    struct Bucket {
        Duration begin; ///< Shortest duration of the bucket.
        Duration end; ///< Shortest duration of the next bucket; Duration::max() for the last one.
        std::uint64_t count = 0;
    };
    /// Returns the buckets that have durations, in ascending order.
    std::vector<Bucket> buckets() const;

    /// Returns the digest as text: "TOTAL LEAST MOST STEP:COUNT COUNT STEP:COUNT ...", with the steps that have durations in ascending
    /// order. A count without a step is that of the step after the last one.
    std::string text() const;
    /// Adds a digest that text() returned.
    /// Errors: Corrupt if the text is no digest; this digest may then contain a part of it.
    Status addText(std::string_view text);

    bool operator==(const DurationDigest&) const = default;

private:
    void add(Duration total, Duration least, Duration most, std::uint64_t count);

    std::uint64_t m_count = 0;
    Duration m_total{};
    Duration m_least{};
    Duration m_most{};
    std::array<std::uint64_t, HistogramSteps> m_counts{}; ///< Number of durations by histogramStep().
};

} // namespace helio::fleet
