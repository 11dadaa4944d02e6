#pragma once

#include "widgets/shell/field_grid.h"
#include "widgets/views/functions/call_tree_model.h"
#include "widgets/views/functions/function_model.h"
#include "widgets/views/sample_model.h"
#include "widgets/views/searchable.h"
#include "widgets/work/latest_job.h"

class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTreeView;

namespace helio {

class Pill;
class SamplesPage;

/// The functions of the shown samples, as perf report lists them; beside them the callers or callees of the chosen one.
class FunctionsView : public PanelGround, public Searchable {
    Q_OBJECT

public:
    explicit FunctionsView(ViewContext& context, QWidget* parent = nullptr);

    const FunctionModel& functions() const { return m_functions; }
    void focusSearch() override;

private:
    void makeHead();
    void makeTables();
    void wire();
    void showEvent(QShowEvent* event) override;
    void build();
    void buildTree();
    void showState();
    void choose(int row);
    void selectChosen();
    void showMenu(QTreeView& table, const SampledFunction& function, QPoint at);
    bool eventFilter(QObject* watched, QEvent* event) override;
    void updateLook();
    FunctionTableOptions options() const;

    SampleModel& m_samples;
    FunctionModel m_functions;
    CallTreeModel m_calls;
    QLabel* m_title;
    QLabel* m_count;
    Pill* m_byThread;
    Pill* m_byCpu;
    Pill* m_callees;
    Pill* m_all;
    QLineEdit* m_filter;
    QStackedWidget* m_stack;
    SamplesPage* m_page;
    QSplitter* m_panes;
    QTreeView* m_table;
    QTreeView* m_tree;
    QLabel* m_treeTitle; ///< "Callers of work".
    QLabel* m_noMatch;
    bool m_isOld = true;
    bool m_isSelecting = false;
    bool m_goesToTop = false; ///< When the rows come in another order.
    LatestJob m_job;
    LatestJob m_treeJob;
};

} // namespace helio
