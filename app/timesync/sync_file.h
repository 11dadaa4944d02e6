#pragma once

#include "core/base/result.h"
#include "core/experiment/clock_settings.h"
#include "core/experiment/timeline.h"

#include <filesystem>
#include <string>

namespace helio {

/// Reads clock relations: the document that syncDocument() writes, or a part of it. Errors: NotFound, Unreadable; Corrupt, with the file,
/// the cause and, for invalid JSON, the byte.
///
/// For each host, named by its label, `rate` with `offset_ns` suffices, or a pair `at_ns` and `is_ns` of the same moment on its clock and
/// on the reference clock; rates are read with all digits. Hosts with the method "none" or "reference" are not changed; hosts with the
/// method "raw" keep their times as recorded. A null `error_ns` means unknown, and so does a missing one. The facts about how a clock was
/// found (`method`, `quality`, `matches_to`, `matches_from`, `outliers`, `bound_ns`, `path`) are taken as they are. If the file has
/// `points` of a host's clock, its times are computed exactly from them, else from its `pieces`.
Result<ClockSettings> readSyncFile(const std::filesystem::path& file);

/// Returns the relations of the timeline's clocks as JSON (product.md, "Output contract, second part").
std::string syncDocument(const Timeline& timeline);

} // namespace helio
