#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/selection/option_list.h"
#include "core/latency/running/nominal_times.h"
#include "core/query/rows/state_text.h"
#include "core/query/rows/statistics.h"
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
    std::string givenNominal;

    void addTo(OptionList& options)
    {
        table.addTo(options, IntervalFilterHelp);
        options.value("--nominal", givenNominal, "FREQUENCY",
                      "Scale running times to this frequency (default: each CPU's highest recorded)");
        table.format.addTo(options);
    }
    std::string missing() const { return table.missingTraceOrView(); }
    Status read()
    {
        if (const auto done = table.read(); !done)
            return done;
        nominalKHz = readFrequency(givenNominal);
        return givenNominal.empty() || nominalKHz
            ? Status(Done{})
            : Status(makeUsageError("--nominal", "\"" + givenNominal + "\" is not a frequency, e.g. 2400MHz or 2.4GHz"));
    }
};

/// Sums over the intervals of a row in states with one name.
struct NamedTotal {
    std::string state;
    StateTotal sum;
    /// Time at the nominal frequency; nullopt if the state is not on a CPU or if the CPU's frequency was not recorded.
    std::optional<NominalTime> nominal{};
};

/// True if the names of the row's intervals are their values, not their states.
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

int run(const StatsOptions& options)
{
    std::optional<NominalTimes> times;
    const auto check = [&](const OpenedExperiment& opened, const std::vector<std::string>&) -> Status {
        times.emplace(*opened.timeline, options.nominalKHz);
        if (options.nominalKHz && !times->hasFrequencies())
            return makeUsageError("--nominal",
                                  "no CPU frequencies were recorded; record them with: lttng enable-event -k power_cpu_frequency, or "
                                  "perf record -a -e power:cpu_frequency");
        return Done{};
    };
    const auto columns = [&](const OpenedExperiment&) {
        std::vector<std::string> names{"trace", "row", "label", "tid", "cpu", "state", "count", "total_ns", "min_ns", "mean_ns", "max_ns"};
        if (times->hasFrequencies())
            names.insert(names.end(), {"nominal_ns", "unknown_frequency_ns"});
        return names;
    };
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options.table.selection, timeline);
        for (const std::string& view : views)
            for (const Row& row : selection.rowsOf(view)) {
                // Clip `window` to the row's lifetime before converting it, because times near the limits of 64 bits would overflow.
                const TimeRange range = row.life.clippedTo(opened.window);
                if (!row.ref.isValid() || range.isEmpty())
                    continue;
                for (const auto& [state, total, nominal] : selectedTotals(timeline, row, range, selection, *times)) {
                    if (total.count == 0)
                        continue;
                    std::vector<Cell> cells{traceCell(timeline, row),
                                            row.id,
                                            labelOf(timeline, row, options.table.format.output),
                                            Cell::id(row.tid),
                                            Cell::id(row.cpu),
                                            state,
                                            Cell::integer(static_cast<std::int64_t>(total.count)),
                                            total.total,
                                            total.min,
                                            meanOf(total.total, total.count),
                                            total.max};
                    if (times->hasFrequencies()) {
                        cells.push_back(nominal ? Cell(nominal->atNominal()) : Cell());
                        cells.push_back(nominal ? Cell(total.total - nominal->known) : Cell());
                    }
                    table.row(cells);
                }
            }
    };
    return runTable(options.table, columns, fill, check);
}

} // namespace

extern const Command statsCommand;
const Command statsCommand{60, "stats", "Print count, total, min, mean and max duration by row and state", callOf<StatsOptions, run>,
                           R"(heliograph stats TRACE --view control-flow --process nginx
heliograph stats TRACE --view resources --nominal 2.4GHz
)"};

} // namespace helio
