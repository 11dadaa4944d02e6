#pragma once

#include "core/virtualization/steal_tables.h"
#include "widgets/async/debounced_query.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <QLabel>

#include <vector>

class QTreeView;

namespace helio {

class Pill;

/// Cell of a NavigableTable; a click may go to a row and time.
struct NavigableCell {
    QString text;
    qint64 number = -1; ///< Sort key; -1 if the cell is sorted by `text`.
    LongestLoss place{}; ///< Row and time that a click goes to; none if the row is invalid.
};

/// Table in which a click on a cell goes to a row and time. Lines keep their original order until the user sorts them.
/// Threads: UI thread.
class NavigableTable : public ColumnModel<std::vector<NavigableCell>> {
public:
    using Cell = NavigableCell;
    struct Column {
        QString title;
        bool isNumber = false;
    };

    void setLines(const std::vector<Column>& columns, std::vector<std::vector<Cell>> lines);
    const Cell& cell(const QModelIndex& index) const { return cellIn(line(index.row()), std::size_t(index.column())); }

private:
    static const Cell& cellIn(const std::vector<Cell>& line, std::size_t column);
};

/// Base class of panels with a NavigableTable. Pills choose what the table lists, and a text beside them describes its scope. The query is
/// repeated when the selection or the timeline changes.
/// Threads: UI thread.
class NavigablePanel : public PanelGround, public CommandProvider {
    Q_OBJECT

public:
    const NavigableTable& table() const { return m_table; }
    /// Text that describes what the table covers, e.g. "32 blocks, 99 252 B of the whole recording".
    QString scope() const { return m_scope->text(); }
    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }

protected:
    /// `pills`: texts of the pills that choose what the table lists. `name`: accessible name of the table.
    NavigablePanel(ViewContext& context, const QStringList& pills, const QString& name, QWidget* parent);

    ViewContext& context() const { return m_context; }
    QLabel& scopeLabel() const { return *m_scope; }
    QTreeView& view() const { return *m_lines; }
    DebouncedQuery& answer() { return m_answer; }
    int chosen() const { return m_chosen; } ///< Index of the checked pill in `pills` of the constructor.
    void choose(int pill);
    void setLines(const std::vector<NavigableTable::Column>& columns, std::vector<std::vector<NavigableCell>> lines);

private:
    virtual void fetch() = 0;
    virtual void fill() = 0; ///< Fills the table from the last result, by setLines().
    void showEvent(QShowEvent* event) override;

    ViewContext& m_context;
    NavigableTable m_table;
    int m_chosen = 0;
    std::vector<Pill*> m_pills;
    QLabel* m_scope;
    QTreeView* m_lines;
    DebouncedQuery m_answer;
};

} // namespace helio
