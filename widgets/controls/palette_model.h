#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/controls/fuzzy_match.h"

#include <QAbstractListModel>

#include <functional>
#include <memory>
#include <vector>

namespace helio {

/// Line of the command palette.
struct PaletteItem {
    enum class Kind { Command, Row, Function, Time, Search };

    Kind kind = Kind::Command;
    QString icon;
    QString text;
    QString group; ///< Origin of the item, shown in secondary colour after the name, e.g. "View" or "Control flow".
    QString shortcut; ///< Keyboard shortcut, shown in a key cap.
    bool isEnabled = true;
    std::function<void()> run;
    QString tip = {}; ///< Sentence that explains the item; its words are also searched.
    bool isMain = false; ///< True if the item precedes other items that match equally well, e.g. a thread before its attributes.
};

using PaletteItems = std::vector<PaletteItem>;

/// Items of the command palette that match the text, the best first; items that cannot be run at present are last. A prefix limits the
/// kind of items: `>` commands, `@` rows, `:` times; without a prefix there are items of all kinds, and functions. At most 200 lines. A
/// large number of rows is matched on another thread; until that is done, the rows that matched the previous text are shown.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setItems(PaletteItems commands, std::shared_ptr<const PaletteItems> rows = {});
    /// Sets a function that makes items from the text itself, e.g. a time to go to or a search to start.
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
    Lines m_rowLines; ///< Lines with the best matches among m_rows.
    Lines m_lines;
    QString m_text;
    LatestTask m_job;
};

} // namespace helio
