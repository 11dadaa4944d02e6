#include "widgets/controls/palette_model.h"

#include <algorithm>
#include <tuple>

namespace helio {

namespace {

constexpr std::size_t MostLines = 200;
constexpr std::size_t FewRows = 5000; ///< Maximum number of rows that are matched at once on the UI thread.

} // namespace

void PaletteModel::setItems(PaletteItems commands, std::shared_ptr<const PaletteItems> rows)
{
    beginResetModel();
    m_lines.clear();
    m_rowLines.clear();
    m_commands = std::move(commands);
    m_rows = std::move(rows);
    endResetModel();
    setText(m_text);
}

namespace {

/// Matches the pattern with the name of the menu followed by the command: both "theme" and "theme dark" find "Dark" in View > Theme.
std::optional<FuzzyMatch> matchInMenu(const QString& pattern, const PaletteItem& item)
{
    constexpr int FewLetters = 3;
    const QString menu = item.group.section(QChar(0x203a), -1).trimmed();
    if (pattern.size() < FewLetters || !menu.startsWith(pattern.section(u' ', 0, 0), Qt::CaseInsensitive))
        return {};
    const int before = int(menu.size()) + 1;
    auto match = fuzzyMatch(pattern, menu + u' ' + item.text);
    if (match) {
        std::erase_if(match->letters, [before](int at) { return at < before; });
        for (int& at : match->letters)
            at -= before;
    }
    return match;
}

/// Score of an item if only its tip matches: above names in which the matched characters are scattered, below names in which they are
/// adjacent.
constexpr int ScoreOfTip = int(FuzzyMatch::Fit::Inside) * FuzzyMatch::ScoreOfFit - 1;

/// True if a word of the tip begins with the pattern. Patterns must have at least three characters.
bool isInTip(const QString& pattern, const PaletteItem& item)
{
    if (pattern.size() < 3)
        return false;
    for (qsizetype at = item.tip.indexOf(pattern, 0, Qt::CaseInsensitive); at >= 0;
         at = item.tip.indexOf(pattern, at + 1, Qt::CaseInsensitive))
        if (at == 0 || !item.tip[at - 1].isLetterOrNumber())
            return true;
    return false;
}

} // namespace

/// True if `a` precedes `b`. Compares, in this order: whether the item is enabled, how well the text fits, isMain, and the exact score.
bool PaletteModel::isBetter(const Line& a, const Line& b)
{
    const auto rank = [](const Line& it) {
        return std::tuple(it.item->isEnabled, it.score / FuzzyMatch::ScoreOfFit, it.item->isMain, it.score);
    };
    return rank(a) > rank(b);
}

/// Returns the lines that match best, in descending order.
PaletteModel::Lines PaletteModel::matching(const PaletteItems& items, const QString& text)
{
    const QChar prefix = text.isEmpty() ? QChar() : text[0];
    const bool wantsCommands = prefix != '@' && prefix != ':';
    const bool wantsRows = prefix != '>' && prefix != ':';
    const bool wantsFunctions = wantsRows && prefix != '@';
    const bool isPrefixed = prefix == '>' || prefix == '@' || prefix == ':';
    const QString pattern = isPrefixed ? text.mid(1) : text;
    Lines lines;
    for (const PaletteItem& item : items) {
        const bool isCommand = item.kind == PaletteItem::Kind::Command;
        if (isCommand ? !wantsCommands : item.kind == PaletteItem::Kind::Function ? !wantsFunctions : !wantsRows)
            continue;
        auto match = fuzzyMatch(pattern, item.text);
        if (match && match->fit() <= FuzzyMatch::Fit::Words && isInTip(pattern, item))
            lines.push_back({&item, ScoreOfTip, {}});
        else if (match)
            lines.push_back({&item, match->score + (isCommand ? 2 : 0), std::move(match->letters)});
        else if (item.kind == PaletteItem::Kind::Function && item.text.contains(pattern, Qt::CaseInsensitive))
            // fuzzyMatch() rejects very long names, e.g. of template instances, so the pattern is searched in the name as it is.
            lines.push_back({&item, 0, {}});
        else if (const auto inMenu = isCommand ? matchInMenu(pattern, item) : std::nullopt)
            lines.push_back({&item, inMenu->score, inMenu->letters});
        else if (isInTip(pattern, item))
            lines.push_back({&item, ScoreOfTip, {}});
    }
    std::stable_sort(lines.begin(), lines.end(), isBetter);
    if (lines.size() > MostLines)
        lines.erase(lines.begin() + MostLines, lines.end());
    return lines;
}

void PaletteModel::setText(const QString& text)
{
    m_text = text;
    if (!m_rows || m_rows->size() <= FewRows) {
        m_job.cancel();
        m_rowLines = m_rows ? matching(*m_rows, text) : Lines();
    } else {
        m_job.post([this, rows = m_rows, text](std::stop_token) -> LatestTask::Delivery {
            auto lines = std::make_shared<Lines>(matching(*rows, text));
            return [this, lines] {
                m_rowLines = std::move(*lines);
                rebuild();
            };
        });
    }
    rebuild();
}

void PaletteModel::rebuild()
{
    beginResetModel();
    m_made = m_maker ? m_maker(m_text) : PaletteItems();
    m_lines = matching(m_commands, m_text);
    const auto commands = std::ptrdiff_t(m_lines.size());
    m_lines.insert(m_lines.end(), m_rowLines.begin(), m_rowLines.end());
    std::inplace_merge(m_lines.begin(), m_lines.begin() + commands, m_lines.end(), isBetter);
    for (auto made = m_made.rbegin(); made != m_made.rend(); ++made) {
        const bool isFirst = made->kind == PaletteItem::Kind::Time;
        m_lines.insert(isFirst ? m_lines.begin() : m_lines.end(), Line{&*made, 0, {}});
    }
    if (m_lines.size() > MostLines)
        // Removes lines above the maximum, but keeps the last line, an item that `m_maker` made from the text the user typed.
        m_lines.erase(m_lines.begin() + MostLines - 1, m_lines.end() - 1);
    endResetModel();
}

const PaletteItem* PaletteModel::item(int line) const
{
    return line >= 0 && line < rowCount() ? m_lines[static_cast<std::size_t>(line)].item : nullptr;
}

int PaletteModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_lines.size()); }

QVariant PaletteModel::data(const QModelIndex& index, int role) const
{
    const PaletteItem* it = item(index.row());
    if (!it)
        return {};
    if (role == Qt::DisplayRole)
        return it->text;
    if (role == Qt::AccessibleDescriptionRole)
        return it->group + " " + it->shortcut;
    return {};
}

} // namespace helio
