#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace helio {

/// How well a pattern fits a text, and which letters it took.
struct FuzzyMatch {
    int score = 0; ///< Higher is better.
    std::vector<int> letters; ///< Positions in the text, ascending.
};

/// All letters of the pattern in this order, whatever the case; blanks in the pattern are skipped. Letters at the start of words and
/// next to each other count more. None where it does not fit. An empty pattern fits all.
std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text);

} // namespace helio
