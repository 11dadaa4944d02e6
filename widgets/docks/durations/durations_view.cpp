#include "widgets/docks/durations/durations_view.h"

#include "core/latency/intervals/empty_reason.h"
#include "core/query/segments/composite_states.h"
#include "core/waits/requests/requests.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_copy.h"
#include "widgets/controls/table_style.h"
#include "widgets/docks/durations/call_steps.h"
#include "widgets/docks/durations/duration_chart.h"
#include "widgets/docks/durations/scatter_chart.h"
#include "widgets/paint/text.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/time/qt_text.h"
#include "widgets/workspace/go_to.h"
#include "widgets/workspace/sql_requests.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int IntervalFetchDelay = 80; ///< Delay in ms between a change and the query.
/// Pause between two queries while the trace is being read, as a multiple of the duration of the last query.
constexpr int PauseFactor = 4;
constexpr int IntervalLineHeight = 19;
constexpr int IntervalCellMargin = 2; ///< Horizontal margin of a cell in pixels; small, because there are many columns.
constexpr int LeastIntervalName = 96;
/// Minimum width in pixels of the name column beside the number columns Count to LastUnscrolledColumn. If less is left, compactNameWidth()
/// determines the width.
constexpr int TightIntervalName = 80;
constexpr int WidestIntervalName = 260;
constexpr int LeastChart = 230;
constexpr int LeastList = 250; ///< Minimum width of the list in pixels: room for a time of day, a duration and part of a name.
constexpr int WidestList = 340;
constexpr int CaptionSpacing = 10;
constexpr int LeastChartHeight = 64; ///< Minimum height of the chart in pixels; low, because periods may be shown below.
constexpr int MeasuredLines = 200; ///< Maximum number of lines whose width is measured; further lines are about as wide.

constexpr LineMetrics IntervalLines{IntervalLineHeight, IntervalCellMargin, -1, -1, 0, Qt::ElideMiddle};

using Shape = IntervalDurationsView::Shape;
constexpr FileWord<Shape> Shapes[] = {{Shape::Histogram, "histogram"}, {Shape::Scatter, "scatter"}, {Shape::Density, "density"}};

enum class Part : bool { Whole, Visible };
constexpr FileWord<Part> Parts[] = {{Part::Whole, "whole"}, {Part::Visible, "visible"}};

/// True if both timelines have the same intervals with the same names: they differ at most in the critical path that a view shows.
bool haveSameIntervals(const Timeline& was, const Timeline& is)
{
    return was.isComplete && is.isComplete && was.symbolizer == is.symbolizer && haveSameRequests(was, is)
        && std::ranges::equal(was.hosts, is.hosts, {}, &TimelineHost::shownName, &TimelineHost::shownName);
}

enum class Scale : bool { Linear, Logarithmic };
constexpr FileWord<Scale> Scales[] = {{Scale::Logarithmic, "logarithmic"}, {Scale::Linear, "linear"}};

} // namespace

IntervalDurationsView::IntervalDurationsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_samples(SampleModel::of(context))
    , m_range(context)
    , m_nothing(new EmptyPage)
    , m_parts(new QSplitter(Qt::Horizontal))
    , m_lines(new QTreeView)
    , m_charts(new QStackedWidget)
    , m_chart(new DurationChart)
    , m_times(new ScatterChart)
    , m_periods(new QTreeView)
    , m_steps(new CallSteps(context))
    , m_tools(new QWidget(this))
    , m_shape(new Pill(tr("Histogram")))
    , m_allNames(new Pill(tr("All names")))
    , m_findPeriods(new Pill(tr("Find periodicity")))
    , m_logLengths(new Pill(tr("Log X")))
    , m_logHeights(new Pill(tr("Log Y")))
    , m_title(makeLabel({}, 12, 600, "text.primary"))
    , m_words(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_list(new QTreeView)
    , m_marks(context)
    , m_answer(DebouncedQuery::Pace::Debounce, IntervalFetchDelay, [this] { fetch(); })
{
    makeTable();
    makeChart();
    makeTools();
    makePeriods();
    makeList();
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(8, 0, 12, 2);
    column->setSpacing(2);
    auto* caption = new QHBoxLayout; // Title and list text share one line, because docks usually have little height.
    caption->setSpacing(CaptionSpacing);
    caption->addWidget(m_title);
    caption->addWidget(m_words, 1);
    column->addLayout(caption);
    column->addWidget(m_charts, 1);
    m_parts->setHandleWidth(4);
    m_parts->installEventFilter(this);
    m_parts->setChildrenCollapsible(false);
    for (QWidget* part : {static_cast<QWidget*>(m_lines), right, static_cast<QWidget*>(m_list)})
        m_parts->addWidget(part);
    m_parts->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_parts, 1);
    layout->addWidget(m_periods); // The table of periods extends over the whole dock, because its sentences are long.
    layout->addWidget(m_steps);
    layout->addWidget(m_nothing);
    m_nothing->setInDock();
    m_nothing->hide();
    setFocusProxy(m_lines);
    m_answer.setPause({0, PauseFactor});
    wire();
    showBuckets();
}

