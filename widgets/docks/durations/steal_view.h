#pragma once

#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/durations/navigable_table.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

class QTreeView;

namespace helio {

class Pill;

/// CPU time that virtual machines lost in the selected or visible range, and to whom: as a ranking of culprits, as a matrix of machines, or
/// by the threads that lost it. A click on a line or cell goes to the longest loss in it.
/// Threads: UI thread.
class StealView : public PanelGround, public CommandProvider {
    Q_OBJECT

public:
    explicit StealView(ViewContext& context, QWidget* parent = nullptr);

    enum class Shown { Culprits, Matrix, Threads };
    void list(Shown what);
    ShownCommand shownCommand() const override;
    const NavigableTable& table() const { return m_table; }
    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }

private:
    void showEvent(QShowEvent* event) override;
    void fetch();
    void fill();
    void goTo(const QModelIndex& index);

    ViewContext& m_context;
    StealTables m_losses;
    TimeRange m_range;
    Shown m_shown = Shown::Culprits;
    NavigableTable m_table;
    std::vector<Pill*> m_pills; ///< Indexed by Shown.
    QLabel* m_scope;
    QTreeView* m_lines;
    DebouncedQuery m_answer;
};

} // namespace helio
