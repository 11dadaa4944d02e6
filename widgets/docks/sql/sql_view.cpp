#include "widgets/docks/sql/sql_view.h"

#include "core/query/rows/facts.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_style.h"
#include "widgets/sql/sql_bars.h"
#include "widgets/sql/sql_tables.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/workspace/filter_changes.h"
#include "widgets/workspace/sql_requests.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int EditorWidth = 604; ///< Width of the editor in a wide dock, in pixels.
constexpr int ProgressPeriod = 100;

} // namespace

SqlView::SqlView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_editor(new SqlEditor)
    , m_tables(new SqlTables(this))
    , m_run(new QPushButton(tr("Run")))
    , m_keys(makeLabel({}, 11, 400, "text.hint"))
    , m_historyButton(new QPushButton(tr("History")))
    , m_examplesButton(new QPushButton(tr("Examples")))
    , m_tablesButton(new QPushButton(tr("Tables")))
    , m_position(makeLabel({}, 11, 400, "text.secondary"))
    , m_readOnly(makeLabel(tr("Read-only: queries cannot change the trace"), 11, 400, "text.hint"))
    , m_limit(new Pill({}))
    , m_splitter(new QSplitter(Qt::Horizontal))
    , m_stack(new QStackedWidget)
    , m_page(new EmptyPage)
    , m_table(new QTreeView)
    , m_count(makeLabel({}, 12, 600, "text.primary"))
    , m_time(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_filter(new QLineEdit)
    , m_rows(new QPushButton(tr("Show as rows")))
    , m_partition(new Pill({}))
    , m_chart(new QPushButton(tr("Chart")))
    , m_export(new QPushButton(tr("Export")))
    , m_place(makeLabel({}, 11, 400, "text.secondary"))
    , m_certain(makeLabel({}, 11, 400, "text.hint"))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    m_splitter->addWidget(makeEditorSide());
    m_splitter->addWidget(makeResultSide());
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(4);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({EditorWidth, EditorWidth});
    setFocusProxy(m_editor);
    m_history = savedHistory();
    makeActions();
    connectParts();
    setRunning(false);
    showState();
    showFoot();
}

SqlView::~SqlView() = default;

QWidget* SqlView::makeEditorSide()
{
    auto* side = new QWidget;
    side->setMinimumWidth(300);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    QHBoxLayout* head = nullptr;
    layout->addWidget(makeSqlBar(SqlHeadHeight, head));
    m_run->setDefault(true); // The style draws the default button as the primary button.
    m_run->setAutoDefault(false);
    makeShrinking(*m_keys);
    m_historyButton->setToolTip(tr("Queries that ran before"));
    m_historyButton->setMenu(makeMenu(m_historyButton, [this](QMenu* menu) { fillHistory(*menu); }));
    m_examplesButton->setToolTip(tr("Queries that find something in the open traces"));
    m_examplesButton->setMenu(makeMenu(m_examplesButton, [this](QMenu* menu) { fillExamples(*menu); }));
    m_tablesButton->setToolTip(tr("Show all tables and their columns; a double click inserts a name"));
    for (QPushButton* button : {m_historyButton, m_examplesButton, m_tablesButton})
        button->setAutoDefault(false);
    head->addWidget(m_run);
    head->addWidget(m_keys, 1);
    head->addWidget(m_historyButton);
    head->addWidget(m_examplesButton);
    head->addWidget(m_tablesButton);
    layout->addWidget(new HorizontalRule);
    layout->addWidget(m_editor, 1);
    layout->addWidget(new HorizontalRule);
    QHBoxLayout* foot = nullptr;
    layout->addWidget(makeSqlBar(SqlFootHeight, foot));
    makeShrinking(*m_position);
    m_limit->setMenu([this](QMenu* menu) { fillLimits(*menu); });
    m_limit->setToolTip(tr("Longest time of a query; heliograph sql has no limit"));
    foot->addWidget(m_position, 1);
    foot->addWidget(m_readOnly);
    foot->addWidget(m_limit);
    return side;
}

