#include "widgets/shell/fuzzy_match.h"

#include <algorithm>
#include <limits>

namespace helio {

namespace {

constexpr int Impossible = std::numeric_limits<int>::min() / 2;

bool startsWord(const QString& text, int at)
{
    return at == 0 || !text[at - 1].isLetterOrNumber() || (text[at].isUpper() && text[at - 1].isLower());
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text)
{
    QString wanted = pattern.toCaseFolded();
    wanted.remove(' ');
    const QString folded = text.toCaseFolded();
    const int m = static_cast<int>(wanted.size());
    const int n = static_cast<int>(folded.size());
    if (m == 0)
        return FuzzyMatch{0, {}};
    if (m > n || n > 400 || folded.size() != text.size())
        return {};
    // best[i][j]: the best score of the first i + 1 letters where the last of them is at j.
    std::vector<std::vector<int>> best(m, std::vector<int>(n, Impossible));
    std::vector<std::vector<int>> from(m, std::vector<int>(n, -1));
    for (int i = 0; i < m; ++i) {
        int reach = Impossible; // The best of the row above, more than one letter back.
        int reachAt = -1;
        for (int j = i; j < n; ++j) {
            if (i > 0 && j >= 2 && best[i - 1][j - 2] - 3 > reach && best[i - 1][j - 2] != Impossible) {
                reach = best[i - 1][j - 2] - 3; // A gap.
                reachAt = j - 2;
            }
            if (folded[j] != wanted[i])
                continue;
            const int own = startsWord(text, j) ? 8 : 1;
            if (i == 0) {
                best[i][j] = own - std::min(j, 10) / 5;
                continue;
            }
            const int beside = best[i - 1][j - 1] == Impossible ? Impossible : best[i - 1][j - 1] + 6;
            const int base = std::max(beside, reach);
            if (base == Impossible)
                continue;
            best[i][j] = base + own;
            from[i][j] = beside >= reach ? j - 1 : reachAt;
        }
    }
    const auto end = std::max_element(best[m - 1].begin(), best[m - 1].end());
    if (*end <= Impossible)
        return {};
    FuzzyMatch match{*end * 4 - n / 8, std::vector<int>(m)};
    int at = static_cast<int>(end - best[m - 1].begin());
    for (int i = m - 1; i >= 0; --i) {
        match.letters[i] = at;
        at = from[i][at];
    }
    return match;
}

} // namespace helio
