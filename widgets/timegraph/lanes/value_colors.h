#pragma once

#include "core/query/rows/rows.h"
#include "widgets/theme/theme.h"

namespace helio {

/// Rows whose state has StateFlag::ByValue are coloured by its values: the state is divided into as many states as there are category
/// colours, and one for the kernel's own threads, behind the set's own. A thread has the colour of its number, another row that of its
/// label; a text that names a state of the set has that state's look, any other the colour of its letters; a whole number its own, any
/// other that of its digits.

/// Gives the spans of such a row these states. Folded spans take the colour of their longest interval's value. Spans of other rows, and
/// values that say nothing, stay as they are.
void splitByValue(const Timeline& timeline, TrackRef track, Spans& spans);

/// The looks that go with it: those of the set, and behind them one for each colour.
StateLooks looksByValue(const Theme& theme, const StateSet& set);

} // namespace helio