void IntervalDurationsView::makeTable()
{
    showModel(*m_lines, m_table, tr("Durations by name"), new LineDelegate(m_lines, IntervalLines));
    setFurtherActions(*m_lines, [this](QMenu& menu, const QModelIndex&) { addSqlAction(menu, m_context, shownQuery()); });
    makeSortable(*m_lines, DurationTable::Total, Qt::DescendingOrder);
    m_lines->setMinimumWidth(220);
    // The table scrolls horizontally if the number columns need more room than the table has.
    m_lines->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_lines->header()->setMinimumSectionSize(30);
    m_lines->header()->resizeSection(DurationTable::Name, 170);
    m_lines->header()->setResizeContentsPrecision(MeasuredLines);
    for (int column = DurationTable::Count; column < DurationTable::ColumnCount; ++column)
        // Numbers are never cut, because a truncated number would be misread.
        m_lines->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
}

void IntervalDurationsView::makeChart()
{
    m_chart->setAccessibleName(tr("Durations of the selected name"));
    m_chart->setMinimumHeight(LeastChartHeight);
    m_times->setMinimumHeight(LeastChartHeight);
    // The chart may become narrower than usual, because the numbers of the table have priority.
    m_chart->setMinimumWidth(LeastChart - 2 * 12);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setMinimumWidth(1); // The title is elided to the available width, so it must not force a larger width on the dock.
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_charts->installEventFilter(this);
    m_times->setAccessibleName(tr("Durations over time"));
    m_times->setTimeFormat(m_context.timeFormat());
    m_charts->addWidget(m_chart);
    m_charts->addWidget(m_times);
}

