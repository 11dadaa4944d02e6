#pragma once

#include "core/query/rows/rows.h"
#include "widgets/theme/theme.h"

namespace helio {

/// Rows that say which thread had a CPU are coloured by thread: their state with StateFlag::ByValue is divided into as many states as there
/// are category colours, and one for the kernel's own threads, behind the set's own.

/// Gives the spans of such a row these states. Folded spans take the colour of their longest thread. Spans of other rows stay as they are.
void splitByThread(const Timeline& timeline, TrackRef track, Spans& spans);

/// The looks that go with it: those of the set, and behind them one for each colour.
StateLooks looksByThread(const Theme& theme, const StateSet& set);

} // namespace helio
