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

/// The functions of the shown samples, like perf report lists them, or what they are grouped by, with columns of other events. Beside them
/// the callers or callees of the chosen function.
class FunctionsView : public PanelGround, public SavedViewState, public MenuProvider, public Searchable, public CommandProvider {
    Q_OBJECT

public:
    explicit FunctionsView(ViewContext& context, QWidget* parent = nullptr);

    const FunctionModel& functions() const { return m_functions; }
    const CallTreeModel& calls() const { return m_calls; } ///< Callers or callees of the chosen function.
    const FunctionChoices& choices() const { return m_choices; }
    void setChoices(FunctionChoices choices);
    void focusSearch() override;
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    void fillOfferedMenus(QMenu& menu) override;
    ShownCommand shownCommand() const override;

private:
    void makeHead();
    void makeTables();
    void wire();
    void showEvent(QShowEvent* event) override;
    void build();
    void buildTree();
    void showState();
    void take(std::shared_ptr<const FunctionLines> lines, std::vector<std::uint32_t> rows);
    void fitCallColumns(int name);
    void showColumns(const FunctionLines& lines); ///< Lays out columns if they changed; otherwise the widths are the user's.
    const SampledFunction* functionAt(int row) const; ///< nullptr if the line is not a function and is not in one.
    void choose(int row);
    void selectChosen();
    /// True if both lines belong to the same command, thread and CPU.
    static bool haveSameGroup(const FunctionRow& a, const FunctionRow& b);
    bool isPartOfFunction() const; ///< True if other lines have the chosen function, too.
    QString partText() const;
    bool eventFilter(QObject* watched, QEvent* event) override;

    // functions_menus.cpp
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
    std::shared_ptr<FunctionLinesCache> m_lister = std::make_shared<FunctionLinesCache>(); ///< Used on m_job's thread only.
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
    QLabel* m_treeTitle; ///< E.g. "Callers of work".
    QLabel* m_noMatch;
    std::optional<std::tuple<FunctionChoices, WeightBy, std::size_t, bool>>
        m_columns; ///< Identifies the columns that are laid out; empty if there were no lines.
    bool m_isOld = true;
    bool m_isSelecting = false;
    bool m_isChoosing = false; ///< True while the user's choice of a line of this table is passed to other views.
    std::optional<FunctionRow> m_part; ///< The chosen line: callers are those of its command, thread and CPU; empty for all.
    bool m_goesToTop = false; ///< If true, scrolls to the top when the rows arrive in another order.
    LatestTask m_job;
    LatestTask m_treeJob;
};

} // namespace helio
