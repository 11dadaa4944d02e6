#pragma once

#include "core/declared/program.h"

#include <string>

namespace helio::declared {

/// What a view of an analysis would show and which events make that, in a sentence or two, for a view that is empty: "Its rows are the
/// attributes CPUs/*/Frequency that have a value. They are set at the event power_cpu_frequency." Of files beyond what a person writes
/// less, or nothing. Cost: some µs.
std::string whatIsShown(const Program& program, const View& view);
std::string whatIsShown(const Program& program, const CallStacks& stacks);

} // namespace helio::declared