QWidget* SqlView::makeResultSide()
{
    auto* side = new QWidget;
    side->setMinimumWidth(320);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    QHBoxLayout* head = nullptr;
    layout->addWidget(makeSqlBar(SqlHeadHeight, head));
    m_filter->setPlaceholderText(tr("Filter rows"));
    m_filter->setAccessibleName(tr("Filter rows of the result"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(60);
    m_filter->setMaximumWidth(150);
    recordFilterChanges(*m_filter, m_context, tr("rows of the query"));
    m_rows->setCheckable(true);
    m_chart->setCheckable(true);
    m_partition->setMenu([this](QMenu* menu) { fillPartitions(*menu); });
    m_partition->setToolTip(tr("Column with a row of the panel for each of its values"));
    m_export->setMenu(makeMenu(m_export, [this](QMenu* menu) { fillExports(*menu); }));
    m_export->setToolTip(tr("Save or copy the listed rows"));
    for (QPushButton* button : {m_rows, m_chart, m_export})
        button->setAutoDefault(false);
    makeShrinking(*m_time);
    head->addWidget(m_count);
    head->addWidget(m_time, 1);
    head->addWidget(m_filter, 1);
    head->addWidget(m_partition);
    head->addWidget(m_rows);
    head->addWidget(m_chart);
    head->addWidget(m_export);
    layout->addWidget(new HorizontalRule);
    m_page->setInDock();
    showModel(*m_table, m_model, tr("Rows of the query"), new SqlResultDelegate(m_model, m_table));
    makeSortable(*m_table, -1, Qt::AscendingOrder);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_table->header()->setMinimumSectionSize(40);
    m_table->setObjectName("rows");
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_table);
    layout->addWidget(m_stack, 1);
    layout->addWidget(new HorizontalRule);
    QHBoxLayout* foot = nullptr;
    layout->addWidget(makeSqlBar(SqlFootHeight, foot));
    makeShrinking(*m_place);
    m_certain->setTextFormat(Qt::PlainText);
    foot->addWidget(m_place, 1);
    foot->addWidget(m_certain);
    return side;
}

void SqlView::makeActions()
{
    m_runAction = new QAction(tr("Run query"), this);
    m_runAction->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    m_cancelAction = new QAction(tr("Cancel query"), this);
    m_cancelAction->setShortcut(QKeySequence(Qt::Key_Escape));
    for (QAction* action : {m_runAction, m_cancelAction}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
    }
    connect(m_runAction, &QAction::triggered, this, &SqlView::run);
    connect(m_cancelAction, &QAction::triggered, this, &SqlView::cancel);
}

void SqlView::connectParts()
{
    connect(m_run, &QPushButton::clicked, this, [this] { m_isRunning ? cancel() : run(); });
    connect(m_tablesButton, &QPushButton::clicked, this,
            [this] { m_tables->popup(m_tablesButton->mapToGlobal(QPoint(m_tablesButton->width(), -2))); });
    connect(m_tables, &SqlTables::chosen, m_editor, &SqlEditor::insertName);
    connect(m_editor, &QPlainTextEdit::cursorPositionChanged, this, &SqlView::showFoot);
    connect(m_editor, &QPlainTextEdit::textChanged, this, [this] {
        if (std::exchange(m_isFailureOfText, false))
            showFoot();
    });
    connect(m_splitter, &QSplitter::splitterMoved, this, &SqlView::fitTexts);
    connect(m_page, &EmptyPage::buttonClicked, this, [this] { m_context.trigger(QStringLiteral("file.open")); });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model.setFilter(text);
        showState();
    });
    connect(m_rows, &QPushButton::clicked, this, [this](bool isOn) { setPanel(false, isOn); });
    connect(m_chart, &QPushButton::clicked, this, [this](bool isOn) { setPanel(true, isOn); });
    onChosen(*m_table, this, [this](const QModelIndex& index) { goTo(index); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { showFoot(); });
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &SqlView::showMenu);
    connect(&m_runner, &SqlRunner::done, this, &SqlView::takeResult);
    connect(&m_runner, &SqlRunner::failed, this, &SqlView::takeFailure);
    connect(
        &m_quiet, &SqlRunner::schemaRead, this,
        [this](const std::shared_ptr<const sql::Schema>& schema) {
            m_editor->setNames({schema});
            m_tables->setSchema(schema);
            runQuietly(); // Without a schema, too: the queries say what is wrong.
        },
        Qt::QueuedConnection);
    // Queued, because the runner is busy while it emits the signal.
    connect(&m_quiet, &SqlRunner::allDone, this, &SqlView::runQuietly, Qt::QueuedConnection);
    connect(&m_quiet, &SqlRunner::failed, this, &SqlView::takeQuietFailure);
    m_progress.setInterval(ProgressPeriod);
    connect(&m_progress, &QTimer::timeout, this, &SqlView::showProgress);
    connect(&m_context, &ViewContext::timelineChanged, this, &SqlView::onTimelineChanged);
    connect(&m_context, &ViewContext::timeFormatChanged, this, [this] { m_model.setFormat(m_context.timeFormat()); });
    for (const auto signal : {&TimeWindow::cursorChanged, &TimeWindow::rowChanged})
        connect(&m_context.time(), signal, this, &SqlView::forgetLine);
    connect(&SqlRequests::of(m_context), &SqlRequests::asked, this, [this](const QString& query) {
        setQuery(query);
        run();
    });
    ResultPanels& panels = ResultPanels::of(m_context);
    connect(&panels, &ResultPanels::chosen, this, &SqlView::chooseLine);
    connect(&panels, &ResultPanels::removeRequested, this, [this](const QString& id) {
        std::erase_if(m_panels, [&](const Shown& it) { return it.id == id; });
        publishPanels();
        showState();
    });
    connect(&panels, &ResultPanels::editRequested, this, [this](const QString& id) {
        const auto panel = std::ranges::find(m_panels, id, &Shown::id);
        if (panel == m_panels.end())
            return;
        m_context.showView(QStringLiteral("sql"));
        setQuery(panel->query);
        if (panel->result && !m_isRunning) // A running query replaces the table soon.
            showResult(panel->result);
        m_editor->setFocus(Qt::OtherFocusReason);
    });
    m_model.setFormat(m_context.timeFormat());
}

