#pragma once

#include "core/base/result.h"
#include "core/experiment/clock_settings.h"
#include "core/experiment/timeline.h"

#include <filesystem>
#include <string>

namespace helio {

/// Reads clock relations: the document that syncDocument() writes, or a part of it.
/// Errors: NotFound, Unreadable; Corrupt, with the file, the cause and, for invalid JSON, the byte.
///
/// For each host, named by its label, the file must have `rate` and `offset_ns`, or `at_ns` and `is_ns`: the same moment on the host's
/// clock and on the reference clock. Rates are read with all digits.
/// - Hosts with the method "none" or "reference" are not changed; hosts with the method "raw" keep their times as recorded.
/// - A null or missing `error_ns` means unknown.
/// - The facts about how a clock was found (`method`, `quality`, `matches_to`, `matches_from`, `outliers`, `bound_ns`, `path`) are not
/// checked.
/// - If the file has `points` of a host's clock, times are computed exactly from them, else from the host's `pieces`.
Result<ClockSettings> readSyncFile(const std::filesystem::path& file);

/// Returns the relations of the timeline's clocks as JSON (product.md, "Output contract, second part").
std::string syncDocument(const Timeline& timeline);

} // namespace helio