/// Makes the controls, which the caller places above the view.
void IntervalDurationsView::makeTools()
{
    m_logLengths->setToolTip(tr("Logarithmic duration axis"));
    m_logHeights->setToolTip(tr("Logarithmic count axis or shading"));
    m_shape->setToolTip(tr("Chart type"));
    m_allNames->setToolTip(tr("Show all names, each in its own colour, instead of the selected one"));
    m_findPeriods->setToolTip(tr("Search starts, ends and durations for regular repetition"));
    for (Pill* pill : {m_logLengths, m_logHeights, m_allNames, m_findPeriods})
        pill->setCheckable(true);
    for (Pill* pill : {m_logLengths, m_logHeights})
        pill->setChecked(true);
    auto* menu = new QMenu(m_shape);
    for (const auto& [shape, text] :
         {std::pair(Shape::Histogram, tr("Histogram")), {Shape::Scatter, tr("Scatter")}, {Shape::Density, tr("Density")}})
        menu->addAction(text, this, [this, shape = shape] { setShape(shape); });
    m_shape->setMenu(menu);
    auto* row = new QHBoxLayout(m_tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    for (Pill* pill : {m_range.pill(), m_shape, m_allNames, m_logLengths, m_logHeights, m_findPeriods})
        row->addWidget(pill);
    m_allNames->hide();
}

void IntervalDurationsView::makePeriods()
{
    const auto sentence = [](const QString& it) { return it; };
    m_sentences.setColumns({{{}, sentence, false, {}, sentence}});
    showModel(*m_periods, m_sentences, tr("Periodicity found"), new LineDelegate(m_periods, {IntervalLineHeight, IntervalCellMargin}));
    m_periods->header()->setSectionResizeMode(QHeaderView::Stretch);
    m_periods->setHeaderHidden(true);
    m_periods->hide();
}

void IntervalDurationsView::makeList()
{
    m_listed.setTimeFormat(m_context.timeFormat());
    showModel(*m_list, m_listed, tr("Entries of the selected bar"), new LineDelegate(m_list, IntervalLines));
    makeSortable(*m_list, CallListModel::Begin, Qt::AscendingOrder);
    m_list->header()->setResizeContentsPrecision(MeasuredLines);
    m_list->header()->setSectionResizeMode(CallListModel::Begin, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(CallListModel::Length, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(CallListModel::Thread, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(CallListModel::Arguments, QHeaderView::Stretch);
    m_list->setColumnHidden(CallListModel::Arguments, true);
    m_list->hide();
}

void IntervalDurationsView::wire()
{
    connect(&m_context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::queueQuery);
    connect(&m_context.time(), &TimeWindow::cursorChanged, this, [this] { follow(false); });
    connect(&m_context.time(), &TimeWindow::rowChanged, this, [this] { follow(false); });
    connect(&m_samples, &SampleModel::functionChosen, this, [this] { follow(m_samples.isOfCalls()); });
    connect(&m_context, &ViewContext::timeFormatChanged, this, [this] {
        m_listed.setTimeFormat(m_context.timeFormat());
        m_times->setTimeFormat(m_context.timeFormat());
        showPeriods();
    });
    connect(&m_range, &IntervalRange::selected, &m_answer, &DebouncedQuery::soon);
    connect(&m_range, &IntervalRange::moved, this, [this] {
        // While intervals are listed, the selection is ignored, because going to a listed interval would otherwise remove the list.
        if (!m_isListing)
            m_answer.soon();
    });
    connect(m_lines->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& selected) {
        if (!selected.isEmpty() && !m_isTaking)
            choose(selected.indexes().front().row());
    });
    connect(m_lines, &QTreeView::activated, this, &IntervalDurationsView::goToLongest);
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_userSizes[isListShown()] = m_parts->sizes(); });
    connect(m_logLengths, &QAbstractButton::toggled, this, [this] {
        showBuckets();
        fetchGrid();
    });
    connect(m_logHeights, &QAbstractButton::toggled, m_chart, &DurationChart::setLogarithmicHeights);
    connect(m_logHeights, &QAbstractButton::toggled, m_times, &ScatterChart::setLogarithmicCounts);
    connect(m_allNames, &QAbstractButton::toggled, this, [this] {
        showTitle();
        fetchGrid();
        fetchPeriods();
    });
    connect(m_findPeriods, &QAbstractButton::toggled, this, &IntervalDurationsView::fetchPeriods);
    connect(m_chart, &DurationChart::selectedChanged, this, &IntervalDurationsView::listSelected);
    connect(m_times, &ScatterChart::selectedChanged, this, &IntervalDurationsView::listSelected);
    connect(&m_context.hits(), &SearchHits::currentChanged, this, &IntervalDurationsView::showCurrent);
    connect(&m_context.hits(), &SearchHits::changed, this, &IntervalDurationsView::showSteps);
    connect(m_steps, &CallSteps::stepped, this, &IntervalDurationsView::goTo);
    connect(m_chart, &DurationChart::dismissed, this, &IntervalDurationsView::hideList);
    connect(m_times, &ScatterChart::dismissed, this, &IntervalDurationsView::hideList);
    onChosen(*m_periods, this, [this](const QModelIndex& index) { listPeriod(std::size_t(index.row())); });
    onChosen(*m_list, this, [this](const QModelIndex& index) { goTo(m_listed.callAt(index.row())); });
}

void IntervalDurationsView::setKind(std::optional<IntervalKind> kind)
{
    if (kind == m_kind)
        return;
    m_answer.cancel(); // The running query is cancelled, because it is for the previous kind.
    m_kind = std::move(kind);
    m_chosen.reset();
    const bool isOfFunction = this->isOfFunction();
    // The pill for the range is hidden for calls, whose durations are always those of the whole recording: the selected range often
    // contains only the call at the cursor.
    m_range.pill()->setVisible(!isOfFunction);
    m_chart->setWords(isOfFunction ? tr("1 call") : tr("1 time"), isOfFunction ? tr("%1 calls") : tr("%1 times"),
                      isOfFunction ? tr("calls") : tr("times"));
    m_chart->setOwn({});
    showNothing();
    hideList();
    m_answer.now();
}

void IntervalDurationsView::showName(const std::string& name, bool findsPeriods)
{
    m_wantedName = name;
    if (const int line = findWanted(); line >= 0) {
        m_lines->setCurrentIndex(m_table.index(line, 0));
        m_wantedName.clear();
    }
    if (findsPeriods)
        m_findPeriods->setChecked(true);
}

/// Returns the line of m_wantedName, on the first host that has it; -1 if there is none.
int IntervalDurationsView::findWanted() const
{
    for (int line = 0; line < m_table.rowCount() && !m_wantedName.empty(); ++line)
        if (const std::string& name = m_table.line(line).name; name == m_wantedName || name.starts_with(m_wantedName + " on "))
            return line;
    return -1;
}

void IntervalDurationsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

QJsonObject IntervalDurationsView::save() const
{
    return {{"lengths", fileWord(Scale(m_logLengths->isChecked()), Scales)},
            {"heights", fileWord(Scale(m_logHeights->isChecked()), Scales)},
            {"range", fileWord(Part(m_range.usesVisibleRange()), Parts)},
            {"shape", fileWord(m_shown, Shapes)}};
}

void IntervalDurationsView::restore(const QJsonObject& kept)
{
    m_logLengths->setChecked(valueOf(kept["lengths"], Scales) == Scale::Logarithmic);
    m_logHeights->setChecked(valueOf(kept["heights"], Scales) == Scale::Logarithmic);
    m_range.setUsesVisibleRange(valueOf(kept["range"], Parts) == Part::Visible);
    setShape(valueOf(kept["shape"], Shapes));
}

ShownCommand IntervalDurationsView::shownCommand() const
{
    if (isOfFunction())
        return callsCommand();
    if (!m_answered)
        return ShownCommand::none(tr("No durations are shown."));
    return {QStringList{"latency"} + optionWords("--of", QString::fromStdString(m_answered->kind))
                + rangeOptions(m_context.time(), m_answered->range),
            {},
            {}};
}

/// Returns the query in SQL for the rows of the table; empty if no table of the database has them.
QString IntervalDurationsView::shownQuery() const
{
    const auto timeline = m_context.timeline();
    if (!timeline || !m_kind || !m_answered)
        return {};
    const QString range = m_answered->range == IntervalRange::whole() ? QString()
                                                                      : QStringLiteral("\n  AND ts >= %1 AND ts + dur <= %2")
                                                                            .arg(nanoseconds(m_answered->range.begin))
                                                                            .arg(nanoseconds(m_answered->range.end));
    const QString title = QStringLiteral("-- Durations: %1\n").arg(text(m_kind->title));
    if (m_kind->id != "preemption" && (m_kind->areSegments || findCompositeState(*timeline, m_kind->id)))
        return title
            + QStringLiteral("SELECT slice.name, count(*), sum(dur), min(dur), avg(dur), max(dur)\n"
                             "FROM slice\nJOIN track ON track.id = track_id\nWHERE type = %1 AND dur >= 0%2\n"
                             "GROUP BY slice.name\nORDER BY sum(dur) DESC")
                  .arg(sqlText(text(m_kind->id)), range);
    // States of threads that the kernel's letters name, too.
    constexpr std::pair<std::string_view, const char*> Letters[] = {
        {"state:wait-cpu", "R"}, {"state:preempted", "R+"}, {"preemption", "R+"}, {"state:sleeping", "S"}, {"state:blocked", "D"}};
    const auto letter = std::ranges::find(Letters, m_kind->id, [](const auto& it) { return it.first; });
    if (letter == std::end(Letters))
        return {};
    return title
        + QStringLiteral("SELECT thread.name, count(*), sum(dur), min(dur), avg(dur), max(dur)\n"
                         "FROM thread_state\nJOIN thread USING (utid)\nWHERE state = %1 AND dur >= 0%2\n"
                         "GROUP BY thread.name\nORDER BY sum(dur) DESC")
              .arg(sqlText(QLatin1String(letter->second)), range);
}

void IntervalDurationsView::fetch()
{
    if (!isVisible()) // Do not fetch while hidden: showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = m_context.timeline();
    if (!timeline || !m_kind) {
        m_function.reset();
        return showNothing();
    }
    const Question question{timeline, m_kind->id, isOfFunction() ? IntervalRange::whole() : m_range.now()};
    // The results are still valid for the new timeline, so the selected bar and its list are kept.
    if (m_answered && haveSameIntervals(*m_answered->timeline, *timeline))
        m_answered->timeline = timeline;
    if (isOfFunction())
        return fetchCalls(question);
    if (question == m_answered)
        return m_answer.cancel();
    m_answer.post([this, question](std::stop_token stop) -> LatestTask::Delivery {
        auto lines = std::make_shared<const std::vector<DurationStats>>(
            durationStats(question.timeline, {question.kind, question.range}, MostBuckets, stop));
        return [this, question, lines] { answer(question, lines); };
    });
}

void IntervalDurationsView::answer(const Question& question, std::shared_ptr<const std::vector<DurationStats>> lines)
{
    m_answered = question;
    take(std::move(lines));
    showWhetherAny();
}

void IntervalDurationsView::showNothing()
{
    m_answer.cancel();
    m_answered.reset();
    take(nullptr);
    showWhetherAny();
}

/// Shows a new result. Keeps the selected name; the first time, selects the name with the longest total.
void IntervalDurationsView::take(std::shared_ptr<const std::vector<DurationStats>> lines)
{
    m_isTaking = true;
    // Maximum number of intervals at which the 99.9th percentile is always the longest interval, so that column P999 adds nothing.
    constexpr std::uint64_t Few = 999;
    const bool areFew = !lines || std::ranges::all_of(*lines, [](const DurationStats& it) { return it.lengths.count <= Few; });
    m_table.setLines(std::move(lines), m_kind ? QString::fromStdString(m_kind->nameTitle) : QString());
    m_lines->setColumnHidden(DurationTable::P999, areFew);
    const int wanted = findWanted();
    if (m_table.rowCount() > 0)
        m_wantedName.clear();
    const int kept = wanted >= 0 ? wanted : m_chosen ? m_table.find(m_chosen->name) : -1;
    const int line = kept >= 0 ? kept : m_table.rowCount() > 0 ? 0 : -1;
    if (line >= 0)
        m_lines->setCurrentIndex(m_table.index(line, 0));
    m_isTaking = false;
    distributeWidth();
    choose(line);
}

/// Shows the table, or what to record if there are no intervals.
void IntervalDurationsView::showWhetherAny()
{
    const bool isAny = (!m_answered && !isOfFunction()) || !m_kind || m_table.rowCount() > 0;
    m_parts->setVisible(isAny);
    m_nothing->setVisible(!isAny);
    if (isAny)
        return;
    if (isOfFunction())
        return showNoCalls();
    const Timeline& timeline = *m_answered->timeline;
    const bool isOfAll = m_answered->range == IntervalRange::whole();
    const QString title = QString::fromStdString(m_kind->title);
    m_nothing->setText(isOfAll ? tr("%1: none in this trace").arg(title) : tr("%1: none lies completely in this range").arg(title),
                       QString::fromStdString(missingEvents(timeline, m_kind->id)));
    if (isOfAll && timeline.isComplete)
        emit nothingFound();
}

void IntervalDurationsView::choose(int line)
{
    m_chosen = line >= 0 ? std::optional(m_table.line(line)) : std::nullopt;
    showBuckets();
    fetchGrid();
    fetchPeriods();
}

IntervalQuery IntervalDurationsView::asked() const
{
    return {m_answered->kind, m_answered->range, isOfFunction() ? m_function : std::nullopt};
}

void IntervalDurationsView::showBuckets()
{
    const bool isLogarithmic = m_logLengths->isChecked();
    showTitle();
    if (m_chosen)
        m_chart->setBuckets(isLogarithmic ? m_chosen->logarithmic : m_chosen->linear, m_chosen->lengths, isLogarithmic);
    else
        m_chart->setBuckets({}, {}, isLogarithmic);
    listSelected();
}

void IntervalDurationsView::say(const QString& words)
{
    m_fullText = words;
    showTitle();
}

/// Elides title and text to the available width; tooltips have the complete texts. The text gets the width that it needs, at most two
/// thirds.
void IntervalDurationsView::showTitle()
{
    const QString name = areAllShown() && m_kind ? QString::fromStdString(m_kind->title)
        : m_chosen                               ? QString::fromStdString(m_chosen->name)
                                                 : QString();
    const int all = m_charts->width() - CaptionSpacing;
    const int saying = m_words->isHidden() ? 0 : m_words->fontMetrics().horizontalAdvance(m_fullText);
    const int room = all - std::min(saying, all * 2 / 3);
    m_title->setText(m_title->fontMetrics().elidedText(name, Qt::ElideMiddle, room));
    m_title->setToolTip(wrapTooltip(name));
    m_title->setAccessibleDescription(name); // Screen readers would read the markup of the tooltip.
    const int taken = m_title->isHidden() ? 0 : m_title->fontMetrics().horizontalAdvance(m_title->text());
    m_words->setText(m_words->fontMetrics().elidedText(m_fullText, Qt::ElideRight, all - taken));
    m_words->setToolTip(m_words->text() == m_fullText ? QString() : wrapTooltip(m_fullText));
    m_words->setAccessibleDescription(m_fullText);
}

bool IntervalDurationsView::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_charts && event->type() == QEvent::Resize)
        showTitle();
    else if (object == m_parts && event->type() == QEvent::Resize)
        // Queued, because the splitter sets the sizes of its children later.
        QMetaObject::invokeMethod(this, &IntervalDurationsView::distributeWidth, Qt::QueuedConnection);
    return PanelGround::eventFilter(object, event);
}

