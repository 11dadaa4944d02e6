#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace helio {

/// The bytes as entries; false where they are not a whole number of them, or lie where entries may not.
template <typename Entry> bool castEntries(std::span<const std::byte> bytes, std::span<const Entry>& entries)
{
    entries = {reinterpret_cast<const Entry*>(bytes.data()), bytes.size() / sizeof(Entry)};
    return bytes.size() % sizeof(Entry) == 0 && reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Entry) == 0;
}

} // namespace helio
