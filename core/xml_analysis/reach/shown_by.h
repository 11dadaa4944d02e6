#pragma once

#include "core/xml_analysis/program.h"

#include <string>
#include <vector>

namespace helio::xml {

/// What a view of an analysis would show and which events make that, in a sentence or two, for a view that is empty: "Its rows are the
/// attributes CPUs/*/Frequency that have a value. They are set at the event power_cpu_frequency." Of files beyond what a person writes
/// less, or nothing. Cost: some µs.
std::string whatIsShown(const Program& program, const View& view);
std::string whatIsShown(const Program& program, const CallStacks& stacks);

/// An entry of a view whose attributes no rule of the analysis can set, whatever events come: most often a slip in a path.
struct UnsetEntry {
    Place place;
    std::string path; ///< "CPUs/*": what it shows.
};

/// Those that draw something of the analysis, in the order of the file. Of views beyond what a person writes none. Cost: some µs.
std::vector<UnsetEntry> unsetEntries(const Program& program, const View& view);

} // namespace helio::xml