void SqlView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    runQuietly();
    if (m_table->isVisible())
        showState();
}

void SqlView::resizeEvent(QResizeEvent* event)
{
    PanelGround::resizeEvent(event);
    const int width = this->width();
    if (event->oldSize().width() <= 0 || std::abs(event->oldSize().width() - width) > width / 4)
        m_splitter->setSizes({std::min(EditorWidth, width / 2), width - std::min(EditorWidth, width / 2)});
    fitTexts();
}

/// Hides texts that only explain, where others need the room: the time of the query beside its rows, and the remark below the editor.
void SqlView::fitTexts()
{
    constexpr int LeastEditor = 520, LeastResult = 680;
    m_readOnly->setVisible(m_splitter->sizes().value(0) >= LeastEditor && !(m_failure && m_isFailureOfText));
    m_time->setVisible(m_splitter->sizes().value(1) >= LeastResult);
}

QString SqlView::query() const { return m_editor->toPlainText(); }

void SqlView::setQuery(const QString& query)
{
    m_failure.reset();
    m_editor->setQuery(query);
    showFoot();
}

bool SqlView::canRun() const { return m_context.timeline() != nullptr; }

void SqlView::run()
{
    const SqlExcerpt ran = m_editor->excerptToRun();
    if (ran.text.trimmed().isEmpty())
        return m_context.say(tr("There is no query to run"));
    if (!canRun()) {
        m_runsWhenReady = true;
        return m_context.say(tr("No trace is open."));
    }
    m_runsWhenReady = false;
    m_ran = ran;
    m_failure.reset();
    m_wasCancelled = false;
    m_editor->setMistake({});
    remember(ran.text);
    setRunning(true);
    m_runner.run(m_context.timeline(), ran.text,
                 m_limitSeconds ? std::optional(std::chrono::milliseconds(*m_limitSeconds * 1000)) : std::nullopt);
}

void SqlView::cancel()
{
    if (!m_isRunning)
        return;
    m_runner.cancel();
    setRunning(false);
    m_wasCancelled = true;
    showState();
    m_context.say(tr("The query was cancelled"));
}

void SqlView::setRunning(bool isRunning)
{
    m_isRunning = isRunning;
    m_run->setText(isRunning ? tr("Cancel") : tr("Run"));
    m_run->setToolTip(isRunning ? tr("Stop the query (Esc)") : tr("Run the selected text, or the whole query (Ctrl+Enter)"));
    m_run->setEnabled(isRunning || canRun());
    m_cancelAction->setEnabled(isRunning); // Otherwise Esc keeps its other meanings.
    m_runAction->setEnabled(!isRunning && canRun());
    isRunning ? m_progress.start() : m_progress.stop();
    showProgress();
}

