#pragma once

#include "app/cli/selection/difference_options.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/sample_options.h"
#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"

#include <cstdint>

namespace helio {

/// What compare compares, and as what.
struct CompareOptions {
    enum class Shows : std::uint8_t {
        Ledger, ///< Where the wall time went; functions where samples have no times.
        Functions,
        Folded,
        Svg,
        Durations, ///< How long each stay in a state lasted, not where the time went.
    };
    SideOptions sides;
    std::vector<std::filesystem::path> traces; ///< Of --calls, instead of the sides.
    std::string calls; ///< The function whose slow calls are compared with its quick ones. Empty: sides are compared.
    std::optional<Duration> longerThan; ///< The slow ones; none: than the median.
    ReadingOptions reading;
    SelectionOptions selection;
    DifferenceOptions difference;
    SampleOptions samples;
    FormatOptions format{"compare", {"text", "table", "csv", "json", "folded", "svg"}, "; table, folded and svg are of call stacks"};
    Shows shows = Shows::Ledger;
    bool isInverted = false; ///< Of the picture: callers are children.
    bool isIcicle = false; ///< Of the picture: roots on top.

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
