#include "widgets/docks/statistics/statistics_view.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/row_notes.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_copy.h"
#include "widgets/controls/table_style.h"
#include "widgets/docks/statistics/pinned_line.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/context_settings.h"
#include "widgets/workspace/sql_requests.h"

#include <QComboBox>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int FetchDelay = 60; ///< Delay in ms before the query, because one turn of the wheel zooms many times.
/// Pause between two queries while the trace is being read, as a multiple of the duration of the last query.
constexpr int PauseFactor = 4;

constexpr int WideShare = 108; ///< Width in pixels of the column of bars.
constexpr int NarrowShare = 52; ///< Width in pixels of the column of bars beside nominal times.

constexpr FileWord<StatisticsOrder::Column> Columns[] = {{StatisticsOrder::OnCpu, "on-cpu"},
                                                         {StatisticsOrder::Name, "thread"},
                                                         {StatisticsOrder::Tid, "tid"},
                                                         {StatisticsOrder::Nominal, "nominal"},
                                                         {StatisticsOrder::Share, "share"}};

constexpr FileWord<StatisticsSum> Sums[] = {
    {StatisticsSum::Row, "none"}, {StatisticsSum::Process, "process"}, {StatisticsSum::ThreadName, "name"}};

/// Names are elided in the middle, because the host is at their end.
constexpr LineMetrics ShareLines{19, 0, 11, 5, 0, Qt::ElideMiddle};

/// Delegate that paints the last column: a bar with the shares of the states in stacking order, resting states last.
class ShareDelegate : public LineDelegate {
public:
    using LineDelegate::LineDelegate;

private:
    QRect paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& room) const override
    {
        if (index.column() == StatisticsModel::Name)
            return room.adjusted(0, 0, 5, 0);
        if (index.column() != StatisticsModel::Share)
            return room;
        const RowStatistics& line = static_cast<const StatisticsModel*>(index.model())->line(index.row());
        const double whole = double(std::max(Duration(1), line.covered).count());
        const QRect bar(option.rect.left() + 8, option.rect.center().y() - 4, option.rect.width() - 16, 9);
        std::vector<std::pair<StateAppearance, Duration>> parts;
        for (const auto& part : line.parts)
            parts.emplace_back(theme().lookOf(*part.state), part.total);
        std::ranges::stable_sort(parts, {}, [](const auto& part) { return part.first.order; });
        Duration sum{};
        for (const auto& [look, total] : parts) {
            const int from = bar.left() + int(double(sum.count()) / whole * bar.width() + 0.5);
            sum += total;
            const int to = bar.left() + int(double(sum.count()) / whole * bar.width() + 0.5);
            // All resting states share one subdued colour. Hatched states, such as the unknown one, are not among them.
            const QRect part(from, bar.top(), to - from, bar.height());
            if (look.isInactive() && look.drawing != BarPattern::Hatched)
                painter.fillRect(part, theme().color("thread.sleeping"));
            else
                paintStateBar(painter, part, look);
        }
        return {};
    }
};

/// Returns an iterator to the choice for `view`, or for `sum` if `view` is empty; choices.end() if there is none.
auto findRows(const std::vector<StatisticsRows>& choices, const std::string& view, StatisticsSum sum)
{
    return std::ranges::find_if(choices, [&](const StatisticsRows& it) { return it.view == view && (!view.empty() || it.sum == sum); });
}

} // namespace

