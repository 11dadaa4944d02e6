#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/selection/option_list.h"
#include "core/counters/ratios.h"
#include "core/latency/migrations/migrations.h"
#include "core/latency/migrations/switch_in_counts.h"
#include "core/latency/migrations/switch_in_rates.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <span>

namespace helio {
namespace {

struct MigrationsOptions {
    RowTableOptions table{"migrations"};
    std::optional<CounterFormula> ratio;
    Duration first = std::chrono::microseconds(100);
    bool isByThread = true;

    void addTo(OptionList& options)
    {
        addTraces(options, table.traces);
        options.value("--by", m_given.by, "G", "Print a line for each thread and distance, or each distance (default: thread)");
        options.value("--ratio", m_given.ratio, "FORMULA", "Counter ratio after each switch-in (default: instructions / cycles)");
        options.value("--first", m_given.first, "D", "Time after the switch-in that --ratio covers (default: 100us)");
        table.reading.addTo(options);
        table.selection.addTo(options, RowFilterHelp);
        table.format.addTo(options);
    }
    std::string missing() const { return table.missing(); }
    Status read()
    {
        if (const auto done = table.read(); !done)
            return done;
        const auto by = readChoice<bool>("--by", m_given.by.empty() ? "thread" : m_given.by, {{"thread", true}, {"distance", false}});
        if (!by)
            return by.error();
        isByThread = *by;
        if (const auto given = parseDuration(m_given.first); given && *given > 0)
            first = Duration(*given);
        else if (!m_given.first.empty())
            return makeUsageError("--first", "\"" + m_given.first + "\" is not a duration above 0, e.g. 100us");
        if (m_given.ratio.empty())
            return Done{};
        auto formula = CounterFormula::parse(m_given.ratio);
        if (!formula)
            return makeUsageError("--ratio", formula.error().what);
        if (counterNames(*formula).empty())
            return makeUsageError("--ratio", "the formula names no counter");
        ratio = std::move(*formula);
        return Done{};
    }

private:
    struct {
        std::string by, ratio, first;
    } m_given;
};

/// Returns the counter views of a timeline.
std::vector<std::string> counterViews(const Timeline& timeline)
{
    const auto views = findRequestedViews({}, timeline, TrackView::Shape::Curves);
    return views ? *views : std::vector<std::string>();
}

/// True if the timeline has accumulating counters of CPUs or threads.
bool hasCounters(const Timeline& timeline)
{
    const auto accumulates = [&](const ViewSeries& it) {
        const Track* const track = trackOf(timeline, it.track);
        return it.kind == CounterSeries::Kind::Accumulating && track && (track->tid >= 0 || track->cpu >= 0);
    };
    for (const std::string& view : counterViews(timeline))
        if (std::ranges::any_of(viewSeries(timeline, view), accumulates))
            return true;
    return false;
}

/// Returns the formula of the options; if there is none, instructions / cycles if both counters were recorded.
std::optional<CounterFormula> formulaFor(const MigrationsOptions& options, const Timeline& timeline)
{
    if (options.ratio)
        return options.ratio;
    const auto usual = CounterFormula::parse("instructions / cycles");
    return ratioRows(timeline, counterViews(timeline), *usual).empty() ? std::nullopt : std::optional(*usual);
}

/// Migrations and counter values that a line of the table shows as sums.
struct Sums {
    SwitchInSums moves;
    CountSumsByThread threads; ///< Sums by thread, for all threads with migrations, including threads without counter values.
};
using ByDistance = std::array<Sums, CpuDistances>;

struct MigrationTable {
    const MigrationsOptions& options;
    const Timeline& timeline;
    std::optional<CounterFormula> formula;
    TableWriter& table;

    Cell real(double value) const
    {
        std::string text = valueText(CounterNumber::Real, CounterValue::fromReal(value));
        if (options.table.format.output == OutputFormat::Text) {
            std::array<char, 32> digits{};
            text.assign(digits.data(), static_cast<std::size_t>(std::snprintf(digits.data(), digits.size(), "%.4g", value)));
        }
        return Cell::real(value, text);
    }

