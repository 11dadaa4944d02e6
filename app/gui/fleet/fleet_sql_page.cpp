#include "app/gui/fleet/fleet_sql_page.h"

#include "app/gui/common/window_frame.h"
#include "app/gui/fleet/fleet_sql_examples.h"
#include "core/base/shell_words.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/table_copy.h"
#include "widgets/controls/table_style.h"
#include "widgets/sql/sql_bars.h"
#include "widgets/sql/sql_completion_list.h"
#include "widgets/sql/sql_tables.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

using namespace std::chrono_literals;

namespace {

constexpr int EditorHeight = 250; ///< Height of the part with the editor before the user drags its edge, in pixels.

bool isEnter(const QKeyEvent& key, Qt::KeyboardModifiers modifiers)
{
    return (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) && (key.modifiers() & ~Qt::KeypadModifier) == modifiers;
}

/// Returns the text in a column of a row; empty if the column is -1 or has another value.
std::string textIn(const SqlResult& result, std::size_t row, int column)
{
    const auto* const words = column < 0 ? nullptr : std::get_if<std::string>(&result.value(row, column));
    return words ? *words : std::string();
}

} // namespace

FleetSqlPage::FleetSqlPage(QWidget* parent)
    : PanelGround(parent)
    , m_editor(new SqlEditor)
    , m_tables(new SqlTables(this))
    , m_run(new QPushButton(tr("Run")))
    , m_keys(makeLabel({}, 11, 400, "text.hint"))
    , m_examples(new QPushButton(tr("Examples")))
    , m_tablesButton(new QPushButton(tr("Tables")))
    , m_position(makeLabel({}, 11, 400, "text.secondary"))
    , m_count(makeLabel({}, 12, 600, "text.primary"))
    , m_time(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_copy(new QPushButton(tr("Copy as command")))
    , m_stack(new QStackedWidget)
    , m_page(new EmptyPage)
    , m_table(new QTreeView)
    , m_remark(makeLabel({}, 11, 400, "severity.warning"))
{
    auto* const parts = makeSplitter(Qt::Vertical, {makeEditorPart(), makeResultPart()});
    parts->setStretchFactor(0, 0);
    parts->setStretchFactor(1, 1);
    parts->setSizes({EditorHeight, 3 * EditorHeight});
    makeVerticalLayout(this)->addWidget(parts);
    setAccessibleName(tr("SQL"));
    setFocusProxy(m_editor);
    connectParts();
    setRunning(false);
    showState();
    showPosition();
}

FleetSqlPage::~FleetSqlPage() = default;

QWidget* FleetSqlPage::makeEditorPart()
{
    auto* part = new QWidget;
    auto* layout = makeVerticalLayout(part);
    QHBoxLayout* head = nullptr;
    layout->addWidget(makeSqlBar(SqlHeadHeight, head));
    m_run->setDefault(true); // The style draws the default button as the primary button.
    makeShrinking(*m_keys);
    m_examples->setToolTip(tr("Queries that every catalogue can answer"));
    m_examples->setMenu(makeMenu(m_examples, [this](QMenu* menu) { fillExamples(*menu); }));
    m_tablesButton->setToolTip(tr("Show all tables and their columns; a double click inserts a name"));
    for (QPushButton* const button : {m_run, m_examples, m_tablesButton})
        button->setAutoDefault(false);
    head->addWidget(m_run);
    head->addWidget(m_keys, 1);
    head->addWidget(m_examples);
    head->addWidget(m_tablesButton);
    layout->addWidget(new HorizontalRule);
    m_editor->setMinimumHeight(60);
    m_editor->installEventFilter(this);
    layout->addWidget(m_editor, 1);
    layout->addWidget(new HorizontalRule);
    QHBoxLayout* foot = nullptr;
    layout->addWidget(makeSqlBar(SqlFootHeight, foot));
    makeShrinking(*m_position);
    foot->addWidget(m_position, 1);
    return part;
}

QWidget* FleetSqlPage::makeResultPart()
{
    auto* part = new QWidget;
    auto* layout = makeVerticalLayout(part);
    QHBoxLayout* head = nullptr;
    layout->addWidget(new HorizontalRule);
    layout->addWidget(makeSqlBar(SqlHeadHeight, head));
    makeShrinking(*m_time);
    m_copy->setAutoDefault(false);
    m_copy->setToolTip(tr("Copy the command that prints all rows of the query"));
    head->addWidget(m_count);
    head->addWidget(m_time, 1);
    head->addWidget(m_copy);
    layout->addWidget(new HorizontalRule);
    m_page->setInDock();
    showModel(*m_table, m_model, tr("Rows of the query"), new SqlResultDelegate(m_model, m_table));
    makeSortable(*m_table, -1, Qt::AscendingOrder);
    setFurtherActions(*m_table, [this](QMenu& menu, const QModelIndex& cell) {
        if (!cell.isValid())
            return;
        menu.addAction(tr("Select trace"), this, [this, chosen = QPersistentModelIndex(cell)] { chooseRow(chosen); });
        menu.addSeparator();
    });
    m_table->setObjectName(QStringLiteral("rows"));
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_table->header()->setMinimumSectionSize(40);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->installEventFilter(this);
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_table);
    layout->addWidget(m_stack, 1);
    m_remark->setTextFormat(Qt::PlainText);
    m_remark->setWordWrap(true);
    m_remark->setContentsMargins(12, 6, 12, 6);
    layout->addWidget(m_remark);
    return part;
}

