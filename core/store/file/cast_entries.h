#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace helio {

/// Casts the bytes to entries, in place. Returns false if the bytes are misaligned or not a whole number of entries.
template <typename Entry> bool castEntries(std::span<const std::byte> bytes, std::span<const Entry>& entries)
{
    entries = {reinterpret_cast<const Entry*>(bytes.data()), bytes.size() / sizeof(Entry)};
    return bytes.size() % sizeof(Entry) == 0 && reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Entry) == 0;
}

} // namespace helio
