#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace helio {

/// Returns the SHA-256 of the bytes (FIPS 180-4) as 64 lower-case hex digits, like sha256sum. Cost: a few ms per megabyte.
std::string sha256Of(std::span<const std::byte> bytes);

} // namespace helio
