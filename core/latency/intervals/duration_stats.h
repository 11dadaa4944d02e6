#pragma once

#include "core/latency/intervals/histogram.h"
#include "core/query/rows/duration_distribution.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// How long things of one name lasted.
struct DurationStats {
    std::string name;
    std::string module; ///< Of functions; empty: of none that is known.
    DurationDistribution lengths;
    Timestamp leastAt{}; ///< Where the first of the shortest began.
    Timestamp mostAt{}; ///< Where the first of the longest began.
    std::optional<Duration> self; ///< Of functions: the sum without callees.
    std::optional<Duration> onCpu; ///< Of functions whose threads' states are known: the sum of their times on a CPU.
    // Where they were asked for.
    std::vector<HistogramBucket> logarithmic; ///< Of equal ratios.
    std::vector<HistogramBucket> linear; ///< Of equal widths.
};

/// What is known of something that is named by a function, as a call is, beside its length.
struct CallPart {
    std::string_view module;
    std::optional<Duration> self;
    std::optional<Duration> onCpu;
};

/// Takes things with a name and a length, one by one, in any order, and sums them up by name. One thread. Memory: 8 bytes for each thing,
/// since percentiles are exact, and some 200 for each name.
class DurationAggregator {
public:
    DurationAggregator() = default;
    DurationAggregator(const DurationAggregator&) = delete; // It refers to its own sums.
    DurationAggregator& operator=(const DurationAggregator&) = delete;

    void add(std::string_view name, TimeRange range, const std::optional<CallPart>& call = {});

    /// All that another one took.
    void add(DurationAggregator&& other);

    /// The most time first, then by name, each with at most so many buckets. They are handed over: none is left. On several threads.
    std::vector<DurationStats> take(std::size_t buckets = 0);

private:
    using Key = std::pair<std::string, std::string>; ///< Name and module.
    struct Sum {
        std::vector<std::int64_t> lengths; ///< Ns.
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

    /// A name that was met, where its text lay then: the next ones mostly lie there, too.
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
