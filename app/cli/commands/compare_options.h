#pragma once

#include "app/cli/selection/difference_options.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/sample_options.h"
#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"

#include <cstdint>

namespace helio {

struct CompareOptions {
    enum class Shows : std::uint8_t {
        Breakdown, ///< Breakdown of the wall time by state; a table of functions if samples have no times.
        Functions,
        Folded,
        Svg,
        Durations, ///< Durations of state intervals and system calls, by name.
    };
    SideOptions sides;
    std::vector<std::filesystem::path> traces; ///< Traces whose calls are compared with each other (--calls); used instead of `sides`.
    std::string calls; ///< Function whose slow calls are compared with its quick calls; empty if the two sides are compared.
    std::optional<Duration> longerThan; ///< Threshold above which a call is slow; nullopt for the median.
    ReadingOptions reading;
    SelectionOptions selection;
    DifferenceOptions difference;
    SampleOptions samples;
    FormatOptions format{"compare", {"text", "table", "csv", "json", "folded", "svg"}};
    Shows shows = Shows::Breakdown;
    bool isInverted = false; ///< True for an inverted flame graph, in which callers are children.
    bool isIcicle = false; ///< True for the icicle layout of the flame graph, with roots on top.

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