StatisticsView::StatisticsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_title(makeLabel({}, 12, 600, "text.primary"))
    , m_length(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_stolen(new Pill(tr("Exclude steal time")))
    , m_rows(new QComboBox)
    , m_table(new QTreeView)
    , m_resting(makeLabel({}, 11, 400, "text.secondary"))
    , m_answer(DebouncedQuery::Pace::Live, FetchDelay, [this] { fetch(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 10, 0, 0);
    layout->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 0, 14, 0);
    head->addWidget(m_title, 1);
    head->addWidget(m_length);
    head->addWidget(m_rows);
    m_further = new QHBoxLayout;
    m_further->setContentsMargins(14, 0, 14, 0);
    m_further->addWidget(m_stolen);
    m_further->addStretch(1);
    m_stolen->setCheckable(true);
    m_stolen->setToolTip(tr("Exclude steal time from the guests' time on CPU, which otherwise counts as they recorded it"));
    m_stolen->hide();
    StealTimeSetting& stolen = StealTimeSetting::of(context);
    m_stolen->setChecked(stolen.isCounted());
    connect(m_stolen, &QAbstractButton::toggled, &stolen, &StealTimeSetting::setCounted);
    connect(&stolen, &StealTimeSetting::changed, this, [this, &stolen] {
        m_stolen->setChecked(stolen.isCounted());
        fetch();
    });
    m_rows->setToolTip(tr("Rows"));
    m_rows->setAccessibleName(m_rows->toolTip());
    m_rows->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_rows->hide();
    connect(m_rows, &QComboBox::activated, this, &StatisticsView::choose);
    layout->addLayout(head);
    layout->addLayout(m_further);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_resting);
    m_resting->setContentsMargins(14, 0, 14, 6);
    m_resting->setWordWrap(true);
    showModel(*m_table, m_model, tr("Statistics"), new ShareDelegate(m_table, ShareLines));
    setFurtherActions(*m_table, [this](QMenu& menu, const QModelIndex&) { addSqlAction(menu, m_context, shownQuery()); });
    makeSortable(*m_table, StatisticsModel::OnCpu, Qt::DescendingOrder);
    m_table->header()->setMinimumSectionSize(30);
    setColumnWidths(*m_table, {100, 54, 90, 90, WideShare});
    m_table->header()->setSectionResizeMode(StatisticsModel::Name, QHeaderView::Stretch);
    m_table->setColumnHidden(StatisticsModel::Nominal, true);
    m_pinned = new PinnedLine(*m_table);
    setFocusProxy(m_table);
    m_answer.setPause({0, PauseFactor});
    connect(&context.time(), &TimeWindow::visibleChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context.time(), &TimeWindow::selectionChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::queueQuery);
    connect(&m_model, &StatisticsModel::sortingChanged, this, &StatisticsView::fetch);
    connect(&context.time(), &TimeWindow::rowChanged, this, &StatisticsView::selectRow);
    // currentRowChanged is not used, because a row also becomes current when the table gets the focus.
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& selected) {
        if (!selected.isEmpty() && !m_isSelecting)
            m_context.time().setRow(m_model.line(selected.indexes().front().row()).track);
    });
}

QJsonObject StatisticsView::save() const
{
    const StatisticsOrder order = m_model.sorting();
    return {{"sort", fileWord(order.column, Columns)},
            {"descending", order.isDescending},
            {"rows", QString::fromStdString(m_view)},
            {"sum", fileWord(m_sum, Sums)}};
}

void StatisticsView::restore(const QJsonObject& kept)
{
    m_view = kept["rows"].toString().toStdString();
    m_sum = valueOf(kept["sum"], Sums);
    m_table->sortByColumn(valueOf(kept["sort"], Columns), kept["descending"].toBool(true) ? Qt::DescendingOrder : Qt::AscendingOrder);
}

ShownCommand StatisticsView::shownCommand() const
{
    const auto timeline = m_context.timeline();
    if (!timeline)
        return ShownCommand::none(tr("No trace is open."));
    if (m_stolen->isVisible() && m_stolen->isChecked())
        return ShownCommand::none(tr("No command excludes steal time from these sums. Switch “Exclude steal time” off first."));
    const std::string view = chosen().view.empty() ? findViewWithRole(*timeline, TrackRole::Thread) : chosen().view;
    const QStringList rows = chosen().sum == StatisticsSum::Row ? optionWords("--view", QString::fromStdString(view))
                                                                : optionWords("--by", fileWord(chosen().sum, Sums));
    const QStringList estimates = m_model.hasEstimates() ? QStringList{"--estimate"} : QStringList();
    return {QStringList{"stats"} + rows + estimates + rangeOptions(m_context.time(), m_context.time().focus()), {}, {}};
}

