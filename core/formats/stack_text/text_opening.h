#pragma once

#include "core/trace/trace.h"

namespace helio::stacktext {

/// Returns `path` if it is a text with samples. Folders are not searched: a text next to a recording is usually that recording, printed.
std::vector<TraceSource> findText(const std::filesystem::path& path);
/// Opens a text; TraceOpening::finish() reads it.
Result<std::unique_ptr<TraceOpening>> beginText(const TraceSource& source);

} // namespace helio::stacktext
