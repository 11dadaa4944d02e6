#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace helio {

/// How well a pattern fits a text, and which letters it took.
struct FuzzyMatch {
    /// Arrangement of the letters, worst first; a better fit counts more than any number of letters.
    enum class Fit {
        Scattered, ///< Anywhere.
        Words, ///< Each run of letters begins a word, or all are within a stretch of twice the pattern's length.
        Inside, ///< Side by side.
        WordStart, ///< Side by side, from the start of a word on.
        Start, ///< Side by side, from the start of the text on.
    };
    static constexpr int ScoreOfFit = 10'000;

    Fit fit() const { return Fit(score / ScoreOfFit); }

    int score = 0; ///< Higher is better.
    std::vector<int> letters; ///< Positions in the text, ascending.
};

/// All letters of the pattern in this order, whatever the case; blanks in the pattern are skipped. Letters at the start of words and
/// next to each other count more. None where it does not fit; a pattern of more than three letters does not fit scattered ones. An empty
/// pattern fits all.
std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text);

} // namespace helio
