#pragma once

#include "core/base/result.h"
#include "core/experiment/clock_choice.h"
#include "core/experiment/timeline.h"

#include <filesystem>
#include <string>

namespace helio {

/// Reads how clocks are related: what syncDocument() writes, or less of it. Of each host, by its name, `rate` with `offset_ns`, or a pair
/// `at_ns` and `is_ns` of the same moment on its clock and the reference's, suffice; rates are taken with all their digits. Hosts whose
/// method is "none" or "reference" are left as they are; those that are "raw" have their times as recorded. An `error_ns` of null is not
/// known, nor is a missing one. What the file says of how a clock was found (`method`, `quality`, `matches_to`, `matches_from`, `outliers`,
/// `bound_ns`, `path`) is taken as it is. Where it has `points` of a host's clock, times are exactly theirs; else its `pieces`. Errors:
/// NotFound, Unreadable; Corrupt names file, cause and, of what is no JSON, the byte.
Result<ClockChoice> readSyncFile(const std::filesystem::path& file);

/// How the timeline's clocks are related, as JSON (product.md, "Output contract, second part").
std::string syncDocument(const Timeline& timeline);

} // namespace helio
