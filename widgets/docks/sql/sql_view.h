#pragma once

#include "widgets/controls/field_grid.h"
#include "widgets/sql/sql_editor.h"
#include "widgets/sql/sql_panel_data.h"
#include "widgets/sql/sql_result_model.h"
#include "widgets/sql/sql_runner.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

#include <QStringList>
#include <QTimer>

#include <map>
#include <optional>
#include <vector>

class QAction;
class QLineEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTreeView;

namespace helio {

class EmptyPage;
class Pill;
class SqlTables;

/// Dock with an editor for queries in SQL and the table of their result. A click on a row with a time goes there. A result with times can
/// be shown as a panel of the timeline. Queries, panels and choices are saved in sessions, the history in the user's settings.
/// Threads: UI thread; queries run on other threads.
class SqlView : public PanelGround, public SavedViewState, public MenuProvider, public CommandProvider, public Searchable {
    Q_OBJECT

public:
    static constexpr int MostHistory = 40; ///< Number of queries that are kept.

    explicit SqlView(ViewContext& context, QWidget* parent = nullptr);
    ~SqlView() override;

    void run(); ///< Runs the selected text of the editor, or all of it.
    void cancel();
    void setQuery(const QString& query);
    QString query() const;
    bool isBusy() const { return m_isRunning || m_quiet.isBusy() || m_fill.isBusy(); }
    const SqlResultModel& model() const { return m_model; }
    const std::optional<SqlFailure>& failure() const { return m_failure; } ///< Why the last query failed; nullopt if it did not.
    QStringList history() const { return m_history; }
    QStringList examples() const; ///< Titles of the examples that find something; empty until they are checked.
    /// Shows the result as a panel of the timeline, or removes that panel.
    void setShownAsRows(bool isShown) { setPanel(false, isShown); }
    void setShownAsChart(bool isShown) { setPanel(true, isShown); }
    void setPartition(const QString& column); ///< Sets the column with a row of the result's panel for each value; empty for one row.

    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    void fillOfferedMenus(QMenu& menu) override;
    ShownCommand shownCommand() const override;
    void focusSearch() override;

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// A panel of the timeline with the query that fills it.
    struct Shown {
        QString id;
        QString query;
        bool isChart = false;
        SqlPanelColumns columns;
        std::shared_ptr<const SqlResult> result; ///< nullptr until the query has run on the present recording.
        std::shared_ptr<const ResultPanelData> data; ///< Shown contents; nullptr if there are none yet.
        /// True until the contents of `result` are made. `data` has the contents of an earlier result until then.
        bool isOld = true;
        QString problem; ///< Why the query failed; empty if it did not.
    };

    static constexpr qsizetype LongestQuery = 100'000; ///< Longest query that is kept in the history and restored from a session.

    static QStringList savedHistory();
    QWidget* makeEditorSide();
    QWidget* makeResultSide();
    void makeActions();
    void connectParts();
    void fillHistory(QMenu& menu);
    void fillExamples(QMenu& menu);
    void fillLimits(QMenu& menu);
    void fillPartitions(QMenu& menu);
    void fillExports(QMenu& menu);
    void onTimelineChanged();
    bool canRun() const;
    void takeResult(std::shared_ptr<const SqlResult> result);
    void showResult(const std::shared_ptr<const SqlResult>& result);
    void takeFailure(const SqlFailure& failure);
    void setRunning(bool isRunning);
    void showState();
    void showEmptyPage();
    void showFoot();
    void showMark();
    void fitTexts();
    void showProgress();
    void remember(const QString& query);
    void runQuietly();
    void takePanelResult(const QString& id, const std::shared_ptr<const SqlResult>& result, const SqlFailure& failure);
    void takeQuietFailure(const SqlFailure& failure);
    void goTo(const QModelIndex& index);
    void chooseLine(const QString& panel, std::uint32_t line);
    void markLine(const std::shared_ptr<const SqlResult>& result, std::size_t line);
    void forgetLine();
    Shown* panelOf(bool isChart);
    void setPanel(bool isChart, bool isShown);
    void fillPanels();
    void publishPanels();
    void showMenu(QPoint at);
    void exportRows(bool isJson);
    QString limitText() const;

    ViewContext& m_context;
    SqlRunner m_runner;
    LatestTask m_fill; ///< Makes the contents of panels.
    SqlRunner m_quiet; ///< Checks the examples, and fills panels of a restored session.
    SqlResultModel m_model;
    SqlEditor* m_editor;
    SqlTables* m_tables;
    QPushButton* m_run;
    QLabel* m_keys; ///< Keyboard shortcut of m_run, or the progress of the running query.
    QPushButton* m_historyButton;
    QPushButton* m_examplesButton;
    QPushButton* m_tablesButton;
    QLabel* m_position; ///< Line and column of the cursor, or the message of a mistake.
    QLabel* m_readOnly;
    Pill* m_limit;
    QSplitter* m_splitter;
    QStackedWidget* m_stack; ///< The table, or the page in its place.
    EmptyPage* m_page;
    QTreeView* m_table;
    QLabel* m_count;
    QLabel* m_time;
    QLineEdit* m_filter;
    QPushButton* m_rows;
    Pill* m_partition;
    QPushButton* m_chart;
    QPushButton* m_export;
    QLabel* m_place; ///< Number of the selected row, and whether the timeline shows it.
    QLabel* m_certain;
    QAction* m_runAction = nullptr;
    QAction* m_cancelAction = nullptr;
    QTimer m_progress;
    std::optional<SqlFailure> m_failure;
    bool m_isFailureOfText = false; ///< True until the user changes the text that failed.
    SqlExcerpt m_ran; ///< Text that was run last.
    bool m_isRunning = false;
    bool m_wasCancelled = false;
    bool m_runsWhenReady = false; ///< True if a query waits for the recording to be opened.
    bool m_isGoing = false; ///< True while the view itself moves the cursor.
    /// Row that the timeline shows, until the user moves the cursor.
    struct {
        std::shared_ptr<const SqlResult> result; ///< nullptr if the timeline shows no row.
        std::size_t line = 0;
    } m_marked;
    std::optional<int> m_limitSeconds = 60; ///< Time limit of queries; nullopt for none.
    QStringList m_history; ///< Queries that ran, the latest first.
    std::map<int, bool> m_exampleFinds; ///< Whether an example finds something, by its number; missing until it is checked.
    std::weak_ptr<const Timeline> m_quietOf; ///< Recording that m_quiet has queried.
    std::vector<Shown> m_panels;
    int m_nextPanel = 1; ///< Number of the next panel.
};

} // namespace helio
