#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace helio {

/// The value of a field of what a segment contains, "comm=sh;woken_by=make (7)", as it was before what would be read as one of its
/// separators was marked. Nothing: it has no such field.
std::optional<std::string> fieldOf(std::string_view fields, std::string_view name);

} // namespace helio
