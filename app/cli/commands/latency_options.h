#pragma once

#include "app/cli/selection/table_options.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio {

/// Options of `latency`.
struct LatencyOptions {
    enum class Shows : std::uint8_t { Summary, List, Histogram, Periods };
    RowTableOptions table{"latency"};
    std::string kind; ///< Id of an interval kind, or "state:" and a state's name.
    Shows shows = Shows::Summary;
    std::uint32_t buckets = 20; ///< Number of buckets of the histogram.
    bool isGroupedByHost =
        false; ///< Packets are named by their hosts instead of their connection; all other intervals are told apart by host.
    bool excludesSteal = false; ///< For threads of guests, counts only the time in which their vCPU ran.
    bool isLogarithmic = false; ///< The histogram's buckets are equal in ratio.

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

/// Runs `latency` and returns the exit status.
int runLatency(const LatencyOptions& options);

} // namespace helio
