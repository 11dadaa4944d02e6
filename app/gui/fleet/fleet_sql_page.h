#pragma once

#include "core/fleet/fleet_table.h"
#include "widgets/controls/field_grid.h"
#include "widgets/sql/sql_editor.h"
#include "widgets/sql/sql_result_model.h"
#include "widgets/sql/sql_runner.h"

#include <QTimer>

#include <optional>
#include <vector>

class QMenu;
class QPushButton;
class QStackedWidget;
class QTreeView;

namespace helio {

class EmptyPage;
class SqlTables;

/// Page with an editor for queries of a catalogue, and the table of their result. A double click on a row chooses its trace.
/// Threads: UI thread; queries run on another thread.
class FleetSqlPage : public PanelGround {
    Q_OBJECT

public:
    explicit FleetSqlPage(QWidget* parent = nullptr);
    ~FleetSqlPage() override;

    /// Sets the catalogue to query, or says that it was read again: a running query is stopped, and the file is opened anew by the next
    /// one. The query stays; its result stays if the catalogue is the same one.
    void setCatalogue(const QString& path);

    void setQuery(const QString& query);
    QString query() const;
    void run(); ///< Runs the selected text of the editor, or all of it.
    void cancel();
    QString command() const; ///< Returns the command that runs the query; empty if there is no query.

    bool isRunning() const { return m_isRunning; }
    const SqlResultModel& model() const { return m_model; }
    const std::optional<SqlFailure>& failure() const { return m_failure; } ///< Why the last query failed; nullopt if it did not.

signals:
    void traceChosen(const std::shared_ptr<const helio::SqlResult>& result, std::size_t row); ///< Emitted when the user chose a row.
    void said(const QString& text); ///< Emitted with a text for the status bar.
    void left(); ///< Emitted when the user left the page with Esc.

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    QWidget* makeEditorPart();
    QWidget* makeResultPart();
    void connectParts();
    void fillExamples(QMenu& menu);
    void runExample(const QString& query);
    void takeResult(const std::shared_ptr<const SqlResult>& result);
    void takeFailure(const SqlFailure& failure);
    void setRunning(bool isRunning);
    void showProgress();
    void showState();
    void showEmptyPage();
    void showPosition();
    void chooseRow(const QModelIndex& cell);

    SqlCatalogue m_source; ///< Has an empty path before a catalogue is set.
    SqlRunner m_runner;
    SqlRunner m_names; ///< Reads the names of tables, so that no query waits for them.
    SqlResultModel m_model;
    SqlEditor* m_editor;
    SqlTables* m_tables;
    QPushButton* m_run;
    QLabel* m_keys; ///< Keyboard shortcut of m_run, or the progress of the running query.
    QPushButton* m_examples;
    QPushButton* m_tablesButton;
    QLabel* m_position; ///< Position of the cursor, or the message of a mistake.
    QLabel* m_count;
    QLabel* m_time;
    QPushButton* m_copy;
    QStackedWidget* m_stack; ///< The table, or the page in its place.
    EmptyPage* m_page;
    QTreeView* m_table;
    QLabel* m_remark; ///< Limits of the shown result; hidden if there is none.
    QTimer m_progress;
    std::optional<SqlFailure> m_failure;
    bool m_isFailureOfText = false; ///< True until the user changes the text that failed.
    SqlExcerpt m_ran; ///< Text that was run last.
    bool m_isRunning = false;
    bool m_wasCancelled = false;
    bool m_isOld = false; ///< True if the catalogue was read again since the result.
};

/// Returns the traces that a row of a result names by its `trace_id`, by its `id` and `path`, or by its `path`, as indexes into the table;
/// several traces may have a path. Returns nullopt if the row has none of these columns.
std::optional<std::vector<std::uint32_t>> findNamedTraces(const fleet::FleetTable& table, const SqlResult& result, std::size_t row);

} // namespace helio
