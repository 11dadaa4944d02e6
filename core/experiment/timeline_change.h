#pragma once

namespace helio {

struct Timeline;

/// True if `timeline`, opened again from the same traces with other analyses, has everything that `before` had: the facts of each trace,
/// and the stores of each analysis and each correlator that runs after indexing. Analyses and correlators that `timeline` does not know, or
/// has switched off, are not required.
bool containsAllOf(const Timeline& timeline, const Timeline& before);

} // namespace helio