/// Returns the query in SQL for the times by state of threads in the range of the table; empty for rows of other views.
QString StatisticsView::shownQuery() const
{
    const auto timeline = m_context.timeline();
    const StatisticsRows rows = chosen();
    if (!timeline || (!rows.view.empty() && rows.view != findViewWithRole(*timeline, TrackRole::Thread)))
        return {};
    const TimeRange range = m_context.time().focus();
    const QString select = rows.sum == StatisticsSum::Row ? QStringLiteral("SELECT thread.name, tid")
        : rows.sum == StatisticsSum::Process              ? QStringLiteral("SELECT process.name, pid")
                                                          : QStringLiteral("SELECT thread.name");
    const QString group = rows.sum == StatisticsSum::Row ? QStringLiteral("GROUP BY utid")
        : rows.sum == StatisticsSum::Process             ? QStringLiteral("GROUP BY upid")
                                                         : QStringLiteral("GROUP BY thread.name");
    return QStringLiteral("-- Time by state\n"
                          "%1, state, count(*) AS intervals,\n"
                          "       sum(min(iif(dur < 0, trace_end(), ts + dur), %4) - max(ts, %3)) AS total_dur\n"
                          "FROM thread_state\nJOIN thread USING (utid)\n%5"
                          "WHERE ts < %4 AND iif(dur < 0, trace_end(), ts + dur) > %3\n"
                          "%2, state\nORDER BY total_dur DESC")
        .arg(select, group, QString::number(nanoseconds(range.begin)), QString::number(nanoseconds(range.end)),
             rows.sum == StatisticsSum::Process ? QStringLiteral("JOIN process USING (upid)\n") : QString());
}

/// Returns the group of rows that the user chose; the threads if its view does not exist.
StatisticsRows StatisticsView::chosen() const
{
    const auto found = findRows(m_choices, m_view, m_sum);
    return found != m_choices.end() ? *found : StatisticsRows();
}

void StatisticsView::choose(int index)
{
    m_view = m_choices[std::size_t(index)].view;
    m_sum = m_choices[std::size_t(index)].sum;
    fetch();
}

void StatisticsView::offer(std::vector<StatisticsRows> choices)
{
    if (choices != m_choices || m_rows->count() == 0) {
        m_choices = std::move(choices);
        m_rows->clear();
        for (const StatisticsRows& it : m_choices)
            m_rows->addItem(it.title);
        m_rows->setVisible(m_choices.size() > 1);
    }
    m_rows->setCurrentIndex(int(std::ranges::find(m_choices, chosen()) - m_choices.begin()));
    m_model.setOne(chosen().one);
    m_model.setTitle(StatisticsModel::Tid, chosen().sum == StatisticsSum::Process ? tr("PID") : tr("TID"));
}

void StatisticsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

void StatisticsView::fetch()
{
    if (!isVisible())
        return;
    const auto timeline = m_context.timeline();
    const TimeRange range = m_context.time().focus();
    const bool isSelected = !m_context.time().selection().isEmpty();
    m_title->setText(isSelected ? tr("In the selected range") : tr("In the visible range"));
    m_length->setText(range.isEmpty() ? QString() : durationText(range.duration()));
    if (!timeline || range.isEmpty()) {
        m_answer.cancel();
        m_model.setLines({}, {});
        const QString note = !timeline || !isComplete(*timeline) ? QString()
            : hasTimes(*timeline)                                ? tr("This file has no events that can be shown.")
                                  : tr("This file has no times, so threads have no statistics. The flame graph and the functions show all "
                                       "of its samples.");
        return showNote(note, !note.isEmpty());
    }
    const Question question{timeline, range, m_model.sorting(), m_view, m_sum, m_stolen->isChecked()};
    m_answer.post([this, question, kept = m_nominal](std::stop_token stop) -> LatestTask::Delivery {
        const bool isOfThreads = question.view.empty();
        const bool isReady = !isOfThreads || kept->isReady(question.timeline);
        if (!isReady)
            m_answer.deliver(stop, taking(ask(question, nullptr, stop)));
        const auto nominal = isOfThreads ? kept->of(question.timeline, stop) : nullptr;
        return isReady || nominal ? taking(ask(question, nominal.get(), stop)) : LatestTask::Delivery();
    });
}

LatestTask::Delivery StatisticsView::taking(QueryResult answer)
{
    return [this, answer = std::make_shared<QueryResult>(std::move(answer))] { take(std::move(*answer)); };
}

