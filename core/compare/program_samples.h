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

/// Returns the kinds of samples to compare: the two columns of such a text; in other traces the first kind of A that B has too, by the same
/// name or as CPU time under another name; where they share none, the first kind of each. A side without samples has an empty name.
std::pair<SampleKind, SampleKind> comparedKinds(const Timeline& a, const Timeline& b);

} // namespace helio
