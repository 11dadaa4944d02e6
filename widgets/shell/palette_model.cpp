#include "widgets/shell/palette_model.h"

#include <algorithm>

namespace helio {

namespace {

constexpr std::size_t MostLines = 200;

} // namespace

void PaletteModel::setItems(std::vector<PaletteItem> items)
{
    beginResetModel();
    m_lines.clear();
    m_items = std::move(items);
    endResetModel();
    setText(m_text);
}

void PaletteModel::setText(const QString& text)
{
    beginResetModel();
    m_text = text;
    m_lines.clear();
    m_made = m_maker ? m_maker(text) : std::vector<PaletteItem>();
    const QChar prefix = text.isEmpty() ? QChar() : text[0];
    const bool wantsCommands = prefix != '@' && prefix != ':';
    const bool wantsRows = prefix != '>' && prefix != ':';
    const bool isPrefixed = prefix == '>' || prefix == '@' || prefix == ':';
    const QString pattern = isPrefixed ? text.mid(1) : text;
    for (const PaletteItem& item : m_items) {
        const bool isCommand = item.kind == PaletteItem::Kind::Command;
        if (isCommand ? !wantsCommands : !wantsRows)
            continue;
        if (auto match = fuzzyMatch(pattern, item.text))
            m_lines.push_back({&item, match->score + (isCommand ? 2 : 0), std::move(match->letters)});
    }
    std::stable_sort(m_lines.begin(), m_lines.end(), [](const Line& a, const Line& b) { return a.score > b.score; });
    for (auto made = m_made.rbegin(); made != m_made.rend(); ++made) {
        const bool isFirst = made->kind == PaletteItem::Kind::Time;
        m_lines.insert(isFirst ? m_lines.begin() : m_lines.end(), Line{&*made, 0, {}});
    }
    if (m_lines.size() > MostLines)
        m_lines.erase(m_lines.begin() + MostLines - 1, m_lines.end() - 1); // What was made from the text stays.
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