bool IntervalDurationsView::isListShown() const { return !m_list->isHidden(); }

/// Shows the list. It then stays visible even while it is empty, because the chart would otherwise move with each selection.
void IntervalDurationsView::showList()
{
    if (isListShown())
        return;
    m_list->show();
    // Queued, because the splitter sets the sizes of its children later.
    QMetaObject::invokeMethod(this, &IntervalDurationsView::distributeWidth, Qt::QueuedConnection);
}

void IntervalDurationsView::hideList()
{
    list({});
    m_isListWidthFitted = false;
    if (!isListShown())
        return;
    m_list->hide();
    QMetaObject::invokeMethod(this, &IntervalDurationsView::distributeWidth, Qt::QueuedConnection);
}

/// Distributes the width among table, chart and list. Sizes that the user set have priority; they are stored separately for the layouts
/// with and without the list. By default, table and chart each get half of the width that the list leaves. The table gets less if it needs
/// less, and up to 55 % if its first number columns need it.
void IntervalDurationsView::distributeWidth()
{
    if (m_table.rowCount() == 0)
        return;
    const QHeaderView& header = *m_lines->header();
    const int bar = m_lines->verticalScrollBar()->sizeHint().width();
    QList<int> sizes = m_parts->sizes();
    const int all = sizes[0] + sizes[1] + sizes[2];
    int others = 0; // Sum of the widths of the number columns that should be visible without scrolling.
    for (int column = DurationTable::Count; column <= DurationTable::LastUnscrolledColumn; ++column)
        others += header.sectionSize(column);
    const int names = std::max(LeastIntervalName, std::min(widthOfNames(), WidestIntervalName));
    const int needed = header.length() - header.sectionSize(DurationTable::Name) + names + bar;
    if (const QList<int>& parted = m_userSizes[isListShown()]; !parted.isEmpty()) {
        m_parts->setSizes(parted);
    } else {
        sizes[2] = isListShown() ? std::clamp(std::max(all / 3, std::min(m_listNeeds, all * 2 / 5)), LeastList, WidestList) : 0;
        const int both = std::max(0, all - sizes[2]);
        const int first = LeastIntervalName + others + bar;
        sizes[0] = std::min(needed, std::max(both / 2, std::min(first, both * 11 / 20)));
        sizes[1] = both - sizes[0];
        m_parts->setSizes(sizes);
    }
    const int room = m_parts->sizes()[0];
    const int left = room - bar - others;
    m_lines->header()->resizeSection(DurationTable::Name,
                                     left >= TightIntervalName ? std::min(left, names) : compactNameWidth(names, room));
}

