#pragma once

#include <string_view>

namespace helio {

/// Diagnostic::kind of data that was left out because memory or a disk was full. Nothing made from the rest may be kept for later runs,
/// which may have the room.
inline constexpr std::string_view NoRoom = "no-room";

} // namespace helio
