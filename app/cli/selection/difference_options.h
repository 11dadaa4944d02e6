#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"
#include "core/compare/difference_basis.h"
#include "core/compare/difference_widths.h"

#include <optional>
#include <string>

namespace helio {

/// How the call stacks of two sides are compared.
struct DifferenceOptions {
    std::optional<DifferenceBasis> basis; ///< None: what fits the samples.
    DifferenceWidths widths;
    bool ofTotals = false; ///< Colours show the change with callees.
    bool byRatio = false;
    bool isOfAll = false; ///< All samples, not those of one program.

    void addTo(OptionList& options);
    Status read();

private:
    struct {
        std::string per, width = "b"; ///< Without `per`: of a process, or of a unit of work where --units-a or --units-b gives some.
        double unitsA = 1, unitsB = 1;
    } m_given;
};

} // namespace helio
