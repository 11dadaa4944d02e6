#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/functions/call_tree_model.h"
#include "widgets/docks/functions/function_model.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_roles.h"

class QLineEdit;
class QMenu;
class QSplitter;
class QStackedWidget;
class QTreeView;

namespace helio {

class FlameHead;
class Pill;
class NoSamplesPage;

/// Dock with the functions of the shown samples, as perf report lists them, or with groups of samples, e.g. by module or thread.
/// Columns of other events can be added. Beside the table are the callers or callees of the selected function.
class FunctionsView : public PanelGround, public SavedViewState, public MenuProvider, public Searchable, public CommandProvider {
    Q_OBJECT

public:
    explicit FunctionsView(ViewContext& context, QWidget* parent = nullptr);

    const FunctionModel& functions() const { return m_functions; }
    const CallTreeModel& calls() const { return m_calls; } ///< Callers or callees of the selected function.
    const FunctionChoices& choices() const { return m_choices; }
    void setChoices(FunctionChoices choices);
    void focusSearch() override;
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    void fillOfferedMenus(QMenu& menu) override;
    ShownCommand shownCommand() const override;

private:
    /// Inputs of showColumns(): choices, weights, number of compared events, and whether the lines are of calls, have modules, have
    /// times on a CPU, and lack the number of records.
    using ColumnsKey = std::tuple<FunctionChoices, WeightBy, std::size_t, bool, bool, bool, bool>;

    void makeHead();
    void makeTables();
    void wire();
    void showEvent(QShowEvent* event) override;
    void build();
    void buildTree();
    void showState();
    void take(std::shared_ptr<const FunctionLines> lines, std::vector<std::uint32_t> rows);
    void fitCallColumns(int name);
    /// Sets the widths of the columns if the set of columns changed; otherwise keeps the widths that the user set.
    void showColumns(const FunctionLines& lines);
    const SampledFunction* functionAt(int row) const; ///< Function of a row; nullptr if the row neither is a function nor belongs to one.
    void choose(int row);
    void selectChosen();
    /// True if the two rows belong to the same command, thread and CPU.
    static bool haveSameGroup(const FunctionRow& a, const FunctionRow& b);
    /// True if m_selectedLine is one of several rows of the selected function, which belong to different commands, threads or CPUs.
    bool hasFurtherRowsOfFunction() const;
    QString partText() const;
    bool eventFilter(QObject* watched, QEvent* event) override;

    // Shows the context menu of a function. Defined in functions_menus.cpp, like the functions below.
    void showMenu(QTreeView& table, const SampledFunction& function, QPoint at);
    void fillGroupMenu(QMenu* menu);
    void fillEventMenu(QMenu* menu);
    void fillKinds(QMenu* menu);
    void fillColumns(QMenu* menu);
    void change(const std::function<void(FunctionChoices&)>& edit);
    FunctionChoices choicesNow() const;
    void showChoices();

    SampleModel& m_samples;
    FunctionChoices m_choices;
    /// Lists the functions for the table, and caches the list. Only used on the thread of m_job.
    std::shared_ptr<FunctionLinesCache> m_lister = std::make_shared<FunctionLinesCache>();
    FunctionModel m_functions;
    CallTreeModel m_calls;
    FlameHead* m_head;
    QLabel* m_count;
    Pill* m_group;
    Pill* m_events;
    Pill* m_byCommand;
    Pill* m_byThread;
    Pill* m_byCpu;
    Pill* m_callees;
    Pill* m_all;
    QLineEdit* m_filter;
    QStackedWidget* m_stack;
    NoSamplesPage* m_page;
    QSplitter* m_panes;
    QTreeView* m_table;
    QTreeView* m_tree;
    QLabel* m_treeTitle; ///< Title of the tree, e.g. "Callers of work".
    QLabel* m_noMatch;
    std::optional<ColumnsKey> m_columnsKey; ///< Inputs of which the widths of the columns were computed; nullopt if the table is empty.
    bool m_isOld = true;
    bool m_isSelecting = false;
    bool m_isChoosing = false; ///< True while a selection in this table is passed to other views.
    /// Line that the user selected: the tree only has the callers of this line's command, thread and CPU. nullopt if the tree has all
    /// callers.
    std::optional<FunctionRow> m_selectedLine;
    bool m_goesToTop = false; ///< If true, the table scrolls to the top when the rows arrive in another order.
    LatestTask m_job;
    LatestTask m_treeJob;
};

} // namespace helio
