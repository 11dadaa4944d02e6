#pragma once

#include "core/profiling/heap/heap_use.h"
#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/durations/navigable_table.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

class QTreeView;

namespace helio {

class Pill;

/// Memory that was never freed, in the selected range or the whole recording: bytes and blocks by the function that allocated them, or by
/// source line; the most bytes first. A click on a line goes to its first block.
/// Threads: UI thread.
class LeaksView : public PanelGround, public CommandProvider {
    Q_OBJECT

public:
    explicit LeaksView(ViewContext& context, QWidget* parent = nullptr);

    enum class By { Function, Line };
    void list(By by);
    ShownCommand shownCommand() const override;
    const NavigableTable& table() const { return m_table; }
    QString scope() const; ///< E.g. "32 blocks, 99 252 B of the whole recording".
    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }

private:
    void showEvent(QShowEvent* event) override;
    void fetch();
    void fill();
    void goTo(const QModelIndex& index);

    ViewContext& m_context;
    std::vector<HeapUse> m_leaks; ///< Grouped by function and source line.
    bool m_usesSelection = false;
    By m_by = By::Function;
    NavigableTable m_table;
    std::vector<Pill*> m_pills; ///< Indexed by By.
    QLabel* m_scope;
    QTreeView* m_lines;
    DebouncedQuery m_answer;
};

} // namespace helio
