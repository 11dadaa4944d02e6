#pragma once

#include "core/compare/subject.h"

namespace helio {

/// The samples of all that the subject did in its runs. Of `filter`, what concerns time and threads is replaced.
///
/// Threads, cost: as collectStacks(). Without runs: none.
StackProfile collectRuns(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs, SampleFilter filter,
                         QueryProgress* progress = nullptr, std::stop_token stop = {});

/// Both are the same text with two counts a stack: one is A, the other B.
bool areColumns(const Timeline& a, const Timeline& b);

/// The kinds to compare: the columns of such a text; else the first of A that B has too by its name, or as CPU time under another name;
/// else the first of each. Empty names: a side has no samples.
std::pair<SampleKind, SampleKind> comparedKinds(const Timeline& a, const Timeline& b);

} // namespace helio
