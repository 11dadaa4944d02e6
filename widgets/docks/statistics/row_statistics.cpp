#include "widgets/docks/statistics/row_statistics.h"

#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/recording_kind.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/thread_groups.h"
#include "core/query/rows/views.h"
#include "widgets/docks/statistics/statistics_model.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/panels/view_text.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

namespace helio {

namespace {

/// Cache of states: up to 100,000 lines share these objects.
class SharedStates {
public:
    explicit SharedStates(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }
    const std::shared_ptr<const StateKind>& of(TrackRef track, State state)
    {
        auto& known = m_known[{&statesOf(m_timeline, track), state}];
        if (!known)
            known = std::make_shared<const StateKind>(stateKind(m_timeline, track, state));
        return known;
    }
    const std::shared_ptr<const StateKind>& thatMeans(TrackRef track, StateCategory meaning)
    {
        auto& known = m_meant[{&statesOf(m_timeline, track), meaning}];
        if (!known)
            known = std::make_shared<const StateKind>(stateThatMeans(m_timeline, track, meaning));
        return known;
    }

private:
    const Timeline& m_timeline;
    std::map<std::pair<const StateSet*, State>, std::shared_ptr<const StateKind>> m_known;
    std::map<std::pair<const StateSet*, StateCategory>, std::shared_ptr<const StateKind>> m_meant;
};

/// Adds estimates from samples, for a thread whose states were not recorded.
void addSampled(RowStatistics& line, const EstimatedCpuTime& use, TimeRange range, SharedStates& states)
{
    if (use.samples == 0)
        return;
    line.samples = use.samples;
    const EstimatedStateTimes times = estimatedStateTimes(use, range.duration());
    line.onCpu = times.onCpu();
    line.parts = {{states.thatMeans(line.track, StateCategory::OnCpuUser), 0, times.user, {}, {}},
                  {states.thatMeans(line.track, StateCategory::OnCpuKernel), 0, times.kernel, {}, {}},
                  {states.thatMeans(line.track, StateCategory::Unknown), 0, times.unknown, {}, {}}};
}

/// True if the states of the row are in the legend: only then do their durations have a meaningful sum.
bool isCounted(const Timeline& timeline, const Row& row)
{
    return row.valueKind != ValueKind::Number && !statesOf(timeline, row.ref).title.empty();
}

/// Returns the name of a row that is labelled `label`; with several hosts also the host, because hosts may use the same names and TIDs.
QString nameOf(const Timeline& timeline, const Row& row, const QString& label)
{
    if (const std::string title = rowTitle(timeline, row.ref); !title.empty())
        return text(title);
    const std::string host = hostName(timeline, row.host);
    return host.empty() ? label : label + text(" on " + host);
}

/// Returns the label of a row for a list without parent rows. `all`: all rows of the view. A label that is only a number, e.g. "#0", is
/// preceded by the label of the outermost parent: "vdb #0".
QString flatLabel(const std::vector<Row>& all, const Row& row)
{
    const auto hasParent = [&](const Row& it) { return it.parent >= 0 && all[std::size_t(it.parent)].ref.isValid(); };
    const Row* outermost = &row;
    while (row.label.starts_with('#') && hasParent(*outermost))
        outermost = &all[std::size_t(outermost->parent)];
    return outermost == &row ? shownName(row) : text(outermost->label + ' ' + row.label);
}

} // namespace

bool RowStatistics::isInactive() const
{
    return !isLowerBound && onCpu == Duration(0) && std::ranges::all_of(parts, [](const Part& part) { return isAtRest(*part.state); });
}

bool RowStatistics::isUnknown() const
{
    return samples == 0 && std::ranges::all_of(parts, [](const Part& part) { return part.state->meaning == StateCategory::Unknown; });
}

QString omittedRowsText(std::int64_t resting, std::int64_t unknown, const StatisticsRows& of)
{
    const QString rested = resting == 1 ? StatisticsModel::tr("1 idle %1 hidden").arg(of.one)
                                        : StatisticsModel::tr("%1 idle %2 hidden").arg(countText(resting), of.many);
    if (unknown == 0)
        return resting > 0 ? rested : QString();
    const QString unknowns = unknown == 1 ? StatisticsModel::tr("1 %1 has no state data").arg(of.one)
                                          : StatisticsModel::tr("%1 %2 have no state data").arg(countText(unknown), of.many);
    return resting > 0 ? rested + QStringLiteral(", ") + unknowns : unknowns.left(1).toUpper() + unknowns.mid(1);
}

QString substituteText(const Timeline& timeline)
{
    QStringList sentences;
    if (const std::string advice = adviseRecordingOf(timeline, findViewWithRole(timeline, TrackRole::Thread)); !advice.empty())
        sentences << text(advice);
    if (recordingKind(timeline) == RecordingKind::Slices)
        sentences << StatisticsModel::tr("The Functions dock sums their slices and calls.");
    else if (hasSamples(timeline))
        sentences << StatisticsModel::tr("The Functions dock sums the samples.");
    else
        sentences << StatisticsModel::tr("The Events dock lists their events.");
    return sentences.join('\n');
}

std::vector<StatisticsRows> statisticsRows(const Timeline& timeline)
{
    const auto sumOf = [](StatisticsSum sum, const QString& title, const QString& one, const QString& many) {
        return StatisticsRows{{}, sum, title, one, many};
    };
    std::vector<StatisticsRows> all{
        {},
        sumOf(StatisticsSum::Process, StatisticsModel::tr("Processes"), StatisticsModel::tr("process"), StatisticsModel::tr("processes")),
        sumOf(StatisticsSum::ThreadName, StatisticsModel::tr("Thread names"), StatisticsModel::tr("name"), StatisticsModel::tr("names"))};
    for (const TrackView& view : describedViews(timeline)) {
        const auto found = rows(timeline, view.id);
        const bool hasStates = std::ranges::any_of(found, [&](const Row& row) { return row.ref.isValid() && isCounted(timeline, row); });
        const bool isOfThreads = std::ranges::any_of(found, [](const Row& row) { return row.role == TrackRole::Thread; });
        if (hasStates && !isOfThreads)
            all.push_back({view.id, StatisticsSum::Row, text(view.title), text(view.one), text(view.many)});
    }
    return all;
}

std::vector<RowStatistics> rowStatistics(const Timeline& timeline, TimeRange range, std::stop_token stop, const std::string& view,
                                         bool excludesStealTime, const NominalTimes* nominal)
{
    std::vector<RowStatistics> result;
    std::map<TrackRef, TrackRef> known; // For each row that a guest recorded, the row that repeats it with steal time as a state.
    if (excludesStealTime)
        for (const auto& [recorded, shown] : guestRowPairs(timeline))
            known.emplace(recorded, shown);
    SharedStates states(timeline);
    UnrecordedRuns unseen(timeline, range);
    std::unique_ptr<const EstimatedCpuTimes> sampled; // Estimates from samples; computed on first use, which is rare.
    const std::vector<Row> all = view.empty() ? threads(timeline) : rows(timeline, view);
    for (const Row& row : all) {
        const auto knowing = known.find(row.ref);
        // Row whose states are counted. To exclude steal time, it is the row that a correlator made from the guest's row: only this one
        // shows steal time as a state of its own. Everything else is read from the guest's row.
        const TrackRef asked = knowing == known.end() ? row.ref : knowing->second;
        if (stop.stop_requested())
            return result;
        if (!row.ref.isValid() || !row.life.overlaps(range) || (!view.empty() && !isCounted(timeline, row)))
            continue;
        RowStatistics line{.track = row.ref, .name = nameOf(timeline, row, flatLabel(all, row)), .tid = row.shownTid()};
        for (const StateTotal& total : totals(timeline, asked, range)) {
            const auto& state = states.of(asked, total.state);
            if (isOnCpu(state->meaning))
                line.onCpu += total.total;
            if (state->style.has(StateFlag::ActivityKnown) && !isAtRest(*state))
                line.inCalls += total.total;
            line.isLowerBound = line.isLowerBound || (state->meaning == StateCategory::Unknown && unseen.mayExistIn(row.trace));
            line.parts.push_back({state, total.count, total.total, total.min, total.max});
        }
        if (std::ranges::all_of(line.parts, [](const auto& part) { return part.state->meaning == StateCategory::Unknown; })) {
            if (!sampled)
                sampled = std::make_unique<EstimatedCpuTimes>(timeline, range, stop);
            addSampled(line, sampled->of(row.ref), row.life.clippedTo(range), states);
        }
        if (nominal && row.role == TrackRole::Thread && asked == row.ref && line.samples == 0)
            line.nominal = nominal->of(row, range);
        line.covered = range.clippedTo(coveredRange(timeline, row.trace)).duration();
        if (!line.parts.empty())
            result.push_back(std::move(line));
    }
    sortStatistics(result, {});
    return result;
}

namespace {

void addPart(std::vector<RowStatistics::Part>& parts, const RowStatistics::Part& more)
{
    const auto known = std::ranges::find_if(parts, [&](const auto& part) { return part.state->name == more.state->name; });
    if (known == parts.end())
        return parts.push_back(more);
    known->min = known->count == 0 ? more.min : more.count == 0 ? known->min : std::min(known->min, more.min);
    known->max = std::max(known->max, more.max);
    known->count += more.count;
    known->total += more.total;
}

void addLine(RowStatistics& sum, const RowStatistics& more)
{
    sum.onCpu += more.onCpu;
    sum.inCalls += more.inCalls;
    sum.isLowerBound = sum.isLowerBound || more.isLowerBound;
    sum.samples += more.samples;
    sum.threads += more.threads;
    if (more.nominal)
        sum.nominal = sum.nominal.value_or(NominalTime()) += *more.nominal;
    for (const RowStatistics::Part& part : more.parts)
        addPart(sum.parts, part);
}

} // namespace

std::vector<RowStatistics> sumStatistics(const Timeline& timeline, std::vector<RowStatistics> lines, StatisticsSum sum)
{
    if (sum == StatisticsSum::Row)
        return lines;
    const ThreadGroups groups(timeline, sum == StatisticsSum::Process ? ThreadGrouping::Process : ThreadGrouping::Name);
    std::map<TrackRef, const Row*> rows;
    for (const Row& row : groups.threads())
        rows.emplace(row.ref, &row);
    sortStatistics(lines, {}); // Sorted by time on a CPU, so that the first line of each process or thread name is its busiest thread.
    std::vector<RowStatistics> result;
    std::map<ThreadGroups::Key, std::size_t> indices; // Index into `result` of the line of each process or thread name.
    for (RowStatistics& line : lines) {
        const Row& row = *rows.at(line.track);
        const auto [at, isNew] = indices.emplace(groups.keyOf(row), result.size());
        if (!isNew) {
            addLine(result[at->second], line);
            continue;
        }
        line.tid = sum == StatisticsSum::Process && row.pid < FirstMadeId ? row.pid : -1;
        if (const Row* const main = groups.mainOf(row)) {
            line.track = main->ref;
            line.name = nameOf(timeline, *main, text(main->label));
        }
        result.push_back(std::move(line));
    }
    for (RowStatistics& line : result) {
        line.covered = {};
        for (const RowStatistics::Part& part : line.parts)
            line.covered += part.total;
    }
    return result;
}

void sortStatistics(std::vector<RowStatistics>& lines, StatisticsOrder order)
{
    const auto isBefore = [&](const RowStatistics& a, const RowStatistics& b) {
        switch (order.column) {
        case StatisticsOrder::Name: return a.name.compare(b.name, Qt::CaseInsensitive) < 0;
        case StatisticsOrder::Tid: return a.tid < b.tid;
        case StatisticsOrder::Nominal: return a.nominal.value_or(NominalTime()).ns < b.nominal.value_or(NominalTime()).ns;
        default: return std::tie(a.onCpu, a.inCalls) < std::tie(b.onCpu, b.inCalls);
        }
    };
    std::ranges::stable_sort(lines, [&](const auto& a, const auto& b) { return order.isDescending ? isBefore(b, a) : isBefore(a, b); });
}

} // namespace helio
