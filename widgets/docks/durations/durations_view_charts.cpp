#include "core/latency/intervals/empty_reason.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/facts.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/durations/duration_chart.h"
#include "widgets/docks/durations/durations_view.h"
#include "widgets/docks/durations/scatter_chart.h"

#include <QLabel>
#include <QStackedWidget>
#include <QTreeView>

#include <algorithm>
#include <string_view>
#include <utility>

// Functions of IntervalDurationsView for its charts, the periodicity of intervals, and the list of what the user selects in a chart.
namespace helio {

namespace {

constexpr std::uint32_t GridColumns = 400; ///< Number of columns of the grid: about one per pixel.
constexpr std::uint32_t GridRows = 120;
constexpr std::size_t MostColours = 8; ///< Number of names with colours of their own; all other names share one colour.
constexpr std::string_view SystemCallKind = "syscall"; ///< IntervalKind::id of system calls.
constexpr int MostShownPeriods = 2;
constexpr int RoomForMore = 190; ///< Minimum height of the dock in pixels at which two periods are listed; in a lower dock, only one.
constexpr int PeriodLineHeight = 19;

} // namespace

void IntervalDurationsView::setShape(Shape shape)
{
    if (std::exchange(m_shown, shape) == shape)
        return;
    static const QString names[] = {tr("Histogram"), tr("Scatter"), tr("Density")};
    m_shape->setText(names[std::size_t(shape)]);
    m_allNames->setVisible(shape != Shape::Histogram);
    m_logHeights->setVisible(shape != Shape::Scatter); // Hidden for a scatter chart, whose dots have the same colour for every count.
    m_charts->setCurrentWidget(shape == Shape::Histogram ? static_cast<QWidget*>(m_chart) : m_times);
    m_times->setShape(shape == Shape::Density ? ScatterChart::Shape::Density : ScatterChart::Shape::Scatter);
    distributeWidth();
    showTitle();
    fetchGrid();
    fetchPeriods();
    listSelected();
}

bool IntervalDurationsView::areAllShown() const { return m_shown != Shape::Histogram && m_allNames->isChecked(); }

/// Name whose intervals are shown; empty for all names.
std::string IntervalDurationsView::shownName() const { return areAllShown() || !m_chosen ? std::string() : m_chosen->name; }

/// Returns a scale over the whole range of the query, from the shortest to the longest shown interval.
DensityGridScale IntervalDurationsView::gridScale(const Timeline& timeline) const
{
    const TimeRange all = rangeOf(timeline);
    DensityGridScale scale{m_answered->range == IntervalRange::whole() ? all : all.clippedTo(m_answered->range),
                           m_chosen->lengths.least,
                           m_chosen->lengths.most,
                           m_logLengths->isChecked(),
                           GridColumns,
                           GridRows};
    for (int line = 0; areAllShown() && line < m_table.rowCount(); ++line) {
        if (m_table.line(line).lengths.count == 0)
            continue;
        scale.least = std::min(scale.least, m_table.line(line).lengths.least);
        scale.most = std::max(scale.most, m_table.line(line).lengths.most);
    }
    scale.least = std::max(Duration{}, scale.least);
    scale.most = std::max(scale.least + Duration(1), scale.most);
    return scale;
}

void IntervalDurationsView::fetchGrid()
{
    const auto timeline = m_context.timeline();
    if (m_shown == Shape::Histogram || !timeline || !m_answered || !m_chosen) {
        m_gridJob.cancel();
        return m_times->setGrid(nullptr);
    }
    const auto names = areAllShown() ? m_table.namesByTotal(MostColours) : std::vector<std::string>();
    m_gridJob.post([this, timeline, choice = asked(), only = shownName(), scale = gridScale(*timeline),
                    names](std::stop_token stop) -> LatestTask::Delivery {
        auto grid = std::make_shared<const DensityGrid>(densityGrid(timeline, choice, only, scale, names, stop));
        return [this, grid, names] {
            QStringList texts;
            for (const std::string& it : names)
                texts << QString::fromStdString(it);
            m_times->setNames(texts);
            m_times->setGrid(grid);
        };
    });
}

void IntervalDurationsView::fetchPeriods()
{
    m_found.clear();
    const auto timeline = m_context.timeline();
    if (!m_findPeriods->isChecked() || !timeline || !m_answered || !m_chosen) {
        m_periodsJob.cancel();
        m_periods->hide();
        distributeHeight();
        return listSelected();
    }
    showSentences({tr("Searching for periodicity…")});
    m_periodsJob.post([this, timeline, choice = asked(), only = shownName()](std::stop_token stop) -> LatestTask::Delivery {
        PeriodicityDetector periods;
        std::uint64_t count = 0;
        const auto take = [&](const NamedInterval& it) {
            if (!only.empty() && it.name != only)
                return;
            periods.add(it.range);
            ++count;
        };
        forEachInterval(timeline, choice, take, stop);
        return [this, found = periods.find(stop), count] {
            m_found = found;
            m_searchedCount = count;
            showPeriods();
        };
    });
}

void IntervalDurationsView::showPeriods()
{
    if (!m_findPeriods->isChecked() || m_periodsJob.isBusy())
        return;
    const auto timeText = [this](Timestamp at) { return helio::timeText(at, m_context.timeFormat(), 3).toStdString(); };
    QStringList sentences;
    for (const Periodicity& it : m_found)
        sentences << tr("Period %1: %2")
                         .arg(QString::fromStdString(roundedDurationText(it.found.period)),
                              QString::fromStdString(describePeriod(it, timeText)));
    QString tooFew = QString::fromStdString(whyTooFewToRepeat(m_searchedCount));
    if (sentences.isEmpty() && !tooFew.isEmpty())
        sentences << tooFew.replace(0, 1, tooFew[0].toUpper()) + QChar('.');
    else if (sentences.isEmpty())
        sentences << tr("Nothing here repeats more regularly than by chance.");
    showSentences(sentences);
}

void IntervalDurationsView::showSentences(const QStringList& sentences)
{
    m_sentences.setLines({sentences.begin(), sentences.end()});
    const qsizetype lines = height() < RoomForMore ? 1 : MostShownPeriods;
    m_periods->setFixedHeight(int(std::min(lines, sentences.size())) * PeriodLineHeight + 2);
    m_periods->show();
    distributeHeight();
}

/// Hides the text beside the title while periods are shown, unless it says what is listed.
void IntervalDurationsView::distributeHeight()
{
    m_words->setVisible(m_periods->isHidden() || m_isListing);
    showTitle();
}

/// Lists the intervals of the selected bar or rectangle, or nothing.
void IntervalDurationsView::listSelected()
{
    m_periods->clearSelection();
    if (m_shown == Shape::Histogram)
        return listBucket();
    const auto area = m_times->selected();
    if (!area || !m_chosen)
        return list({});
    const QString lengths = tr("%1 to %2").arg(durationText(area->from), durationText(area->to));
    const QString words = tr("%1, from %2").arg(lengths, rangeText(area->times, m_context.timeFormat(), 3));
    QString search = QStringLiteral("duration >= %1ns && duration < %2ns").arg(area->from.count()).arg(area->to.count());
    if (const std::string only = shownName(); !only.empty())
        search = makeNameFilter(only) + QStringLiteral(" && ") + search;
    list(Wanted{words,
                search,
                {area->from, area->to, 0},
                [area = *area](TimeRange it) {
                    const Duration length = std::max(Duration{}, lengthOf(it));
                    return area.times.contains(it.begin) && length >= area.from && length < area.to;
                },
                shownName()});
}

void IntervalDurationsView::listBucket()
{
    const auto selected = m_chart->selected();
    if (!selected || !m_chosen)
        return list({});
    const HistogramBucket bucket = m_chart->buckets()[*selected];
    const QString search = makeNameFilter(m_chosen->name)
        + QStringLiteral(" && duration >= %1ns && duration < %2ns").arg(bucket.from.count()).arg(bucket.to.count());
    list(Wanted{m_chart->tipOf(*selected), search, bucket,
                [bucket](TimeRange it) { return lengthOf(it) >= bucket.from && lengthOf(it) < bucket.to; }, m_chosen->name});
}

void IntervalDurationsView::goToLongest()
{
    if (!m_chosen || m_chosen->lengths.count == 0)
        return;
    m_chart->select({});
    m_times->clearSelected();
    const Duration most = m_chosen->lengths.most;
    const QString search = makeNameFilter(m_chosen->name) + QStringLiteral(" && duration >= %1ns").arg(most.count());
    list(Wanted{tr("Longest: %1").arg(durationText(most)),
                search,
                {},
                [most](TimeRange it) { return lengthOf(it) >= most; },
                m_chosen->name,
                true});
}

void IntervalDurationsView::listPeriod(std::size_t place)
{
    if (place >= m_found.size())
        return;
    m_chart->select({});
    m_times->clearSelected();
    const Periodicity period = m_found[place];
    const bool isOfGaps = period.of == PeriodicProperty::GapBegins || period.of == PeriodicProperty::GapEnds;
    QString search = QStringLiteral("duration >= %1ns").arg(isOfGaps ? 0 : period.from.count());
    if (const std::string only = shownName(); !only.empty())
        search = makeNameFilter(only) + QStringLiteral(" && ") + search;
    list(Wanted{tr("Entries near a multiple of %1").arg(durationText(period.period())),
                search,
                {},
                [period](TimeRange it) { return period.has(it); },
                shownName()});
    m_periods->setCurrentIndex(m_sentences.index(int(place), 0));
}

void IntervalDurationsView::list(std::optional<Wanted> wanted)
{
    const auto timeline = m_context.timeline();
    m_isListing = wanted && timeline && m_answered;
    distributeHeight();
    if (!m_isListing) {
        m_listJob.cancel();
        m_bucket.reset();
        m_marks.clear();
        m_listed.setCalls(nullptr);
        return say(!m_chosen                         ? QString()
                       : m_shown == Shape::Histogram ? tr("Click a bar to list its entries.")
                                                     : tr("Drag over entries to list them."));
    }
    showList();
    say(wanted->words);
    m_listJob.post([this, timeline, choice = asked(), wanted = *wanted](std::stop_token stop) -> LatestTask::Delivery {
        const auto isWanted = [&](const NamedInterval& it) {
            return (wanted.name.empty() || it.name == wanted.name) && wanted.is(it.range);
        };
        const WantedIntervals found = findWantedIntervals(timeline, choice, isWanted, MostListedCalls, stop);
        HistogramBucket bucket = wanted.bucket;
        bucket.count = found.count;
        auto intervals = helio::listed(timeline, bucket, found.intervals, choice.kind == SystemCallKind && !choice.function, stop);
        return [this, intervals, wanted, count = found.count] {
            m_bucket = intervals;
            m_listed.setCalls(intervals);
            m_list->setColumnHidden(CallListModel::Arguments, !m_listed.hasArguments());
            fitListWidth();
            m_marks.show(intervals, wanted.search);
            QString words = wanted.words;
            if (wanted.bucket.count != count)
                words += QStringLiteral(": ") + (count == 1 ? tr("1 time") : tr("%1 times").arg(countText(qint64(count))));
            if (intervals->isCut())
                words += tr(", the first %1 are listed").arg(countText(qint64(intervals->calls.size())));
            say(words);
            if (wanted.goesToFirst && m_listed.rowCount() > 0)
                goTo(m_listed.callAt(0));
        };
    });
}

} // namespace helio
