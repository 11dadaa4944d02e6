#pragma once

#include "core/trace/trace.h"

namespace helio::stacktext {

/// The text that is named itself. Folders are not searched: a text beside a recording is most often the same recording printed.
std::vector<TraceSource> findText(const std::filesystem::path& path);
Result<std::unique_ptr<TraceOpening>> beginText(const TraceSource& source);

} // namespace helio::stacktext
