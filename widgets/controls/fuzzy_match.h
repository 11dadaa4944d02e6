#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace helio {

/// How well a pattern fits a text, and which letters of the text it matched.
struct FuzzyMatch {
    /// Arrangement of the matched letters, worst first. A better fit outweighs any score of letters.
    enum class Fit {
        Scattered, ///< Anywhere in the text.
        Words, ///< Each run of letters begins a word, or all letters lie within twice the pattern's length.
        Inside, ///< Side by side.
        WordStart, ///< Side by side, from the start of a word.
        Start, ///< Side by side, from the start of the text.
    };
    static constexpr int ScoreOfFit = 10'000;

    Fit fit() const { return Fit(score / ScoreOfFit); }

    int score = 0; ///< Higher is better.
    std::vector<int> letters; ///< Positions of the matched letters in the text, ascending.
};

/// Matches if the text has all letters of the pattern in this order, ignoring case; blanks in the pattern are skipped. Letters at the
/// start of words and adjacent letters score higher. Empty if the pattern does not fit; a pattern of more than three letters does not fit
/// letters that are Scattered. An empty pattern fits all texts.
std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text);

} // namespace helio
