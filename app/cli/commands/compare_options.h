#pragma once

#include "app/cli/selection/difference_options.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/sample_options.h"
#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"

#include <cstdint>

namespace helio {

/// Options of `compare`.
struct CompareOptions {
    enum class Shows : std::uint8_t {
        Breakdown, ///< Wall time by state; functions if samples have no times.
        Functions,
        Folded,
        Svg,
        Durations, ///< Durations of state intervals and system calls, by name.
    };
    SideOptions sides;
    std::vector<std::filesystem::path> traces; ///< Input of --calls, instead of `sides`.
    std::string calls; ///< Function whose slow calls are compared with its quick calls; empty if the two sides are compared.
    std::optional<Duration> longerThan; ///< Calls that last longer are slow; nullopt: longer than the median.
    ReadingOptions reading;
    SelectionOptions selection;
    DifferenceOptions difference;
    SampleOptions samples;
    FormatOptions format{"compare", {"text", "table", "csv", "json", "folded", "svg"}};
    Shows shows = Shows::Breakdown;
    bool isInverted = false; ///< Inverted flame graph: callers are children.
    bool isIcicle = false; ///< Icicle layout of the flame graph: roots on top.

    void addTo(OptionList& options);
    std::string missing() const { return calls.empty() ? sides.missing() : missingTrace(traces); }
    Status read();

private:
    Status checkFormat() const;
    Status readShown();
    Status readCalls();
    Status checkCalls() const;

    struct {
        std::string longerThan;
        bool isOfFunctions = false, isOfDurations = false;
    } m_given;
};

} // namespace helio