StatisticsView::QueryResult StatisticsView::ask(const Question& question, const NominalTimes* nominal, std::stop_token stop)
{
    const Timeline& timeline = *question.timeline;
    QueryResult answer{statisticsRows(timeline), {}, question.range, {}, {}, !guestRowPairs(timeline).empty()};
    const auto found = findRows(answer.choices, question.view, question.sum);
    const StatisticsRows of = found != answer.choices.end() ? *found : StatisticsRows();
    answer.lines = rowStatistics(timeline, question.range, stop, of.view, question.excludesStealTime, nominal);
    answer.lines = sumStatistics(timeline, std::move(answer.lines), of.sum);
    const auto isUnknown = [](const RowStatistics& line) { return line.isInactive() && line.isUnknown(); };
    const auto unknown = std::int64_t(std::erase_if(answer.lines, isUnknown));
    const auto resting = std::int64_t(std::erase_if(answer.lines, [](const RowStatistics& line) { return line.isInactive(); }));
    sortStatistics(answer.lines, question.order);
    answer.leftOut = omittedRowsText(resting, unknown, of);
    if (answer.lines.empty() && unknown > 0 && of.view.empty())
        answer.substitute = substituteText(timeline);
    return answer;
}

/// Shows a new result. Keeps the scroll position if rows, range and sort order are unchanged, e.g. if only more of the trace has been read;
/// otherwise scrolls to the top.
void StatisticsView::take(QueryResult answer)
{
    offer(std::move(answer.choices));
    m_stolen->setVisible(answer.hasStealTime);
    // The choice is moved to a second line, because the title's line has no room for both.
    if (answer.hasStealTime && m_further->indexOf(m_rows) < 0)
        m_further->addWidget(m_rows);
    const bool areSameRows = std::exchange(m_shownRows, chosen()) == chosen();
    const bool areSame =
        areSameRows && answer.range == m_model.range() && std::exchange(m_shownOrder, m_model.sorting()) == m_model.sorting();
    const int top = areSame ? m_table->indexAt({1, 1}).row() : 0;
    m_isSelecting = true;
    m_model.setLines(std::move(answer.lines), answer.range);
    if (m_table->isColumnHidden(StatisticsModel::Nominal) == m_model.hasNominal()) {
        // The column takes room from the bars rather than from the names.
        m_table->setColumnHidden(StatisticsModel::Nominal, !m_model.hasNominal());
        m_table->setColumnWidth(StatisticsModel::Share, m_model.hasNominal() ? NarrowShare : WideShare);
        m_model.setTitle(StatisticsModel::Share, m_model.hasNominal() ? tr("Share") : tr("Share by state"));
    }
    m_table->setColumnHidden(StatisticsModel::Tid, !m_model.hasTids());
    // The column is always shown for threads, because it is also a result that no thread had any time on a CPU.
    m_table->setColumnHidden(StatisticsModel::OnCpu, !chosen().view.empty() && !m_model.hasOnCpu());
    m_isSelecting = false;
    m_table->scrollTo(m_model.index(std::max(0, top), 0), QAbstractItemView::PositionAtTop);
    showLeftOut(answer.leftOut, answer.substitute);
    selectRow();
}

/// Shows a note about omitted rows below the table. If the table is empty, shows the reason in its place. `substitute`: result of
/// substituteText(), empty if the table has lines.
void StatisticsView::showLeftOut(const QString& leftOut, const QString& substitute)
{
    if (!substitute.isEmpty())
        return showNote(tr("%1. %2").arg(leftOut, substitute), true);
    if (!leftOut.isEmpty() || m_model.rowCount() > 0)
        return showNote(leftOut, false);
    const bool isRead = m_context.timeline() && isComplete(*m_context.timeline());
    showNote((isRead ? tr("No scheduling events or samples of %1 were recorded here.")
                     : tr("No scheduling events or samples of %1 here yet: the trace has not been read completely."))
                 .arg(chosen().many),
             true);
}

/// Shows a note below the table, or in its place. Hides the note if it is empty.
void StatisticsView::showNote(const QString& note, bool replacesTable)
{
    m_resting->setVisible(!note.isEmpty());
    m_resting->setAlignment(replacesTable ? Qt::AlignCenter : Qt::AlignLeft);
    m_resting->setText(note);
    m_table->setVisible(!replacesTable);
    static_cast<QVBoxLayout*>(layout())->setStretchFactor(m_resting, replacesTable ? 1 : 0);
}

void StatisticsView::selectRow()
{
    m_isSelecting = true;
    const int row = m_model.find(m_context.time().row());
    m_table->setAutoScroll(false); // The table does not scroll to the selected line, which is pinned: the top of the list stays in view.
    if (row >= 0)
        m_table->setCurrentIndex(m_model.index(row, 0));
    else
        m_table->clearSelection();
    m_table->setAutoScroll(true);
    m_isSelecting = false;
    m_pinned->place();
}

} // namespace helio
