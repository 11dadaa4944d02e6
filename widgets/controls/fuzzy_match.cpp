#include "widgets/controls/fuzzy_match.h"

#include <algorithm>
#include <limits>

namespace helio {

namespace {

constexpr int Impossible = std::numeric_limits<int>::min() / 2;

bool startsWord(const QString& text, int at)
{
    return at == 0 || !text[at - 1].isLetterOrNumber() || (text[at].isUpper() && text[at - 1].isLower());
}

/// Two-dimensional table in a reused buffer, because about 100,000 texts are matched one after the other.
class Table {
public:
    Table(std::vector<int>& room, int rows, int columns, int value)
        : m_room(room)
        , m_columns(columns)
    {
        m_room.assign(std::size_t(rows) * std::size_t(columns), value);
    }
    int* operator[](int row) { return m_room.data() + std::ptrdiff_t(row) * m_columns; }

private:
    std::vector<int>& m_room;
    int m_columns;
};

/// True if the text contains all characters of the pattern in this order. A fast test that rejects most texts.
bool holds(const QString& folded, const QString& wanted)
{
    qsizetype at = 0;
    for (const QChar letter : wanted) {
        at = folded.indexOf(letter, at) + 1;
        if (at == 0)
            return false;
    }
    return true;
}

/// Maximum length of a pattern that may match characters anywhere in a text, e.g. initials. A longer pattern must match adjacent characters
/// or beginnings of words.
constexpr std::size_t Initials = 3;

FuzzyMatch::Fit fitOf(const std::vector<int>& letters, const QString& text)
{
    const bool isDense = std::size_t(letters.back() - letters.front()) < 2 * letters.size();
    bool beginsWords = true;
    bool isRun = true; // True while the matched characters are adjacent; word separators between them do not count.
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const bool beginsRun = i == 0 || letters[i] != letters[i - 1] + 1;
        beginsWords = beginsWords && (!beginsRun || startsWord(text, letters[i]));
        for (int skipped = i == 0 ? letters[i] : letters[i - 1] + 1; skipped < letters[i]; ++skipped)
            isRun = isRun && !text[skipped].isLetterOrNumber();
    }
    if (isRun && beginsWords)
        return letters.front() == 0 ? FuzzyMatch::Fit::Start : FuzzyMatch::Fit::WordStart;
    if (isRun)
        return FuzzyMatch::Fit::Inside;
    return beginsWords || isDense ? FuzzyMatch::Fit::Words : FuzzyMatch::Fit::Scattered;
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
    if (m > n || n > 400 || folded.size() != text.size() || !holds(folded, wanted))
        return {};
    // best[i][j] is the best score of the pattern's characters 0 to i if character i is matched at position j of the text; from[i][j] is
    // the position of character i - 1 in this match. Both tables use the memory of `rooms`.
    static thread_local std::vector<int> rooms[2];
    Table best(rooms[0], m, n, Impossible);
    Table from(rooms[1], m, n, -1);
    for (int i = 0; i < m; ++i) {
        // Best score of a match of character i - 1 before position j - 1, after subtracting the penalty for the gap between the two
        // characters.
        int reach = Impossible;
        int reachAt = -1;
        for (int j = i; j < n; ++j) {
            if (i > 0 && j >= 2 && best[i - 1][j - 2] - 3 > reach && best[i - 1][j - 2] != Impossible) {
                reach = best[i - 1][j - 2] - 3; // Each gap between matched characters lowers the score by 3.
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
    const int* last = best[m - 1];
    const int* end = std::max_element(last, last + n);
    if (*end <= Impossible)
        return {};
    FuzzyMatch match{*end * 4 - n / 8, std::vector<int>(m)};
    int at = static_cast<int>(end - last);
    for (int i = m - 1; i >= 0; --i) {
        match.letters[i] = at;
        at = from[i][at];
    }
    const FuzzyMatch::Fit fit = fitOf(match.letters, text);
    if (fit == FuzzyMatch::Fit::Scattered && match.letters.size() > Initials)
        return {};
    match.score = int(fit) * FuzzyMatch::ScoreOfFit + std::clamp(match.score, 0, FuzzyMatch::ScoreOfFit - 1);
    return match;
}

} // namespace helio
