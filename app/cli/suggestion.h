#pragma once

#include <span>
#include <string>
#include <string_view>

namespace helio {

/// Returns the candidate that a mistyped `word` most likely means: the nearest by edit distance, where swapped neighbours count as one
/// edit, or one that begins with the word. Empty if none is near. Of equally near candidates, the first.
std::string findSuggestion(std::string_view word, std::span<const std::string> candidates);

/// Returns "; did you mean X?" for findSuggestion(); empty without a suggestion.
std::string didYouMean(std::string_view word, std::span<const std::string> candidates);

} // namespace helio