void FleetSqlPage::connectParts()
{
    connect(m_run, &QPushButton::clicked, this, [this] { m_isRunning ? cancel() : run(); });
    connect(m_tablesButton, &QPushButton::clicked, this, [this] {
        m_tables->popup(m_tablesButton->mapToGlobal(QPoint(m_tablesButton->width(), m_tablesButton->height() + m_tables->height())));
    });
    connect(m_tables, &SqlTables::chosen, m_editor, &SqlEditor::insertName);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        copyText(command());
        emit said(tr("Copied: %1").arg(command()));
    });
    connect(m_page, &EmptyPage::buttonClicked, this, [this] { runExample(QString::fromUtf8(fleetSqlExamples().front().query)); });
    connect(m_editor, &QPlainTextEdit::textChanged, this, [this] {
        m_isFailureOfText = false;
        m_copy->setEnabled(!query().trimmed().isEmpty());
        showPosition();
    });
    connect(m_editor, &QPlainTextEdit::cursorPositionChanged, this, &FleetSqlPage::showPosition);
    connect(m_table, &QTreeView::doubleClicked, this, &FleetSqlPage::chooseRow);
    connect(&m_runner, &SqlRunner::done, this, &FleetSqlPage::takeResult);
    connect(&m_runner, &SqlRunner::failed, this, &FleetSqlPage::takeFailure);
    connect(&m_names, &SqlRunner::schemaRead, this, [this](const std::shared_ptr<const sql::Schema>& schema) {
        m_editor->setNames({schema});
        m_tables->setSchema(schema);
        m_names.close();
    });
    m_progress.setInterval(100ms);
    connect(&m_progress, &QTimer::timeout, this, &FleetSqlPage::showProgress);
}

void FleetSqlPage::fillExamples(QMenu& menu)
{
    for (const FleetSqlExample& example : fleetSqlExamples())
        menu.addAction(QCoreApplication::translate("FleetSqlExamples", example.title), this,
                       [this, query = QString::fromUtf8(example.query)] { runExample(query); });
}

void FleetSqlPage::runExample(const QString& query)
{
    if (m_isRunning)
        cancel();
    setQuery(query);
    m_editor->setFocus(Qt::OtherFocusReason);
    run();
}

