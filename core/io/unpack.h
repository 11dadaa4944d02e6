#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace helio {

/// The bytes of one compressed stream (xz, gzip, bzip2, zstd: by content). Fails for what is none, is damaged, or would grow beyond
/// `limit`.
Result<std::vector<std::byte>> unpacked(std::span<const std::byte> bytes, std::uint64_t limit);

/// The same, handed over part by part, as much as archives may grow to; `take` answers false to stop: no error.
Status unpack(std::span<const std::byte> bytes, const std::function<bool(std::span<const std::byte>)>& take);

/// The first `most` bytes, or all.
Result<std::vector<std::byte>> unpackedBegin(std::span<const std::byte> bytes, std::size_t most);

/// Whether the bytes begin as one of those streams does.
bool isCompressed(std::span<const std::byte> bytes);

} // namespace helio
