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

/// Count of the lengths in [from, to).
struct HistogramBucket {
    Duration from{};
    Duration to{};
    std::uint64_t count = 0;
    bool operator==(const HistogramBucket&) const = default;
};

/// Returns a histogram of lengths in ns (in any order) with at most `most` adjoining buckets, from the shortest length to the longest. The
/// buckets have equal widths, or, if `isLogarithmic`, equal ratios. With equal ratios, lengths below 0 and lengths of 0 have a bucket each,
/// before the others. Requires: most >= 1.
/// Cost: about 5 ns per length.
std::vector<HistogramBucket> bucketsOf(std::span<const std::int64_t> lengths, std::size_t most, bool isLogarithmic);

/// Durations of the intervals of one name.
struct DurationStats {
    std::string name;
    std::string module; ///< Module, if the name is a function; empty if unknown.
    DurationDistribution lengths;
    Timestamp leastAt{}; ///< Begin of the first of the shortest intervals.
    Timestamp mostAt{}; ///< Begin of the first of the longest intervals.
    std::optional<Duration> self; ///< Total time without callees; only for functions.
    std::optional<Duration> onCpu; ///< Total time on a CPU; only for functions, and only if the states of the threads are known.
    // The histograms are empty unless buckets were requested.
    std::vector<HistogramBucket> logarithmic; ///< Histogram with buckets of equal ratios.
    std::vector<HistogramBucket> linear; ///< Histogram with buckets of equal widths.
};

/// Facts of an interval that is named by a function, for example a call.
struct CallPart {
    std::string_view module;
    std::optional<Duration> self;
    std::optional<Duration> onCpu;
};

/// Sums up the durations of intervals by name. Intervals may be added in any order.
/// Threads: to be used by one thread.
/// Memory: 8 bytes per interval, because percentiles are exact, and about 200 bytes per name.
class DurationAggregator {
public:
    DurationAggregator() = default;
    DurationAggregator(const DurationAggregator&) = delete; // Members refer to m_sums.
    DurationAggregator& operator=(const DurationAggregator&) = delete;

    void add(std::string_view name, TimeRange range, const std::optional<CallPart>& call = {});

    /// Adds all intervals of another aggregator, which is empty afterwards.
    void add(DurationAggregator&& other);

    /// Returns the durations by name, the largest total first, then by name, each with histograms of at most `buckets` buckets. The
    /// aggregator is empty afterwards. Works on several threads.
    std::vector<DurationStats> take(std::size_t buckets = 0);

private:
    using Key = std::pair<std::string, std::string>; ///< Name and module.
    struct Sum {
        std::vector<std::int64_t> lengths; ///< Lengths in ns.
        TimeRange least;
        TimeRange most;
        std::optional<Duration> self;
        std::optional<Duration> onCpu;
    };
    struct ByNameAndModule {
        using is_transparent = void;
        template <typename A, typename B> bool operator()(const A& a, const B& b) const
        {
            const auto texts = [](const auto& it) { return std::pair<std::string_view, std::string_view>(it.first, it.second); };
            return texts(a) < texts(b);
        }
    };
    using Sums = std::map<Key, Sum, ByNameAndModule>;

    /// Cache entry: the sum of a name by the address of its text. Most intervals of a name have their text at the same address.
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
