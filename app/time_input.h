#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <string_view>

namespace helio {

/// A moment as a person writes it: `12:34:56.789012345` (local time, the first match at or after `begin`), `+1.5s` or `+250us` (from
/// `begin`), `1416241234567890123` (ns since the epoch). Blanks at the ends are ignored. The error is a plain clause.
Result<Timestamp> parseTime(std::string_view text, Timestamp begin);

} // namespace helio
