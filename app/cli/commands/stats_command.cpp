#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/selection/option_list.h"
#include "core/latency/running/nominal_times.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/state_text.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/thread_groups.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace helio {
namespace {

/// Parses a frequency such as "2.4GHz", "2400MHz" or "2400000kHz" and returns it in kHz; nullopt if the text is not a frequency or is
/// out of range.
std::optional<std::uint32_t> readFrequency(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, double>, 3> Units{{{"GHz", 1e6}, {"MHz", 1e3}, {"kHz", 1}}};
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
    for (const auto& [unit, kHz] : Units)
        if (error == std::errc() && rest == unit && number * kHz >= 1 && number * kHz <= std::numeric_limits<std::int32_t>::max())
            return static_cast<std::uint32_t>(std::lround(number * kHz));
    return {};
}

struct StatsOptions {
    RowTableOptions table{"stats"};
    std::optional<std::uint32_t> nominalKHz;
    std::optional<ThreadGrouping> by; ///< Groups whose threads are summed; nullopt to print single rows.
    std::string givenNominal, givenBy;
    bool estimates = false; ///< True to estimate the times of rows without recorded states from samples.

    void addTo(OptionList& options)
    {
        table.addTo(options, IntervalFilterHelp);
        options.value("--by", givenBy, "G", "Sum threads by process or by name, the busiest first");
        options.flag("--estimate", estimates, "Estimate the times of rows without recorded states from samples");
        options.value("--nominal", givenNominal, "FREQUENCY",
                      "Scale running times to this frequency (default: each CPU's highest recorded)");
        table.format.addTo(options);
    }
    std::string missing() const { return givenBy.empty() ? table.missingTraceOrView() : table.missing(); }
    Status read()
    {
        if (const auto done = table.read(); !done)
            return done;
        if (!givenBy.empty() && !table.view.empty())
            return makeUsageError("--by", "sums the threads of all views; not valid with --view");
        if (!givenBy.empty()) {
            const auto grouping =
                readChoice<ThreadGrouping>("--by", givenBy, {{"process", ThreadGrouping::Process}, {"name", ThreadGrouping::Name}});
            if (!grouping)
                return grouping.error();
            by = *grouping;
        }
        nominalKHz = readFrequency(givenNominal);
        return givenNominal.empty() || nominalKHz
            ? Status(Done{})
            : Status(makeUsageError("--nominal", "\"" + givenNominal + "\" is not a frequency, e.g. 2400MHz or 2.4GHz"));
    }
};

/// Name of a state, and sums over the intervals of one row in this state.
struct NamedTotal {
    std::string state;
    StateTotal sum; ///< Sum of recorded intervals; its count is 0 if all time is estimated.
    Duration estimated{}; ///< Time that is estimated from samples, which `sum` does not include.
    /// Time at the nominal frequency; nullopt if the state is not on a CPU or if the CPU's frequency was not recorded.
    std::optional<NominalTime> nominal{};
};

/// True if the row's intervals are named by their values instead of by their states.
bool isNamedByValues(const Timeline& timeline, const Row& row)
{
    return std::ranges::any_of(statesOf(timeline, row.ref).states,
                               [](const StateKind& state) { return state.style.has(StateFlag::NamedByValue); });
}

/// Returns the sums by state of the row's intervals that pass the filter.
std::vector<NamedTotal> selectedTotals(const Timeline& timeline, const Row& row, TimeRange range, const RowSelection& selection,
                                       const NominalTimes& times)
{
    std::vector<NamedTotal> all;
    const bool isNamed = isNamedByValues(timeline, row);
    if (!selection.dependsOnIntervals(row) && !isNamed && !hasDriftingClock(timeline, row.ref) && !times.hasFrequencies()) {
        for (const StateTotal& total : totals(timeline, row.ref, range))
            all.push_back({std::string(stateName(timeline, row.ref, total.state)), total});
        return all;
    }
    std::map<std::pair<State, std::string>, NamedTotal> sums;
    RowFacts facts = selection.factsOf(row);
    forEachRowInterval(timeline, row, range, [&](const Interval& interval) {
        if (!selection.selects(facts, interval))
            return;
        NamedTotal& named = sums[{interval.state, isNamed ? stateText(timeline, row.ref, interval).state : std::string()}];
        StateTotal& sum = named.sum;
        const Duration duration = interval.range.duration();
        sum.state = interval.state;
        sum.min = sum.count == 0 ? duration : std::min(sum.min, duration);
        sum.max = std::max(sum.max, duration);
        sum.total += duration;
        ++sum.count;
        if (times.hasFrequencies() && isOnCpu(meaningOf(timeline, row.ref, interval.state)))
            if (const auto nominal = times.of(row, interval.range))
                (named.nominal ? *named.nominal : named.nominal.emplace()) += *nominal;
    });
    for (auto& [key, named] : sums) {
        named.state = isNamed ? key.second : std::string(stateName(timeline, row.ref, key.first));
        all.push_back(std::move(named));
    }
    return all;
}

/// Returns the estimated times of a row without recorded states; nullopt if its states were recorded or if it was not sampled. `recorded`:
/// the row's recorded times in `range`.
std::optional<std::vector<NamedTotal>> estimatedTotals(const Timeline& timeline, const Row& row, TimeRange range,
                                                       const std::vector<NamedTotal>& recorded, const EstimatedCpuTimes& estimates)
{
    const auto isKnown = [&](const NamedTotal& total) {
        return total.sum.count > 0 && meaningOf(timeline, row.ref, total.sum.state) != StateCategory::Unknown;
    };
    const EstimatedCpuTime use = estimates.of(row.ref);
    if (use.samples == 0 || std::ranges::any_of(recorded, isKnown))
        return {};
    const EstimatedStateTimes times = estimatedStateTimes(use, range.duration());
    std::vector<NamedTotal> all;
    for (const auto& [meaning, time] :
         {std::pair(StateCategory::OnCpuUser, times.user), std::pair(StateCategory::OnCpuKernel, times.kernel),
          std::pair(StateCategory::Unknown, times.unknown)})
        all.push_back({stateThatMeans(timeline, row.ref, meaning).name, {}, time});
    return all;
}

/// Columns of the numbers of a row or group, one line a state.
std::vector<std::string> numberColumns(const NominalTimes& times, bool hasEstimates)
{
    std::vector<std::string> names{"state", "count", "total_ns", "min_ns", "mean_ns", "max_ns"};
    if (hasEstimates)
        names.emplace_back("estimated_ns");
    if (times.hasFrequencies())
        names.insert(names.end(), {"nominal_ns", "unknown_frequency_ns"});
    return names;
}

/// Prints a line for each state that occurs. `begin`: the first cells of each line.
void printTotals(const std::vector<Cell>& begin, const std::vector<NamedTotal>& all, const NominalTimes& times, bool hasEstimates,
                 TableWriter& table)
{
    for (const auto& [state, total, estimated, nominal] : all) {
        if (total.count == 0 && estimated == Duration::zero())
            continue;
        const auto ofIntervals = [isAny = total.count > 0](Cell cell) { return isAny ? std::move(cell) : Cell(); };
        std::vector<Cell> cells = begin;
        for (Cell cell : {Cell(state), ofIntervals(Cell::integer(static_cast<std::int64_t>(total.count))), Cell(total.total + estimated),
                          ofIntervals(Cell(total.min)), ofIntervals(Cell(meanOf(total.total, total.count))), ofIntervals(Cell(total.max))})
            cells.push_back(std::move(cell));
        if (hasEstimates)
            cells.push_back(Cell(estimated));
        if (times.hasFrequencies()) {
            cells.push_back(nominal ? Cell(nominal->atNominal()) : Cell());
            cells.push_back(nominal ? Cell(total.total - nominal->known) : Cell());
        }
        table.row(cells);
    }
}

/// A thread, or the sum of a group's threads.
struct ThreadTotals {
    Row row; ///< Row of the thread; for a group, the main thread of the process, or else the group's busiest thread.
    std::vector<NamedTotal> totals;
    Duration onCpu{};
    std::uint32_t threads = 1;

