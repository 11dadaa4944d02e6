#include "app/gui/fleet/fleet_window.h"

#include "app/gui/common/actions.h"
#include "app/gui/common/window_frame.h"
#include "app/gui/common/window_palette.h"
#include "app/gui/common/window_text.h"
#include "app/gui/fleet/fleet_actions.h"
#include "app/gui/fleet/fleet_data.h"
#include "app/gui/fleet/fleet_details_page.h"
#include "app/gui/fleet/fleet_filter_bar.h"
#include "app/gui/fleet/fleet_sql_page.h"
#include "app/gui/fleet/fleet_status.h"
#include "core/base/shell_words.h"
#include "core/findings/finder.h"
#include "widgets/controls/dock_area.h"
#include "widgets/controls/drop_overlay.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/tab_order.h"
#include "widgets/controls/table_copy.h"
#include "widgets/controls/table_style.h"
#include "widgets/fleet/fleet_delegate.h"
#include "widgets/fleet/fleet_head.h"
#include "widgets/fleet/fleet_model.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QAction>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

using fleet::FleetConditions;
using namespace std::chrono_literals;

namespace {

constexpr int DetailsWidth = 416;
constexpr int LeastDetailsWidth = 300;
constexpr int NarrowWidth = 1360; ///< Width of the window below which the details are hidden until the user asks for them.
constexpr int TimeWidth = 80; ///< Width of the column with the time of recording, in pixels, if all traces are of one day.
constexpr int DateWidth = 124; ///< Width of that column with the date.
constexpr int LeastFindingWidth = 190; ///< Smallest width of the column with the finding, in pixels.

/// Returns the title of a finder from its id; the id if this version has no such finder.
QString finderTitle(const std::string& finder)
{
    for (const Finder* const it : builtinFinders())
        if (finder == it->id)
            return FleetWindow::tr(it->title);
    return text(finder).left(60);
}

} // namespace

FleetWindow::FleetWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_data(new FleetData(this))
    , m_model(new FleetModel(this))
    , m_delegate(new FleetDelegate(*m_model, this))
    , m_header(new HeaderBar)
    , m_actions(new Actions(fleetActions(), this))
    , m_notice(new NoticeBar)
    , m_head(new FleetHead(finderTitle))
    , m_filter(new FleetFilterBar(finderTitle))
    , m_table(new QTreeView)
    , m_noTrace(new EmptyPage)
    , m_list(new QStackedWidget)
    , m_details(new FleetDetailsPage)
    , m_sql(new FleetSqlPage)
    , m_dock(new DockArea(tr("Details and SQL")))
    , m_page(new EmptyPage)
    , m_stack(new QStackedWidget)
    , m_status(new FleetStatus)
    , m_patience(new QTimer(this))
{
    makeTable();
    makeParts();
    wireConditions();
    wireData();
    bindFileActions();
    bindOtherActions();
    m_actions->fill(*m_header);
    m_palette = new WindowPalette(*m_header, this);
    m_header->omnibox().setPlaceholderText(tr("Find a command"));
    setAcceptDrops(true);
    frameWindow(*this, {1600, 1000});
    m_details->clear(tr("Select a trace to see its findings, its latencies and the commands with which to go on."));
    m_page->setText(tr("No fleet open. Drop a catalogue here, or press Ctrl+O."),
                    tr("A catalogue is made with: heliograph fleet add fleet.db FOLDER"));
    m_page->setButton(tr("Open fleet…"));
    m_page->setFocus(Qt::OtherFocusReason); // Keys would go to the field of the header otherwise.
    setWindowTitle(tr("Fleet - Heliograph"));
    updateActions();
}

FleetWindow::~FleetWindow()
{
    delete m_palette; // It refers to the header, which Qt would delete first.
    m_palette = nullptr;
    m_table->removeEventFilter(this);
    m_table->selectionModel()->disconnect(this); // Qt would report the end of the selection to members that are destroyed already.
}