void SqlView::showProgress()
{
    m_limit->setText(tr("Time limit: %1").arg(limitText()));
    if (!m_isRunning)
        return m_keys->setText(tr("Ctrl+Enter"));
    const qint64 seconds = m_runner.elapsed() / 1000;
    const QString time = m_limitSeconds ? tr("%1 s of %2").arg(seconds).arg(limitText()) : tr("%1 s").arg(seconds);
    m_keys->setText(tr("%1 rows, %2").arg(countText(qint64(m_runner.rowsSoFar())), time));
}

void SqlView::takeResult(std::shared_ptr<const SqlResult> result)
{
    setRunning(false);
    showResult(result);
}

/// Shows a result in the table and in the panels of its query. Requires: no query is running.
void SqlView::showResult(const std::shared_ptr<const SqlResult>& result)
{
    m_failure.reset();
    m_wasCancelled = false;
    const QSignalBlocker blocker(m_table->selectionModel());
    m_model.setResult(result);
    if (!m_filter->text().isEmpty())
        m_model.setFilter(m_filter->text());
    m_table->header()->setSortIndicator(-1, Qt::AscendingOrder);
    fitResultColumns(*m_table, m_stack->width()); // The table may not be laid out yet, unlike its stack.
    forgetLine();
    for (const bool isChart : {false, true})
        if (Shown* panel = panelOf(isChart); panel && panel->result != result) {
            panel->result = result;
            panel->isOld = true;
            panel->problem.clear();
        }
    fillPanels();
    publishPanels();
    showState();
    showFoot();
}

void SqlView::takeFailure(const SqlFailure& failure)
{
    setRunning(false);
    m_failure = failure;
    m_isFailureOfText = m_editor->underlineFailure(failure, m_ran); // The user may have changed the text meanwhile.
    if (failure.isTimeout)
        m_failure->message =
            tr("Stopped after %1, the time limit. Choose a longer limit below, or narrow the query by time.").arg(limitText());
    m_model.setResult({});
    showState();
    showFoot();
}

/// Shows the table or the page in its place, and the controls that the result allows.
void SqlView::showState()
{
    const auto& result = m_model.result();
    const bool hasRows = result && result->rows() > 0;
    const bool areListed = hasRows && m_model.rowCount() > 0;
    m_stack->setCurrentWidget(areListed ? static_cast<QWidget*>(m_table) : m_page);
    if (!areListed)
        showEmptyPage();
    QString count;
    if (hasRows) {
        const QString all = countText(qint64(result->rows()));
        const QString some = countText(m_model.rowCount());
        count = result->isCut                                  ? tr("First %1 rows").arg(all)
            : std::size_t(m_model.rowCount()) < result->rows() ? tr("%1 of %2 rows").arg(some, all)
            : result->rows() == 1                              ? tr("1 row")
                                                               : tr("%1 rows").arg(all);
    }
    m_count->setText(count);
    m_count->setToolTip(result && result->isCut
                            ? wrapTooltip(tr("The query has more rows, which the window does not read. heliograph sql prints all."))
                            : QString());
    m_time->setText(result ? tr("in %1").arg(durationText(std::chrono::duration_cast<Duration>(result->time))) : QString());
    const auto setShape = [&](QPushButton* button, bool isPossible, bool isChart, const QString& tip, const QString& why) {
        button->setEnabled(isPossible);
        const bool isOn = isPossible && panelOf(isChart);
        button->setChecked(isOn);
        button->setIcon(isOn ? themedIcon("check") : QIcon());
        button->setToolTip(isPossible ? tip : why);
    };
    const bool canRows = result && result->facts && result->facts->canBeBars;
    const bool canChart = result && result->facts && result->facts->canBeCurves;
    setShape(m_rows, canRows, false, tr("Show the rows as bars in a panel of the timeline"),
             tr("Needs a result with the columns ts and dur"));
    setShape(m_chart, canChart, true, tr("Show the values as curves in a panel of the timeline"),
             tr("Needs a result with the column ts and a column of numbers"));
    const Shown* shown = canRows ? panelOf(false) : nullptr;
    if (!shown && canChart)
        shown = panelOf(true);
    m_partition->setVisible(shown != nullptr);
    if (shown)
        m_partition->setText(shown->columns.partition.isEmpty() ? tr("One row") : tr("By %1").arg(shown->columns.partition));
    m_export->setEnabled(hasRows);
    m_filter->setEnabled(hasRows);
    QString certain;
    const char* role = "text.hint";
    const auto timeline = m_context.timeline();
    if (result && timeline) {
        const int column = result->column("certain");
        const auto doubtful = qint64(result->facts ? result->facts->uncertain : 0);
        if (!isSameRecording(*result->timeline, *timeline)) {
            certain = isComplete(*timeline) ? tr("The recording changed: run the query again") : tr("Still reading: rows may be missing");
            role = "severity.warning";
        } else if (!isComplete(*result->timeline)) {
            certain = tr("Still reading: rows may be missing");
            role = "severity.warning";
        } else if (doubtful > 0) {
            certain = tr("%1 rows touch lost events").arg(countText(doubtful));
            role = "mark.lost";
        } else if (!result->hasLosses) {
            certain = tr("All rows certain: no events were lost");
        } else if (column < 0 && hasRows) {
            certain = tr("Events were lost: see the table loss");
            role = "mark.lost";
        } else if (column >= 0) {
            certain = tr("All rows certain");
        }
    }
    styleLabel(m_certain, 11, 400, role);
    m_certain->setText(certain);
}