    void operator+=(const ThreadTotals& more)
    {
        onCpu += more.onCpu;
        threads += more.threads;
        for (const NamedTotal& total : more.totals) {
            const auto known = std::ranges::find(totals, total.state, &NamedTotal::state);
            if (known == totals.end()) {
                totals.push_back(total);
                continue;
            }
            known->estimated += total.estimated;
            if (total.sum.count == 0)
                continue;
            known->sum.min = known->sum.count == 0 ? total.sum.min : std::min(known->sum.min, total.sum.min);
            known->sum.max = std::max(known->sum.max, total.sum.max);
            known->sum.count += total.sum.count;
            known->sum.total += total.sum.total;
            if (total.nominal)
                known->nominal = known->nominal.value_or(NominalTime()) += *total.nominal;
        }
    }
};

/// Sums the totals of threads by group, the busiest group first.
std::vector<ThreadTotals> sumsOf(std::vector<ThreadTotals> threads, const ThreadGroups& groups)
{
    const auto sort = [](std::vector<ThreadTotals>& all) { std::ranges::stable_sort(all, std::ranges::greater(), &ThreadTotals::onCpu); };
    sort(threads); // Sort first, so that each group's first thread is its busiest one.
    std::vector<ThreadTotals> sums;
    std::map<ThreadGroups::Key, std::size_t> indices; // Index in `sums` of each group of threads.
    for (ThreadTotals& thread : threads) {
        const auto [at, isNew] = indices.emplace(groups.keyOf(thread.row), sums.size());
        if (!isNew) {
            sums[at->second] += thread;
            continue;
        }
        if (const Row* const main = groups.mainOf(thread.row))
            thread.row = *main;
        sums.push_back(std::move(thread));
    }
    for (ThreadTotals& sum : sums)
        std::ranges::stable_sort(sum.totals, {}, [](const NamedTotal& total) { return std::pair(total.sum.count == 0, total.sum.state); });
    sort(sums);
    return sums;
}

/// Returns estimates for the rows without recorded states; nullopt if none are wanted.
std::optional<EstimatedCpuTimes> estimatesOf(const OpenedExperiment& opened, const StatsOptions& options)
{
    return options.estimates ? std::optional<EstimatedCpuTimes>(std::in_place, *opened.timeline, opened.window) : std::nullopt;
}

/// Prints the sums of threads by process or by name.
void printSums(const OpenedExperiment& opened, const StatsOptions& options, const NominalTimes& times, TableWriter& table)
{
    const Timeline& timeline = *opened.timeline;
    const RowSelection selection(options.table.selection, timeline);
    const ThreadGroups groups(timeline, *options.by);
    const auto estimates = estimatesOf(opened, options);
    std::vector<ThreadTotals> threads;
    for (const Row& row : groups.threads()) {
        const TimeRange range = row.life.clippedTo(opened.window);
        if (range.isEmpty() || !selection.selects(row))
            continue;
        ThreadTotals thread{row, selectedTotals(timeline, row, range, selection, times)};
        std::erase_if(thread.totals, [](const NamedTotal& total) { return total.sum.count == 0; });
        for (const NamedTotal& total : thread.totals)
            if (isOnCpu(meaningOf(timeline, row.ref, total.sum.state)))
                thread.onCpu += total.sum.total;
        if (auto estimated = estimates && !selection.dependsOnIntervals(row)
                ? estimatedTotals(timeline, row, range, thread.totals, *estimates)
                : std::nullopt) {
            thread.totals = std::move(*estimated);
            thread.onCpu = estimatedStateTimes(estimates->of(row.ref), range.duration()).onCpu();
        }
        if (!thread.totals.empty())
            threads.push_back(std::move(thread));
    }
    for (const ThreadTotals& sum : sumsOf(std::move(threads), groups)) {
        std::vector<Cell> cells{timeline.hosts[sum.row.host].name};
        if (options.by == ThreadGrouping::Process)
            cells.push_back(Cell::id(sum.row.pid));
        cells.insert(cells.end(), {Cell(sum.row.label), Cell::integer(sum.threads)});
        printTotals(cells, sum.totals, times, options.estimates, table);
    }
}

void printRows(const OpenedExperiment& opened, const std::vector<std::string>& views, const StatsOptions& options,
               const NominalTimes& times, TableWriter& table)
{
    const Timeline& timeline = *opened.timeline;
    const RowSelection selection(options.table.selection, timeline);
    const auto estimates = estimatesOf(opened, options);
    for (const std::string& view : views)
        for (const Row& row : selection.rowsOf(view)) {
            // Clip `window` to the row's lifetime before converting it, because times near the limits of 64 bits would overflow.
            const TimeRange range = row.life.clippedTo(opened.window);
            if (!row.ref.isValid() || range.isEmpty())
                continue;
            std::vector<NamedTotal> all = selectedTotals(timeline, row, range, selection, times);
            if (estimates && !selection.dependsOnIntervals(row))
                if (auto estimated = estimatedTotals(timeline, row, range, all, *estimates))
                    all = std::move(*estimated);
            printTotals({traceCell(timeline, row), row.id, labelOf(timeline, row, options.table.format.output), Cell::id(row.tid),
                         Cell::id(row.cpu)},
                        all, times, options.estimates, table);
        }
}

int run(const StatsOptions& options)
{
    std::optional<NominalTimes> times;
    const auto check = [&](const OpenedExperiment& opened, const std::vector<std::string>&) -> Status {
        times.emplace(*opened.timeline, options.nominalKHz);
        if (options.nominalKHz && !times->hasFrequencies())
            return makeUsageError("--nominal",
                                  "no CPU frequencies were recorded"
                                      + adviseRecording(RecordableData::CpuFrequencies, opened.timeline.get()).suffix());
        return Done{};
    };
    const auto columns = [&](const OpenedExperiment&) {
        std::vector<std::string> names = !options.by ? std::vector<std::string>{"trace", "row", "label", "tid", "cpu"}
            : options.by == ThreadGrouping::Process  ? std::vector<std::string>{"host", "pid", "label", "threads"}
                                                     : std::vector<std::string>{"host", "label", "threads"};
        std::ranges::copy(numberColumns(*times, options.estimates), std::back_inserter(names));
        return names;
    };
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        if (options.by)
            printSums(opened, options, *times, table);
        else
            printRows(opened, views, options, *times, table);
    };
    return runTable(options.table, columns, fill, check);
}

} // namespace

extern const Command statsCommand;
const Command statsCommand{60, "stats", "Print count, total, min, mean and max duration by row or process, and state",
                           callOf<StatsOptions, run>,
                           R"(heliograph stats TRACE --view control-flow --process nginx
heliograph stats TRACE --view resources --nominal 2.4GHz
heliograph stats TRACE --by process
heliograph stats perf.data --by process --estimate
)"};

} // namespace helio
