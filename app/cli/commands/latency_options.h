#pragma once

#include "app/cli/selection/table_options.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio {

/// Which segments latency shows, and how.
struct LatencyOptions {
    enum class Shows : std::uint8_t { Summary, List, Histogram, Periods };
    RowTableOptions table{"latency"};
    std::string kind; ///< The id of a kind of segments, or "state:" and a state's name.
    Shows shows = Shows::Summary;
    std::uint32_t buckets = 20; ///< Of the histogram.
    bool isByHosts = false; ///< Packets are called by their hosts, not by their connection; all else with the host that it is on.
    bool isWithoutStolen = false; ///< Of guests' threads only the time counts in which their vCPU ran.
    bool isLogarithmic = false; ///< Its buckets are equal in ratio.

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

/// The exit status.
int runLatency(const LatencyOptions& options);

} // namespace helio
