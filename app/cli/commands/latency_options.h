#pragma once

#include "app/cli/selection/table_options.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio {

struct LatencyOptions {
    enum class Shows : std::uint8_t { Summary, List, Histogram, Periods };
    RowTableOptions table{"latency"};
    std::string kind; ///< Id of an interval kind, or "state:" and a state's name.
    Shows shows = Shows::Summary;
    std::uint32_t buckets = 20; ///< Number of buckets of the histogram.
    bool isGroupedByHost =
        false; ///< True to name packets by their hosts instead of their connection, and to keep equal names of several hosts apart.
    bool excludesSteal = false; ///< True to count only time in which the vCPU ran, for threads of guests.
    bool isLogarithmic = false; ///< True for histogram buckets with equal ratios instead of equal widths.

    void addTo(OptionList& options);
    std::string missing() const;
    Status read();

private:
    Status readOwn();

    struct {
        std::string by;
        std::optional<std::int64_t> buckets;
        bool isList = false, isHistogram = false, arePeriods = false;
    } m_given;
};

/// Runs `heliograph latency`. Returns the exit status of the program.
int runLatency(const LatencyOptions& options);

} // namespace helio
