#pragma once

#include "core/xml_analysis/program.h"

#include <string>
#include <vector>

namespace helio::xml {

/// Describes for an empty view what the view would show and which events would set it: "Its rows are the attributes CPUs/*/Frequency that
/// have a value. They are set at the event power_cpu_frequency." The text is shorter or empty for files that are larger than handwritten
/// ones.
/// Cost: a few µs.
std::string describeShownAttributes(const Program& program, const View& view);
std::string describeShownAttributes(const Program& program, const CallStacks& stacks);

/// An entry of a view with attributes that no rule of the analysis can set, whatever events occur; most often because of a mistyped path.
struct UnsettableEntry {
    SourcePosition place;
    std::string path; ///< Path to the attributes that the entry shows, for example "CPUs/*".
};

/// Returns the entries of the view that show only attributes that no rule of the analysis can set, in file order. Returns none for a view
/// or program of a size that only generated files have, because the search would take long.
/// Cost: a few µs.
std::vector<UnsettableEntry> findUnsettableEntries(const Program& program, const View& view);

} // namespace helio::xml
