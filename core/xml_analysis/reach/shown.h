#pragma once

#include "core/xml_analysis/program.h"
#include "core/xml_analysis/reach/shape.h"

#include <functional>
#include <string>
#include <vector>

namespace helio::xml {

/// What an entry of a view shows of an analysis.
struct ShownEntry {
    const ViewEntry* entry; ///< Of the view.
    ShownPath path; ///< To its rows or curves.
    std::vector<ShownPath> display; ///< To what they show; at most one.
};

/// All entries of a view that are of the analysis, in the order of the file.
std::vector<ShownEntry> shownEntries(const View& view, const std::string& analysis);

/// The attributes that call stacks are made of.
std::vector<ShownPath> shownStacks(const CallStacks& stacks);

} // namespace helio::xml