/// Returns the width of the name column if the first number columns do not all fit. The name column keeps enough width to distinguish
/// names. As many whole number columns as possible fit beside it, and the name column gets the remaining width, so that no number is cut at
/// the table's edge.
int IntervalDurationsView::compactNameWidth(int needed, int room) const
{
    const int high = m_lines->height() - m_lines->header()->height() - m_lines->horizontalScrollBar()->sizeHint().height();
    int left = m_table.rowCount() * IntervalLineHeight > high ? room - m_lines->verticalScrollBar()->sizeHint().width() : room;
    const int least = std::max(LeastIntervalName, std::min(needed, left * 2 / 5));
    for (int column = DurationTable::Count; column <= DurationTable::LastUnscrolledColumn; ++column) {
        const int wide = m_lines->header()->sectionSize(column);
        if (left - wide < least)
            break;
        left -= wide;
    }
    return std::max(least, left);
}

/// Widens the list so that thread names fit. Only done for the first list, because the chart would otherwise move with each selection.
void IntervalDurationsView::fitListWidth()
{
    if (std::exchange(m_isListWidthFitted, true))
        return;
    int wide = m_list->verticalScrollBar()->sizeHint().width() + 2;
    for (int column = 0; column < CallListModel::ColumnCount; ++column) {
        if (m_list->isColumnHidden(column))
            continue;
        int widest = m_list->header()->sectionSizeHint(column);
        for (int line = 0; line < std::min(m_listed.rowCount(), MeasuredLines); ++line)
            widest = std::max(widest, cellWidth(m_listed.index(line, column).data().toString(), m_list->font()) + 2 * IntervalCellMargin);
        wide += widest;
    }
    if (wide <= m_listNeeds)
        return;
    m_listNeeds = wide;
    QMetaObject::invokeMethod(this, &IntervalDurationsView::distributeWidth, Qt::QueuedConnection);
}

int IntervalDurationsView::widthOfNames() const
{
    int widest = 0;
    for (int line = 0; line < std::min(m_table.rowCount(), MeasuredLines); ++line)
        widest = std::max(widest, cellWidth(m_table.index(line, DurationTable::Name).data().toString(), m_lines->font()));
    return widest + 2 * IntervalCellMargin;
}

void IntervalDurationsView::goTo(std::size_t call)
{
    const ListedCalls::Call& there = m_bucket->calls[call];
    m_marks.setCurrent(call);
    m_range.aboutToGoTo(there.range);
    goToRange(m_context, {there.range, there.row});
}

/// Shows the current search hit in the list. Announces it to m_range first: going to a hit selects the hit's interval, and m_range must not
/// treat this selection as a range that the user selected.
void IntervalDurationsView::showCurrent()
{
    showSteps();
    const auto current = m_marks.current();
    if (!current || !m_bucket)
        return m_list->clearSelection();
    m_range.aboutToGoTo(m_bucket->calls[*current].range);
    const QModelIndex line = m_listed.index(m_listed.lineOf(*current), 0);
    m_list->setCurrentIndex(line);
    m_list->scrollTo(line);
}

} // namespace helio
