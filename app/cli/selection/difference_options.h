#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"
#include "core/compare/difference_basis.h"
#include "core/compare/difference_widths.h"

#include <optional>
#include <string>

namespace helio {

/// Options for the comparison of the call stacks of two sides.
struct DifferenceOptions {
    std::optional<DifferenceBasis> basis; ///< Basis of the comparison; nullopt for the default basis of the samples.
    DifferenceWidths widths;
    bool ofTotals = false; ///< True to colour frames by the change of their total instead of their self amount.
    bool byRatio = false;
    bool isOfAll = false; ///< True to compare all samples instead of the samples of one program.

    void addTo(OptionList& options);
    Status read();

private:
    struct {
        /// Arguments of --per (the basis of the amounts) and --width (the side that determines the widths of frames). Without --per,
        /// amounts are per process, or per unit of work if --units-a or --units-b is given.
        std::string per, width = "b";
        double unitsA = 1, unitsB = 1;
    } m_given;
};

} // namespace helio