void SqlView::showEmptyPage()
{
    const auto& result = m_model.result();
    m_page->setButton({});
    if (!m_context.timeline()) {
        m_page->setButton(tr("Open\u2026"));
        return m_page->setText(tr("No trace is open."), tr("Open one to query its threads, states, slices, counters and events."));
    }
    if (m_failure)
        return m_page->setText(m_failure->isTimeout ? tr("The query took too long.") : tr("The query failed."), m_failure->message);
    if (m_wasCancelled)
        return m_page->setText(tr("The query was cancelled."), tr("Press Ctrl+Enter to run it again."));
    if (!result)
        return m_page->setText(tr("No query has run."), tr("Write one and press Ctrl+Enter, or choose an example."));
    if (result->columns.empty())
        return m_page->setText(tr("The statement returns no rows."), tr("What it created stays until the recording changes."));
    if (result->rows() == 0)
        return m_page->setText(tr("The query found no rows."), tr("Its conditions fit nothing in this recording."));
    m_page->setText(tr("No row contains \u201c%1\u201d.").arg(m_filter->text().trimmed()), tr("Clear the filter to list all rows."));
}

void SqlView::showFoot()
{
    fitTexts();
    const bool hasMistake = m_failure && m_isFailureOfText && !m_isRunning;
    styleLabel(m_position, 11, 400, hasMistake ? "severity.error" : "text.secondary");
    m_position->setText(hasMistake ? m_editor->failureText(*m_failure, m_ran) : m_editor->cursorText());
    m_position->setToolTip(hasMistake ? wrapTooltip(m_position->text()) : QString());
    const QModelIndex current = m_table->currentIndex();
    QString place;
    if (current.isValid() && m_model.result() && current.row() < m_model.rowCount()) {
        const std::size_t line = m_model.line(current.row());
        place = tr("Row %1 of %2").arg(countText(current.row() + 1), countText(m_model.rowCount()));
        if (m_marked.result == m_model.result() && m_marked.line == line)
            place = tr("%1, shown in the timeline").arg(place);
    }
    m_place->setText(place);
}

void SqlView::onTimelineChanged()
{
    const auto timeline = m_context.timeline();
    if (!timeline) {
        m_runner.close();
        m_quiet.close();
        m_quietOf.reset();
        m_exampleFinds.clear();
        m_failure.reset();
        m_model.setResult({});
        // The panels stay: reading the traces again fills them again.
        for (Shown& it : m_panels) {
            it.result.reset();
            it.data.reset();
            it.isOld = true;
            it.problem.clear();
        }
        m_fill.cancel();
        publishPanels();
        setRunning(false);
        return showState();
    }
    setRunning(m_isRunning);
    if (m_runsWhenReady && isComplete(*timeline))
        run();
    runQuietly();
    showState();
}

void SqlView::focusSearch()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

} // namespace helio