void FleetSqlPage::setCatalogue(const QString& path)
{
    if (m_isRunning)
        cancel();
    const std::filesystem::path file = path.toStdString();
    const bool isSame = file == m_source.path;
    m_source = {file, m_source.reading + 1};
    m_runner.close();
    m_names.readSchema(m_source);
    if (!isSame) {
        m_failure.reset();
        m_wasCancelled = false;
        m_editor->setMistake({});
        m_model.setResult({});
    }
    m_isOld = m_model.result() != nullptr;
    setRunning(false);
    showState();
    showPosition();
}

void FleetSqlPage::setQuery(const QString& query) { m_editor->setQuery(query); }

QString FleetSqlPage::query() const { return m_editor->toPlainText(); }

QString FleetSqlPage::command() const
{
    const std::string statements = query().trimmed().toStdString();
    return statements.empty() ? QString()
                              : text("heliograph fleet sql " + shellQuoted(m_source.path.string()) + ' ' + shellQuoted(statements));
}

void FleetSqlPage::run()
{
    const SqlExcerpt excerpt = m_editor->excerptToRun();
    if (excerpt.text.trimmed().isEmpty())
        return emit said(tr("There is no query to run. Write one, or choose an example."));
    if (m_source.path.empty())
        return;
    m_ran = excerpt;
    m_failure.reset();
    m_wasCancelled = false;
    m_editor->setMistake({});
    if (m_editor->completions())
        m_editor->completions()->hide();
    setRunning(true);
    showState();
    showPosition();
    m_runner.run(m_source, m_ran.text, std::nullopt);
}

void FleetSqlPage::cancel()
{
    if (!m_isRunning)
        return;
    m_runner.cancel();
    m_wasCancelled = true;
    m_model.setResult({});
    setRunning(false);
    showState();
    emit said(tr("The query was cancelled after %1 rows").arg(countText(qint64(m_runner.rowsSoFar()))));
}

void FleetSqlPage::takeResult(const std::shared_ptr<const SqlResult>& result)
{
    m_isOld = false;
    m_model.setResult(result);
    m_table->header()->setSortIndicator(-1, Qt::AscendingOrder);
    fitResultColumns(*m_table, m_stack->width());
    setRunning(false);
    showState();
}

void FleetSqlPage::takeFailure(const SqlFailure& failure)
{
    m_failure = failure;
    m_isFailureOfText = m_editor->underlineFailure(failure, m_ran); // The user may have changed the text meanwhile.
    m_model.setResult({});
    setRunning(false);
    showState();
    showPosition();
}

void FleetSqlPage::setRunning(bool isRunning)
{
    m_isRunning = isRunning;
    m_run->setText(isRunning ? tr("Cancel") : tr("Run"));
    m_run->setToolTip(isRunning ? tr("Stop the query (Esc)") : tr("Run the selected text, or the whole query (Ctrl+Enter)"));
    m_copy->setEnabled(!query().trimmed().isEmpty());
    isRunning ? m_progress.start() : m_progress.stop();
    showProgress();
}

void FleetSqlPage::showProgress()
{
    m_keys->setText(m_isRunning ? tr("%1 rows, %2 s").arg(countText(qint64(m_runner.rowsSoFar()))).arg(m_runner.elapsed() / 1000)
                                : tr("Ctrl+Enter"));
}

/// Shows the table or the page in its place, and what is said about the result.
void FleetSqlPage::showState()
{
    const auto& result = m_model.result();
    const qint64 rows = result ? qint64(result->rows()) : 0;
    m_stack->setCurrentWidget(rows > 0 ? static_cast<QWidget*>(m_table) : m_page);
    if (rows == 0)
        showEmptyPage();
    m_count->setText(rows == 0 ? QString() : rows == 1 ? tr("1 row") : tr("%1 rows").arg(countText(rows)));
    m_time->setText(result ? tr("in %1").arg(durationText(std::chrono::duration_cast<Duration>(result->time))) : QString());
    QStringList remarks;
    if (result && result->isCut)
        remarks << tr("Only the first %1 rows are read; heliograph fleet sql prints all.").arg(countText(rows));
    if (result && m_isOld)
        remarks << tr("The catalogue was read again after this query. Run it again to see changes.");
    m_remark->setText(remarks.join(u' '));
    m_remark->setVisible(!remarks.isEmpty());
}