    /// Writes a line for each distance between CPUs (e.g. same core, other socket) over which at least one thread moved.
    void write(const ByDistance& all, const std::function<std::vector<Cell>(const Sums&)>& head) const
    {
        const RateByThread stayed =
            formula ? ratesOf(all[static_cast<std::size_t>(CpuDistance::SameCpu)].threads, *formula) : RateByThread();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const SwitchInSums& moves = all[i].moves;
            if (moves.count == 0)
                continue;
            const bool isWaiting = moves.waits > 0;
            std::vector<Cell> cells = head(all[i]);
            cells.insert(cells.begin() + (options.isByThread ? 3 : 1), Cell(wordOf(CpuDistance(i))));
            cells.insert(cells.end(),
                         {Cell::count(moves.count), moves.off, Cell::count(moves.waits), isWaiting ? Cell(moves.waited) : Cell(),
                          isWaiting ? Cell(meanOf(moves.waited, moves.waits)) : Cell(), isWaiting ? Cell(moves.longestWait) : Cell(),
                          isWaiting ? Cell(moves.longestWaitAt) : Cell()});
            if (formula)
                append(cells, rateOf(all[i].threads, *formula),
                       i == 0 ? RateDifference() : differenceOf(ratesOf(all[i].threads, *formula), stayed));
            table.row(cells);
        }
    }

