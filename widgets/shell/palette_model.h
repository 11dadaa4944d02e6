#pragma once

#include "widgets/shell/fuzzy_match.h"

#include <QAbstractListModel>

#include <functional>
#include <vector>

namespace helio {

/// One line of the command palette.
struct PaletteItem {
    enum class Kind { Command, Row, Time, Search };

    Kind kind = Kind::Command;
    QString icon;
    QString text;
    QString group; ///< "View", "Control flow"; in secondary behind the name.
    QString shortcut; ///< Shown in a key cap.
    bool isEnabled = true;
    std::function<void()> run;
};

/// What fits the text, best first: `>` commands, `@` rows, `:` times, nothing: all. At most 200.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { ItemRole = Qt::UserRole, LettersRole };

    using QAbstractListModel::QAbstractListModel;

    void setItems(std::vector<PaletteItem> items); ///< Commands and rows.
    /// Items that depend on the text itself: a time to go to, a search to start.
    void setMaker(std::function<std::vector<PaletteItem>(const QString&)> maker) { m_maker = std::move(maker); }
    void setText(const QString& text);

    const PaletteItem* item(int line) const;
    const std::vector<int>& letters(int line) const { return m_lines[static_cast<std::size_t>(line)].letters; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Line {
        const PaletteItem* item;
        int score;
        std::vector<int> letters;
    };

    std::vector<PaletteItem> m_items;
    std::vector<PaletteItem> m_made;
    std::function<std::vector<PaletteItem>(const QString&)> m_maker;
    std::vector<Line> m_lines;
    QString m_text;
};

} // namespace helio
