#pragma once

#include <string>
#include <string_view>

namespace helio {

/// Returns a text as a string literal of a filter expression: in quotes, with escapes.
std::string quotedText(std::string_view text);

} // namespace helio
