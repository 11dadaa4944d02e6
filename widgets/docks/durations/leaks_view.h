#pragma once

#include "core/profiling/heap/heap_use.h"
#include "widgets/async/fresh_answer.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/durations/loss_table.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

class QTreeView;

namespace helio {

class Pill;

/// Memory that was never freed, in the selected range or the whole recording: bytes and blocks by the function that allocated them, or by
/// its source line too; the most bytes first. A click on a line leads to the first block. UI thread.
class LeaksView : public PanelGround, public OffersCommand {
    Q_OBJECT

public:
    explicit LeaksView(ViewContext& context, QWidget* parent = nullptr);

    enum class By { Function, Line };
    void list(By by);
    ShownCommand shownCommand() const override;
    const LossTable& table() const { return m_table; }
    QString scope() const; ///< "32 blocks, 99 252 B of the whole recording"
    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }

private:
    void showEvent(QShowEvent* event) override;
    void fetch();
    void fill();
    void goTo(const QModelIndex& index);

    ViewContext& m_context;
    std::vector<HeapUse> m_leaks; ///< By function and line.
    bool m_isOfSelection = false;
    By m_by = By::Function;
    LossTable m_table;
    std::vector<Pill*> m_pills; ///< By By.
    QLabel* m_scope;
    QTreeView* m_lines;
    FreshAnswer m_answer;
};

} // namespace helio
