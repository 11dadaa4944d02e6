#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// The bytes of one compressed stream (xz, gzip, bzip2, zstd: by content). Fails for what is none, is damaged, or would grow beyond
/// `limit`.
Result<std::vector<std::byte>> unpacked(std::span<const std::byte> bytes, std::uint64_t limit);

} // namespace helio
