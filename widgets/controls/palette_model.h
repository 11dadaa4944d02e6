#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/controls/fuzzy_match.h"

#include <QAbstractListModel>

#include <functional>
#include <memory>
#include <vector>

namespace helio {

/// One line of the command palette.
struct PaletteItem {
    enum class Kind { Command, Row, Function, Time, Search };

    Kind kind = Kind::Command;
    QString icon;
    QString text;
    QString group; ///< Shown in secondary colour after the name: "View", "Control flow".
    QString shortcut; ///< Shown in a key cap.
    bool isEnabled = true;
    std::function<void()> run;
    QString tip = {}; ///< A sentence on what the item does; its words are searched, too.
    bool isMain = false; ///< Ranks before other items with an equally good fit, e.g. a thread before its attributes.
};

using PaletteItems = std::vector<PaletteItem>;

/// Items that fit the text, best first; items that cannot be run now come last. Prefixes: `>` commands only, `@` rows only, `:` times only;
/// without a prefix all kinds, functions too. At most 200 lines. If there are many rows, another thread matches them; until it is done, the
/// rows that fit the previous text stay.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setItems(PaletteItems commands, std::shared_ptr<const PaletteItems> rows = {});
    /// Sets a function that makes items from the text itself: a time to go to, a search to start.
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
    using Lines = std::vector<Line>;

    static bool isBetter(const Line& a, const Line& b);
    static Lines matching(const PaletteItems& items, const QString& text);
    void rebuild();

    PaletteItems m_commands;
    std::shared_ptr<const PaletteItems> m_rows;
    PaletteItems m_made;
    std::function<PaletteItems(const QString&)> m_maker;
    Lines m_rowLines; ///< The best of m_rows.
    Lines m_lines;
    QString m_text;
    LatestTask m_job;
};

} // namespace helio
