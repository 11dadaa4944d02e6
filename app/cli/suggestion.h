#pragma once

#include <span>
#include <string>
#include <string_view>

namespace helio {

/// Returns the most likely candidate for a mistyped `word`: the first candidate with the smallest edit distance (swapped neighbours
/// count as one edit), or a candidate that begins with the word. Empty if no candidate is near.
std::string findSuggestion(std::string_view word, std::span<const std::string> candidates);

/// Returns "; did you mean X?" with the result of findSuggestion(); empty if there is none.
std::string didYouMean(std::string_view word, std::span<const std::string> candidates);

} // namespace helio