void FleetSqlPage::showEmptyPage()
{
    const auto& result = m_model.result();
    m_page->setButton({});
    if (m_isRunning)
        return m_page->setText(tr("The query is running."), tr("Press Esc to stop it."));
    if (m_failure)
        return m_page->setText(tr("The query failed."), m_failure->message);
    if (m_wasCancelled)
        return m_page->setText(tr("The query was cancelled."), tr("Press Ctrl+Enter in the editor to run it again."));
    if (result && result->columns.empty())
        return m_page->setText(tr("The statement returns no rows."), tr("What it created stays until the catalogue is read again."));
    if (result)
        return m_page->setText(tr("The query found no rows."), tr("Its conditions fit nothing in this catalogue."));
    QStringList example = QString::fromUtf8(fleetSqlExamples().front().query).split(u'\n');
    example.removeIf([](const QString& line) { return line.startsWith(QLatin1String("--")); });
    m_page->setText(tr("No query has run."), tr("For example: %1. A double click on a row selects its trace.").arg(example.join(u' ')));
    m_page->setButton(tr("Run this example"));
}

void FleetSqlPage::showPosition()
{
    const bool hasMistake = m_failure && m_isFailureOfText && !m_isRunning;
    styleLabel(m_position, 11, 400, hasMistake ? "severity.error" : "text.secondary");
    m_position->setText(hasMistake ? m_editor->failureText(*m_failure, m_ran) : m_editor->cursorText());
    m_position->setToolTip(hasMistake ? wrapTooltip(m_position->text()) : QString());
}

void FleetSqlPage::chooseRow(const QModelIndex& cell)
{
    if (cell.isValid() && m_model.result())
        emit traceChosen(m_model.result(), m_model.line(cell.row()));
}

/// Gives the editor Ctrl+Enter, which means something else in the window, and the table Enter. QTreeView::activated() would also choose a
/// row on a single click, if the desktop is set so.
bool FleetSqlPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return PanelGround::eventFilter(watched, event);
    const bool isOfEditor = watched == m_editor;
    if (!isEnter(*static_cast<QKeyEvent*>(event), isOfEditor ? Qt::ControlModifier : Qt::NoModifier))
        return PanelGround::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::ShortcutOverride)
        return true;
    if (!isOfEditor)
        chooseRow(m_table->currentIndex());
    else if (!m_isRunning)
        run();
    return true;
}

/// Handles Esc: the running query is stopped; without one, the page is left.
void FleetSqlPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || event->modifiers() != Qt::NoModifier)
        return PanelGround::keyPressEvent(event);
    if (m_isRunning)
        cancel();
    else
        emit left();
}

void FleetSqlPage::resizeEvent(QResizeEvent* event)
{
    PanelGround::resizeEvent(event);
    m_time->setVisible(width() >= 320);
}

std::optional<std::vector<std::uint32_t>> findNamedTraces(const fleet::FleetTable& table, const SqlResult& result, std::size_t row)
{
    const int traceColumn = result.column("trace_id"), pathColumn = result.column("path");
    if (traceColumn < 0 && pathColumn < 0)
        return {};
    std::vector<std::uint32_t> found;
    const auto find = [&](const auto& isNamed) {
        for (std::size_t i = 0; i < table.traces.size(); ++i)
            if (isNamed(table.traces[i]))
                found.push_back(std::uint32_t(i));
    };
    if (const auto id = result.integer(row, traceColumn)) {
        find([&](const fleet::FleetTrace& it) { return it.id == *id; });
        return found;
    }
    const std::string path = textIn(result, row, pathColumn);
    // A column `id` may number findings: it names a trace only together with its path.
    if (const auto id = result.integer(row, result.column("id")))
        find([&](const fleet::FleetTrace& it) { return it.id == *id && it.path == path; });
    if (found.empty() && !path.empty())
        find([&](const fleet::FleetTrace& it) { return it.path == path; });
    return found;
}

} // namespace helio
