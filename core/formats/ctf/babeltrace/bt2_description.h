#pragma once

#include "core/formats/ctf/foreign/foreign_wire.h"

namespace helio::bt2 {

/// Opens the trace and reads each stream's first messages. Errors: the library's own words, or that the metadata is of a later version of
/// CTF than it reads.
Result<foreign::Description> describe(const std::vector<std::filesystem::path>& folders);

} // namespace helio::bt2