void FleetWindow::makeTable()
{
    showModel(*m_table, *m_model, tr("Traces"), m_delegate);
    setColumnWidths(*m_table, {140, TimeWidth, 68, 92, 300, 128, 158, 134, 66, 70});
    makeSortable(*m_table, FleetModel::Explained, Qt::DescendingOrder);
    stretchColumn(*m_table, FleetModel::Finding, LeastFindingWidth);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAllColumnsShowFocus(true);
    m_table->installEventFilter(this);
    setFurtherActions(*m_table, [this](QMenu& menu, const QModelIndex& cell) { fillMenu(menu, cell); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &FleetWindow::takeCurrent);
    connect(m_model, &QAbstractItemModel::modelReset, this, &FleetWindow::restoreCurrent);
    connect(m_table, &QTreeView::doubleClicked, this, [this](const QModelIndex& cell) { openTrace(m_model->line(cell.row()).index); });
}

void FleetWindow::makeParts()
{
    setMenuWidget(m_header);
    m_dock->addPage(QStringLiteral("details"), tr("Details"), m_details);
    m_dock->addPage(QStringLiteral("sql"), tr("SQL"), m_sql);
    m_list->addWidget(m_table);
    m_list->addWidget(m_noTrace);
    auto* left = new QWidget;
    auto* lines = makeVerticalLayout(left);
    for (QWidget* const part : {static_cast<QWidget*>(m_head), static_cast<QWidget*>(m_filter)})
        lines->addWidget(part);
    lines->addWidget(m_list, 1);
    m_dock->setMinimumWidth(LeastDetailsWidth);
    m_parts = makeSplitter(Qt::Horizontal, {left, m_dock});
    m_parts->setStretchFactor(0, 1);
    m_parts->setStretchFactor(1, 0);
    m_parts->setSizes({1600 - DetailsWidth, DetailsWidth});
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_parts);
    auto* middle = new QWidget;
    auto* all = makeVerticalLayout(middle);
    all->addWidget(m_notice);
    all->addWidget(m_stack, 1);
    all->addWidget(m_status);
    setCentralWidget(middle);
    m_drop = new DropOverlay(middle);
    m_notice->setCloseTip(tr("Dismiss"));
    connect(m_dock, &DockArea::closeRequested, this, [this] { m_actions->at("view.details").trigger(); });
}

void FleetWindow::wireConditions()
{
    const auto change = [this](const std::function<void(FleetConditions&)>& how) {
        FleetConditions conditions = m_data->conditions();
        how(conditions);
        m_data->setConditions(conditions);
    };
    connect(m_filter, &FleetFilterBar::changed, m_data, &FleetData::setConditions);
    connect(m_head, &FleetHead::finderChosen, this, [change](const QString& finder) {
        change([&](FleetConditions& it) { it.finder = it.finder == finder.toStdString() ? std::string() : finder.toStdString(); });
    });
    connect(m_head, &FleetHead::hostChosen, this, [change](const QString& host) {
        change([&](FleetConditions& it) { it.host = it.host == host.toStdString() ? std::string() : host.toStdString(); });
    });
    connect(m_head, &FleetHead::latencyChosen, this, [this, change](Duration least) {
        change([&](FleetConditions& it) {
            it.latency = least;
            it.latencyKind = m_data->overview()->kind;
        });
    });
    connect(m_data, &FleetData::conditionsChanged, this, [this] {
        m_filter->setConditions(m_data->conditions());
        m_filter->setProblem({});
        m_head->setConditions(m_data->conditions());
        updateActions();
    });
    connect(m_noTrace, &EmptyPage::buttonClicked, this, [this] { m_actions->at("edit.clear-filter").trigger(); });
}

void FleetWindow::wireData()
{
    connect(m_data, &FleetData::readingBegun, this, [this] {
        const QString name = QFileInfo(m_data->path()).fileName();
        m_status->setState(tr("Reading %1 …").arg(name));
        m_patience->start();
        if (m_data->table())
            return;
        m_page->setText(tr("Reading %1 …").arg(name));
        m_page->setButton({});
    });
    m_patience->setSingleShot(true);
    m_patience->setInterval(3s);
    connect(m_patience, &QTimer::timeout, this, [this] {
        if (!m_data->isReading())
            return;
        const QString why = tr("Another program may be changing the catalogue. Heliograph waits up to a minute for it.");
        m_status->setState(why);
        m_page->setText(tr("Reading %1 …").arg(QFileInfo(m_data->path()).fileName()), why);
    });
    connect(m_data, &FleetData::read, this, &FleetWindow::showFleet);
    connect(m_data, &FleetData::failed, this, &FleetWindow::showFailure);
    connect(m_data, &FleetData::listed, this, &FleetWindow::showList);
    connect(m_data, &FleetData::expressionRejected, m_filter, &FleetFilterBar::setProblem);
    connect(m_details, &FleetDetailsPage::openRequested, this, [this] { m_actions->at("file.open-trace").trigger(); });
    connect(m_details, &FleetDetailsPage::typicalComparisonRequested, this, [this] { m_actions->at("compare.typical").trigger(); });
    connect(m_details, &FleetDetailsPage::said, m_status, &FleetStatus::say);
    connect(m_details, &FleetDetailsPage::shown, this, &FleetWindow::updateActions);
    connect(m_sql, &FleetSqlPage::said, m_status, &FleetStatus::say);
    connect(m_sql, &FleetSqlPage::left, this, [this] { m_table->setFocus(Qt::OtherFocusReason); });
    connect(m_sql, &FleetSqlPage::traceChosen, this,
            [this](const std::shared_ptr<const SqlResult>& result, std::size_t row) { selectNamed(*result, row); });
    connect(&JobFailures::instance(), &JobFailures::failed, m_status, &FleetStatus::say);
}

