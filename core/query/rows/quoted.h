#pragma once

#include <string>
#include <string_view>

namespace helio {

/// A text as filters have it: in quotes, with the escapes that it needs.
std::string quotedText(std::string_view text);

} // namespace helio
