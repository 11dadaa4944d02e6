#pragma once

namespace helio {

struct Timeline;

/// Whether a timeline of the same traces, opened once more with other analyses, has all that there was before: the facts of each trace, and
/// what each analysis made, and each relation that is made of all, but for those that it does not know, or that are off in it.
bool showsAsMuch(const Timeline& timeline, const Timeline& before);

} // namespace helio