void FleetWindow::open(const QString& catalogue)
{
    m_notice->setNotice({}, {});
    m_data->open(QFileInfo(catalogue).absoluteFilePath());
}

/// Keeps the selection and the marks if the catalogue was read again, for the traces that are still in it.
void FleetWindow::keepTraces(bool wasOfOneDay)
{
    const bool isSame = std::exchange(m_shownPath, m_data->path()) == m_data->path();
    const auto earlier = std::exchange(m_shownTable, m_data->table());
    for (std::optional<std::uint32_t>* const index : {&m_current, &m_marked[0], &m_marked[1]}) {
        if (!*index)
            continue;
        const auto& traces = m_shownTable->traces;
        const auto isKept = [&before = earlier->traces[**index]](const fleet::FleetTrace& it) {
            return it.id == before.id && it.path == before.path && it.machine == before.machine;
        };
        const auto found = isSame ? std::ranges::find_if(traces, isKept) : traces.end();
        *index = found == traces.end() ? std::nullopt : std::optional(std::uint32_t(found - traces.begin()));
    }
    if (!isSame || wasOfOneDay != m_model->isOfOneDay())
        m_table->setColumnWidth(FleetModel::Recorded, m_model->isOfOneDay() ? TimeWidth : DateWidth);
}

/// Shows a catalogue that was read.
void FleetWindow::showFleet()
{
    const fleet::FleetTable& table = *m_data->table();
    m_details->clear(tr("Select a trace to see its findings, its latencies and the commands with which to go on."));
    const bool wasOfOneDay = m_model->isOfOneDay();
    m_model->setTable(m_data->table(), m_data->overview());
    keepTraces(wasOfOneDay);
    m_sql->setCatalogue(m_data->path());
    m_head->setFleet(table, m_data->overview());
    m_head->setConditions(m_data->conditions());
    if (m_current)
        showSelected();
    const QString name = QFileInfo(m_data->path()).completeBaseName();
    const std::size_t unreadable = table.traces.size() - table.readable();
    m_header->setExperiment(tr("fleet of %1 traces").arg(countText(qint64(table.traces.size()))), name);
    setWindowTitle(tr("%1 - Heliograph").arg(name));
    m_status->setValue(tr("Fleet"), name);
    m_status->setValue(tr("Traces"), countText(qint64(table.traces.size())));
    m_status->setValue(tr("With findings"), countText(qint64(table.withFindings())));
    m_status->setState(unreadable > 0 ? tr("%1 traces could not be read").arg(countText(qint64(unreadable))) : QString());
    QStringList notices;
    if (table.isCut)
        notices
            << tr("The catalogue has more than %1 traces; the others are not shown.").arg(countText(qint64(fleet::FleetTable::MostTraces)));
    if (table.damaged > 0)
        notices << tr("%1 latency distributions in the catalogue are damaged; they are shown as not recorded.")
                       .arg(countText(qint64(table.damaged)));
    m_notice->setNotice(notices.join(QLatin1Char(' ')), {});
    m_stack->setCurrentWidget(m_parts);
    updateMarks();
}

void FleetWindow::showList()
{
    m_model->setTraces(m_data->traces());
    m_filter->setCount(m_data->traces().size(), m_data->table()->traces.size());
    m_filter->setProblem({});
    updateEmptyText();
    if (!m_current || m_model->rowOf(*m_current) < 0)
        selectFirst();
}

/// Says why the table is empty, and what helps.
void FleetWindow::updateEmptyText()
{
    m_list->setCurrentWidget(m_data->traces().empty() ? static_cast<QWidget*>(m_noTrace) : m_table);
    if (m_data->table()->traces.empty()) {
        m_noTrace->setText(tr("The catalogue has no traces."),
                           tr("Add traces, or summaries of them: %1")
                               .arg(text("heliograph fleet add " + shellQuoted(m_data->path().toStdString()) + " FOLDER")));
        return m_noTrace->setButton({});
    }
    m_noTrace->setText(tr("No trace fulfils all conditions."), tr("Remove a condition above the table, or all of them."));
    m_noTrace->setButton(tr("Clear filter"));
}

void FleetWindow::showFailure(const QString& reason)
{
    m_status->setState({});
    const QString name = QFileInfo(m_data->path()).fileName();
    if (m_data->table()) // The catalogue that was shown before stays.
        return m_notice->setNotice(tr("Cannot read %1. %2").arg(name, plainSentence(reason)), {});
    m_page->setText(tr("Cannot open %1.").arg(name), plainSentence(reason));
    m_page->setButton(tr("Open fleet…"));
    m_stack->setCurrentWidget(m_page);
}

