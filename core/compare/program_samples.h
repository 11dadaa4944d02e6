#pragma once

#include "core/compare/subject.h"

namespace helio {

/// Returns the samples of all that the subject did in its runs; none without runs. Ranges, threads and processes of `filter` are replaced.
///
/// Threads and cost: like collectStacks().
StackProfile collectRuns(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs, SampleFilter filter,
                         QueryProgress* progress = nullptr, std::stop_token stop = {});

/// True if A and B are the same text with two counts for each stack: one is A, the other one B.
bool areCountColumns(const Timeline& a, const Timeline& b);

/// Returns the kinds of samples to compare: the two columns if areCountColumns(). Otherwise the first kind of A that B has too, with the
/// same name or as CPU time with another name; if the sides share none, the first kind of each. A side without samples has an empty name.
std::pair<SampleKind, SampleKind> comparedKinds(const Timeline& a, const Timeline& b);

} // namespace helio
