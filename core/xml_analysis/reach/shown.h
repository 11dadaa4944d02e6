#pragma once

#include "core/xml_analysis/program.h"
#include "core/xml_analysis/reach/shape.h"

#include <functional>
#include <string>
#include <vector>

namespace helio::xml {

/// Attributes of an analysis that an entry of a view shows.
struct ShownAttributes {
    const ViewEntry* entry; ///< Entry of the view; valid as long as the view.
    ShownPath path; ///< Path to the attributes of its rows or curves.
    std::vector<ShownPath> display; ///< Path to the attributes with the values; at most one.
};

/// Returns the entries of a view that show the analysis, in file order.
std::vector<ShownAttributes> findShownAttributes(const View& view, const std::string& analysis);

/// Returns the attributes that contain the call stacks.
std::vector<ShownPath> shownStacks(const CallStacks& stacks);

} // namespace helio::xml
