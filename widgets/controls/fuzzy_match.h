#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace helio {

/// Result of a fuzzy match: how well the pattern fits, and which characters of the text it matched.
struct FuzzyMatch {
    /// Positions of the matched characters in the text, from the worst fit to the best. A better fit always scores higher than a worse fit.
    enum class Fit {
        Scattered, ///< Matched characters are anywhere in the text.
        Words, ///< Groups of adjacent matches begin words, or all matches are within twice the pattern's length.
        Inside, ///< Matched characters are adjacent, but do not begin a word.
        WordStart, ///< Matched characters are adjacent and begin a word.
        Start, ///< Matched characters are adjacent and begin the text.
    };
    static constexpr int ScoreOfFit = 10'000;

    Fit fit() const { return Fit(score / ScoreOfFit); }

    int score = 0; ///< Numeric value of the Fit times ScoreOfFit, plus a quality of 0 to ScoreOfFit - 1; higher is better.
    std::vector<int> letters; ///< Positions of the matched characters in the text, in ascending order.
};

/// Matches a pattern with a text that contains all characters of the pattern in the same order, ignoring case and blanks in the pattern.
/// Characters at the start of words and adjacent characters score higher. Returns the match; nullopt if the pattern does not match. A
/// pattern of more than three characters does not match if its characters are scattered in the text (Fit::Scattered). An empty pattern
/// matches every text.
std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text);

} // namespace helio