void FleetWindow::selectFirst()
{
    if (m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, 0));
    if (!m_filter->isAncestorOf(focusWidget()) && !m_sql->isAncestorOf(focusWidget()))
        m_table->setFocus(Qt::OtherFocusReason);
}

/// Selects the trace that a row of a query names, or says why it cannot.
void FleetWindow::selectNamed(const SqlResult& result, std::size_t row)
{
    const auto named = findNamedTraces(*m_shownTable, result, row);
    if (!named)
        return m_status->say(tr("The row names no trace. Select trace_id or path in the query."));
    if (named->empty())
        return m_status->say(tr("The trace of the row is not listed: it is not in the table that was read. Press F5 to read it again."));
    const auto listed = std::ranges::find_if(*named, [this](std::uint32_t trace) { return m_model->rowOf(trace) >= 0; });
    if (listed == named->end())
        return m_status->say(tr("%1 is not listed: it does not fulfil the conditions above the table.")
                                 .arg(text(m_shownTable->traces[named->front()].name())));
    const QModelIndex cell = m_model->index(m_model->rowOf(*listed), 0);
    m_table->setCurrentIndex(cell);
    m_table->scrollTo(cell);
}

void FleetWindow::showSql()
{
    showDetails(true);
    m_dock->setCurrent(QStringLiteral("sql"));
    m_sql->setFocus(Qt::ShortcutFocusReason);
}

void FleetWindow::takeCurrent(const QModelIndex& current)
{
    if (!current.isValid())
        return;
    const std::uint32_t trace = m_model->line(current.row()).index;
    if (std::exchange(m_current, trace) != trace)
        showSelected();
}

/// Selects the trace that was selected before the rows changed, if it is still listed.
void FleetWindow::restoreCurrent()
{
    if (const int row = m_current ? m_model->rowOf(*m_current) : -1; row >= 0) {
        m_table->setCurrentIndex(m_model->index(row, 0));
        m_table->scrollTo(m_model->index(row, 0));
    }
}

void FleetWindow::showSelected()
{
    m_details->setTrace(m_data->path(), m_data->table(), m_data->overview(), *m_current);
    m_head->setSelectedHost(text(m_data->table()->traces[*m_current].name()));
    updateActions();
}

void FleetWindow::updateMarks()
{
    m_delegate->setMarked(m_marked);
    m_table->viewport()->update();
    QStringList names;
    for (std::size_t side = 0; side < m_marked.size(); ++side)
        if (m_marked[side])
            names << (side == 0 ? tr("A %1") : tr("B %1")).arg(text(m_data->table()->traces[*m_marked[side]].name()));
    m_status->setValue(tr("Compared"), names.join(QStringLiteral(", ")));
    updateActions();
}

void FleetWindow::updateActions()
{
    const bool isShown = m_data->table() != nullptr;
    const auto enable = [&](const char* id, bool isEnabled) { m_actions->at(id).setEnabled(isEnabled); };
    for (const char* const id : {"file.open-trace", "file.copy-command", "compare.set-a", "compare.set-b"})
        enable(id, m_current.has_value());
    for (const char* const id : {"edit.find", "view.details", "view.sql"})
        enable(id, isShown);
    enable("file.reload", !m_data->path().isEmpty());
    enable("edit.clear-filter", isShown && m_data->conditions() != FleetConditions());
    enable("compare.marked", m_marked[0] && m_marked[1]);
    enable("compare.typical", m_current && m_details->typicalTrace());
}

void FleetWindow::showDetails(bool areShown)
{
    m_dock->setVisible(areShown);
    m_actions->at("view.details").setChecked(areShown);
}

void FleetWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (const bool isNarrow = width() < NarrowWidth; std::exchange(m_isNarrow, isNarrow) != isNarrow)
        showDetails(!isNarrow);
}

void FleetWindow::closeEvent(QCloseEvent* event)
{
    m_sql->cancel(); // Stopped here, because the window may be deleted later.
    QMainWindow::closeEvent(event);
}

bool FleetWindow::focusNextPrevChild(bool isNext) { return focusNextInLayout(*this, isNext); }

/// Handles Esc if no other widget took it: first the field loses the focus, then the conditions are removed.
void FleetWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || event->modifiers() != Qt::NoModifier)
        return QMainWindow::keyPressEvent(event);
    m_actions->at("edit.clear-filter").trigger();
    m_table->setFocus(Qt::OtherFocusReason);
}

/// Opens the selected trace on Enter. QTreeView::activated() would also open it on a single click, if the desktop is set so.
bool FleetWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* const key = static_cast<QKeyEvent*>(event);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && key->modifiers() == Qt::NoModifier) {
            m_actions->at("file.open-trace").trigger();
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

} // namespace helio