    void append(std::vector<Cell>& cells, const SwitchInRate& rate, const RateDifference& difference) const
    {
        cells.push_back(Cell::count(rate.measured));
        cells.push_back(rate.value ? real(*rate.value) : Cell());
        cells.push_back(rate.value ? real(rate.error) : Cell());
        cells.push_back(difference.value ? real(*difference.value) : Cell());
        cells.push_back(difference.value ? real(difference.error) : Cell());
    }
};

std::vector<std::string> columnsOf(const MigrationsOptions& options, const std::optional<CounterFormula>& formula)
{
    std::vector<std::string> names = options.isByThread ? std::vector<std::string>{"trace", "row", "tid", "distance"}
                                                        : std::vector<std::string>{"host", "distance", "threads"};
    names.insert(names.end(), {"count", "off_ns", "waits", "wait_ns", "wait_mean_ns", "wait_max_ns", "wait_max_at_ns"});
    if (formula)
        names.insert(names.end(), {"measured", formula->text(), "error", "difference", "difference_error"});
    return names;
}

/// Prints which data is missing and how to record it.
void reportMissingData(const Timeline& timeline, const std::map<std::uint32_t, CpuTopology>& topologies, bool areCounters, bool isMeasured,
                       std::span<const ThreadSwitchIns> moves)
{
    std::uint64_t unseen = 0, unwoken = 0;
    for (const ThreadSwitchIns& it : moves) {
        unseen += it.unseen;
        unwoken += static_cast<std::uint64_t>(std::ranges::count_if(it.all, [](const SwitchIn& move) { return !move.waited; }));
    }
    bool isUnknown = topologies.empty(), areCaches = true;
    for (const auto& [host, topology] : topologies) {
        isUnknown |= topology.isEmpty();
        areCaches &= topology.isEmpty() || topology.hasCaches;
    }
    if (isUnknown)
        warn("the CPU topology was not recorded, so distances are unknown"
             + adviseRecording(RecordableData::CpuTopology, &timeline).suffix());
    else if (!areCaches)
        warn("only cores and packages of CPUs were recorded, not their shared caches: CPUs in one package may "
             "share caches");
    if (!areCounters)
        warn("the cost of a migration needs counters, which were not recorded"
             + adviseRecording(RecordableData::MigrationCosts, &timeline).suffix());
    else if (!isMeasured)
        warn("counters were recorded: use --ratio FORMULA to see their ratio right after migrations");
    if (unwoken > 0)
        warn(std::to_string(unwoken)
             + " switch-ins of sleeping threads have no recorded wake-up (sched_wakeup) and are not counted as waits");
    if (unseen > 0)
        warn(std::to_string(unseen)
             + " switch-ins are ignored: the thread's previous state is unknown, as its events were lost or not "
               "recorded");
}

/// Migrations and counter values of all selected threads.
struct Migrations {
    std::map<std::uint32_t, CpuTopology> topologies; ///< CPU topology of each host, keyed by host.
    std::vector<ThreadSwitchIns> moves;
    std::vector<SwitchInCounts> counts; ///< Counter values of each element of `moves`; empty if no formula is requested.
};

Migrations migrationsIn(const MigrationsOptions& options, const OpenedExperiment& opened, const ThreadRuns& runs,
                        const std::optional<CounterFormula>& formula)
{
    const Timeline& timeline = *opened.timeline;
    const RowSelection selection(options.table.selection, timeline);
    Migrations all;
    for (const Row& cpu : cpus(timeline))
        if (!all.topologies.contains(cpu.host))
            all.topologies[cpu.host] = topologyOf(timeline, cpu.host);
    all.moves = collectSwitchIns(timeline, runs, all.topologies, opened.window);
    std::erase_if(all.moves, [&](const ThreadSwitchIns& it) {
        const auto row = rowOf(timeline, it.thread);
        return !row || !selection.selects(*row);
    });
    if (formula)
        all.counts = countAfterSwitchIns(timeline, counterViews(timeline), *formula, all.moves, options.first);
    return all;
}

/// Adds the migrations of thread `i` to the sums.
void addTo(ByDistance& sums, const Migrations& all, std::size_t i)
{
    for (std::size_t k = 0; k < all.moves[i].all.size(); ++k) {
        const SwitchIn& move = all.moves[i].all[k];
        Sums& it = sums[static_cast<std::size_t>(move.distance)];
        it.moves.add(move);
        SwitchInCountSums& counted = it.threads[all.moves[i].thread];
        if (!all.counts.empty())
            counted.add(all.counts[i][k]);
    }
}

void writeByThread(const MigrationTable& lines, const Migrations& all)
{
    for (std::size_t i = 0; i < all.moves.size(); ++i) {
        const Row row = *rowOf(lines.timeline, all.moves[i].thread);
        ByDistance sums;
        addTo(sums, all, i);
        lines.write(sums, [&](const Sums&) {
            return std::vector<Cell>{traceCell(lines.timeline, row), nameOf(lines.timeline, row, lines.options.table.format.output),
                                     Cell::id(row.tid)};
        });
    }
}

void writeByHost(const MigrationTable& lines, const Migrations& all)
{
    std::map<std::uint32_t, ByDistance> byHost;
    for (std::size_t i = 0; i < all.moves.size(); ++i)
        addTo(byHost[rowOf(lines.timeline, all.moves[i].thread)->host], all, i);
    for (const std::uint32_t host : hostsInOrder(lines.timeline))
        if (const auto its = byHost.find(host); its != byHost.end())
            lines.write(its->second, [&](const Sums& sums) {
                return std::vector<Cell>{hostName(lines.timeline, host), Cell::count(sums.threads.size())};
            });
}

int run(const MigrationsOptions& options)
{
    if (const auto done = checkRowFilter(options.table.selection); !done)
        return failWith(done.error());
    std::optional<ThreadRuns> runs;
    std::optional<CounterFormula> formula;
    const auto check = [&](const OpenedExperiment& opened, const std::vector<std::string>&) -> Status {
        const Timeline& timeline = *opened.timeline;
        if (runs.emplace(timeline).all().empty())
            return Error{Error::Kind::Usage,
                         "no context switches were recorded" + adviseRecording(RecordableData::ContextSwitches, &timeline).suffix()};
        if (const auto views = counterViews(timeline); options.ratio)
            if (const std::string unknown = unknownNamesMessage(timeline, views, counterNames(*options.ratio)); !unknown.empty())
                return makeUsageError("--ratio", unknown);
        return Done{};
    };
    const auto columns = [&](const OpenedExperiment& opened) {
        formula = formulaFor(options, *opened.timeline);
        return columnsOf(options, formula);
    };
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>&, TableWriter& table) {
        const Migrations all = migrationsIn(options, opened, *runs, formula);
        const MigrationTable lines{options, *opened.timeline, formula, table};
        options.isByThread ? writeByThread(lines, all) : writeByHost(lines, all);
        if (!options.table.reading.isQuiet)
            reportMissingData(*opened.timeline, all.topologies, hasCounters(*opened.timeline), formula.has_value(), all.moves);
    };
    return runTable(options.table, columns, fill, check);
}

} // namespace

extern const Command migrationsCommand;
const Command migrationsCommand{68,
                                "migrations",
                                "Print migrations of threads: count, distance, latency, counter ratios",
                                callOf<MigrationsOptions, run>,
                                R"(heliograph migrations TRACE --process solver
heliograph migrations TRACE --by distance --ratio 'cache-misses / time'
)",
                                R"(A ratio is compared with the ratio after switch-ins without migration; time is in seconds.
At least half of --first must lie between two readings of the counters.
)"};

} // namespace helio
