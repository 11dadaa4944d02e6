#pragma once

#include "core/formats/ctf/foreign/foreign_messages.h"

namespace helio::bt2 {

/// Returns a description of the trace in `folders`, made from the first messages of each stream.
/// Errors: the library's own message, or that the metadata is CTF 2 and the library is too old for it.
Result<foreign::TraceDescription> describe(const std::vector<std::filesystem::path>& folders);

} // namespace helio::bt2
