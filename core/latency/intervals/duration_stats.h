#pragma once

#include "core/base/time.h"
#include "core/query/rows/duration_distribution.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// Number of durations from `from` (inclusive) to `to` (exclusive).
struct HistogramBucket {
    Duration from{};
    Duration to{};
    std::uint64_t count = 0;
    bool operator==(const HistogramBucket&) const = default;
};

/// Returns a histogram of `lengths`: durations in ns, in any order. It has at most `most` adjoining buckets from the shortest to the
/// longest duration. The buckets have equal widths, or equal ratios if `isLogarithmic`; negative durations and durations of 0 then each
/// have a bucket of their own at the front. Requires: most >= 1.
/// Cost: about 5 ns per duration.
std::vector<HistogramBucket> bucketsOf(std::span<const std::int64_t> lengths, std::size_t most, bool isLogarithmic);

/// Statistics of the durations of all intervals with one name. Calls without a recorded exit have no duration: they count in count(),
/// total(), `self` and `onCpu` alone, with the time until the trace, their caller or their thread ended.
struct DurationStats {
    std::string name;
    std::string module; ///< Module of the function, if the name is a function; empty if unknown.
    DurationDistribution lengths;
    Timestamp leastAt{}; ///< Start time of the earliest of the shortest intervals.
    Timestamp mostAt{}; ///< Start time of the earliest of the longest intervals.
    std::optional<Duration> self; ///< Total self time (without callees); nullopt unless the name is a function.
    std::optional<Duration> onCpu; ///< Total time on a CPU; nullopt unless the name is a function and the CPU time is known.
    // Histograms; empty unless buckets were requested.
    std::vector<HistogramBucket> logarithmic; ///< Histogram with buckets of equal ratios.
    std::vector<HistogramBucket> linear; ///< Histogram with buckets of equal widths.
    std::uint64_t unfinished = 0; ///< Number of calls without a recorded exit; not in `lengths`.
    Duration unfinishedTime{}; ///< Sum of the known times of these calls.

    std::uint64_t count() const { return lengths.count + unfinished; }
    /// Total time of all intervals, saturated; a minimum if `unfinished` is not 0.
    Duration total() const { return sumOf(lengths.total, unfinishedTime); }
};

/// Self time, CPU time and module of an interval that is a call of a function.
struct CallPart {
    std::string_view module;
    std::optional<Duration> self;
    std::optional<Duration> onCpu;
    bool lacksCpuTime = false; ///< True if the application recorded CPU times of calls, but not of this one.
};

/// Collects durations of intervals by name. Intervals may be added in any order.
/// Threads: used by one thread.
/// Memory: 8 bytes per interval, because percentiles are exact, and about 200 bytes per name.
class DurationAggregator {
public:
    DurationAggregator() = default;
    DurationAggregator(const DurationAggregator&) = delete; // The object is not copyable, because m_met points into m_sums.
    DurationAggregator& operator=(const DurationAggregator&) = delete;

    /// Adds an interval. `isUnfinished`: true for a call without a recorded exit.
    void add(std::string_view name, TimeRange range, const std::optional<CallPart>& call = {}, bool isUnfinished = false);

    /// Adds all intervals of `other` and empties `other`.
    void add(DurationAggregator&& other);

    /// Returns the statistics of all names, ordered by decreasing total, then by name, each with histograms of at most `buckets` buckets.
    /// Empties this object. Uses several threads.
    std::vector<DurationStats> take(std::size_t buckets = 0);

private:
    using Key = std::pair<std::string, std::string>; ///< Name of the intervals, and module of the function if they are calls.
    struct Sum {
        std::vector<std::int64_t> lengths; ///< Durations in ns of the intervals with this name.
        TimeRange least;
        TimeRange most;
        std::optional<Duration> self;
        std::optional<Duration> onCpu;
        bool lacksCpuTime = false; ///< True if one of the calls has CallPart::lacksCpuTime.
        std::uint64_t unfinished = 0;
        Duration unfinishedTime{};
    };
    static void addUnfinished(Sum& sum, std::uint64_t count, Duration time);
    struct ByNameAndModule {
        using is_transparent = void;
        template <typename A, typename B> bool operator()(const A& a, const B& b) const
        {
            const auto texts = [](const auto& it) { return std::pair<std::string_view, std::string_view>(it.first, it.second); };
            return texts(a) < texts(b);
        }
    };
    using Sums = std::map<Key, Sum, ByNameAndModule>;

    /// Cache entry that finds the sum of a name by the address of the name's text. Most intervals with one name share one text.
    struct Met {
        const char* text = nullptr;
        Sums::value_type* sum = nullptr;
    };

    static DurationStats lengthsOf(const Key& key, Sum& sum, std::size_t buckets);
    Sum& sumOf(std::string_view name, std::string_view module);
    static void addEnds(Sum& sum, TimeRange least, TimeRange most);

    Sums m_sums;
    std::array<Met, 64> m_met{};
};

} // namespace helio
