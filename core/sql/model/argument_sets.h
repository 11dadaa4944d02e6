#pragma once

#include <cstdint>
#include <optional>

namespace helio::sql {

/// The table whose rows own a set of arguments.
enum class ArgumentOwner : std::uint8_t { Event, Slice };
constexpr std::int64_t ArgumentOwners = 2;

/// Returns the id of the set of arguments of a row (`arg_set_id`): it contains the row's table and id, so that the arguments are read only
/// when a query asks for them.
constexpr std::int64_t argumentSetOf(ArgumentOwner owner, std::int64_t row)
{
    return row * ArgumentOwners + static_cast<std::int64_t>(owner);
}
constexpr ArgumentOwner ownerOf(std::int64_t set) { return static_cast<ArgumentOwner>(set % ArgumentOwners); }
constexpr std::int64_t ownerRowOf(std::int64_t set) { return set / ArgumentOwners; }

} // namespace helio::sql
