#include "app/cli/suggestion.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace helio {
namespace {

/// Returns the optimal string alignment distance (Damerau, "A technique for computer detection and correction of spelling errors", 1964).
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t(0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
        beforeLast = std::exchange(last, row);
    }
    return last[b.size()];
}

} // namespace

std::string findSuggestion(std::string_view word, std::span<const std::string> candidates)
{
    constexpr std::size_t LongestWord = 64;
    if (word.size() < 2 || word.size() > LongestWord)
        return {};
    std::string nearest;
    std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const std::string& candidate : candidates)
        if (const std::size_t distance = editDistance(word, candidate); distance < least) {
            least = distance;
            nearest = candidate;
        }
    if (nearest.empty())
        if (const auto longer = std::ranges::find_if(candidates, [&](const std::string& it) { return it.starts_with(word); });
            longer != candidates.end() && word.size() > 3)
            nearest = *longer;
    return nearest;
}

std::string didYouMean(std::string_view word, std::span<const std::string> candidates)
{
    const std::string nearest = findSuggestion(word, candidates);
    return nearest.empty() ? std::string() : "; did you mean " + nearest + '?';
}

} // namespace helio
