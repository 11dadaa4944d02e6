#pragma once

#include "core/xml_analysis/program.h"

#include <string>
#include <vector>

namespace helio::xml {

/// Describes for an empty view what the view would show and which events set that: "Its rows are the attributes CPUs/*/Frequency that have
/// a value. They are set at the event power_cpu_frequency." Shorter or empty for files that are larger than handwritten ones.
/// Cost: a few µs.
std::string describeShownAttributes(const Program& program, const View& view);
std::string describeShownAttributes(const Program& program, const CallStacks& stacks);

/// An entry of a view with attributes that no rule of the analysis can set, whatever the events are; most often a mistyped path.
struct UnsettableEntry {
    SourcePosition place;
    std::string path; ///< Path to what the entry shows, e.g. "CPUs/*".
};

/// Returns the entries that would draw something of the analysis but can never be set, in file order. None for views that are larger than
/// handwritten ones.
/// Cost: a few µs.
std::vector<UnsettableEntry> findUnsettableEntries(const Program& program, const View& view);

} // namespace helio::xml
