#include "app/cli/command.h"
#include "app/cli/commands/latency_intervals.h"
#include "app/cli/commands/latency_options.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/output/field_output.h"
#include "app/cli/output/output.h"
#include "core/event_model/segment_fields.h"
#include "core/latency/intervals/duration_stats.h"
#include "core/latency/intervals/empty_reason.h"
#include "core/latency/periods/periodicity.h"
#include "core/query/events/logged_arguments.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>

namespace helio {
namespace {

using Shows = LatencyOptions::Shows;

/// Facts about the intervals that the summary needs in addition to the sums of their durations.
struct SummaryFacts {
    std::map<std::string, std::uint32_t, std::less<>> hosts; ///< Host of the first interval with each name, keyed by name.
    /// Largest error bound of a network packet's transit; Duration::max() if any bound is unknown; nullopt without packets.
    std::optional<Duration> error;
    bool areHostsMixed = false; ///< True if several hosts have intervals with the same name.

    void take(const LatencyInterval& interval)
    {
        if (interval.error)
            error = std::max(error.value_or(Duration{}), *interval.error);
        if (interval.error || interval.isOfAllTraces)
            return;
        const auto at = hosts.find(interval.name);
        if (at == hosts.end())
            hosts.emplace(interval.name, interval.row.host);
        else
            areHostsMixed = areHostsMixed || at->second != interval.row.host;
    }
};

/// Prints notes about the sums: names merged across hosts, clock errors, and parts of split or merged network packets that the sums omit.
void explain(const LatencyIntervals& intervals, TimeRange window, const SummaryFacts& known)
{
    if (known.areHostsMixed)
        warn("names are merged across hosts; use --by hosts to separate them");
    if (known.error)
        warn(*known.error == Duration::max()
                 ? "the accuracy of some cross-host times is unknown (each: --list)"
                 : "cross-host times are accurate to ±" + std::to_string(known.error->count()) + " ns (each: --list)");
    if (const auto parts = intervals.parts(window))
        warn(std::to_string(parts->second) + " parts of packets that were split or merged on the way are of the kind " + parts->first
             + " and not in these sums; heliograph connections counts them, too");
}

/// Writes the sums of the durations of all intervals, by name.
void fillSummary(const LatencyOptions& options, const LatencyIntervals& intervals, TimeRange window, TableWriter& table)
{
    DurationAggregator sums;
    SummaryFacts known;
    intervals.each(window, [&](const LatencyInterval& interval) {
        sums.add(interval.name, {interval.range.begin, interval.range.end - interval.stolen}, interval.call, interval.isUnfinished);
        known.take(interval);
    });
    if (!options.table.reading.isQuiet)
        explain(intervals, window, known);
    for (const DurationStats& sum : sums.take()) {
        const DurationDistribution& it = sum.lengths;
        const auto orNone = [](std::optional<Duration> length) { return length ? Cell(*length) : Cell(); };
        const auto ofLengths = [&it](const auto& value) { return it.count > 0 ? Cell(value) : Cell(); };
        const Cell unfinished = intervals.areCalls() ? Cell::integer(static_cast<std::int64_t>(sum.unfinished)) : Cell();
        table.row({sum.name, sum.module, Cell::integer(static_cast<std::int64_t>(sum.count())), sum.total(), orNone(sum.self),
                   orNone(sum.onCpu), ofLengths(it.least), ofLengths(meanOf(it.total, it.count)), ofLengths(it.median), ofLengths(it.p90),
                   ofLengths(it.p99), ofLengths(it.most), ofLengths(sum.leastAt), ofLengths(sum.mostAt), unfinished});
    }
}

/// Returns the fields of an interval as text, for example "Result=5".
std::string fieldsOf(const LatencyIntervals& intervals, const LatencyInterval& interval)
{
    std::string fields(interval.fields);
    if (interval.value) {
        appendFieldText(fields, intervals.valueTitle());
        fields += '=' + std::to_string(*interval.value);
    }
    return fields;
}

void fillList(const LatencyOptions& options, const std::shared_ptr<const Timeline>& timeline, const LatencyIntervals& intervals,
              TimeRange window, TableWriter& table)
{
    LoggedArguments arguments(timeline);
    intervals.each(window, [&](const LatencyInterval& interval) {
        const Row& row = interval.row;
        std::string fields = fieldsOf(intervals, interval);
        if (fields.empty() && options.kind == "syscall")
            if (const std::string_view text = arguments.of(row.trace, row.tid, interval.range.begin); !text.empty())
                appendFieldText(fields = "args=", text);
        table.row({interval.range.begin, interval.range.end, interval.length(), options.kind, interval.name,
                   interval.isOfAllTraces ? Cell() : Cell::integer(row.trace), nameOf(*timeline, row, options.table.format.output),
                   Cell::id(row.tid), Cell::id(row.cpu), fields});
    });
}

void fillHistogram(const LatencyOptions& options, const LatencyIntervals& intervals, TimeRange window, TableWriter& table)
{
    std::vector<std::int64_t> lengths;
    intervals.each(window, [&](const LatencyInterval& interval) {
        if (!interval.isUnfinished)
            lengths.push_back(interval.length().count());
    });
    for (const HistogramBucket& it : bucketsOf(lengths, options.buckets, options.isLogarithmic))
        table.row({it.from, it.to, Cell::integer(static_cast<std::int64_t>(it.count))});
}

/// Returns the name of a periodicity's kind for CSV and JSON, for example "begins".
std::string wordOf(const Periodicity& it)
{
    switch (it.of) {
    case PeriodicProperty::Lengths: return "lengths";
    case PeriodicProperty::Begins: return "begins";
    case PeriodicProperty::Ends: return "ends";
    case PeriodicProperty::GapBegins: return "gap-begins";
    case PeriodicProperty::GapEnds: return "gap-ends";
    }
    return {};
}

std::string digits(double value, const char* format)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

/// Finds the periods of the intervals and writes them; in text output, one sentence per period.
void fillPeriods(const LatencyOptions& options, const Timeline& timeline, const LatencyIntervals& intervals, TimeRange window,
                 TableWriter& table)
{
    PeriodicityDetector periods;
    const std::uint64_t count = intervals.each(window, [&](const LatencyInterval& interval) {
        periods.add({interval.range.begin, interval.range.end - interval.stolen});
    });
    const TimeStyle style(hasEpoch(timeline));
    const auto timeText = [&](Timestamp at) {
        std::string text;
        style.append(text, nanoseconds(at));
        return text;
    };
    const auto found = periods.find();
    for (const Periodicity& it : found) {
        const FoundPeriod& own = it.found;
        if (options.table.format.output == OutputFormat::Text)
            table.row({describePeriod(it, timeText)});
        else
            table.row({it.period(), Cell::integer(it.phase()), Cell::real(own.strength, digits(own.strength, "%.4f")),
                       Cell::real(own.share, digits(own.share, "%.4f")), Cell::count(own.count),
                       Cell::real(own.chance(), digits(own.chance(), "%.3g")), wordOf(it), it.from, Cell::count(it.all)});
    }
    if (!found.empty() || options.table.reading.isQuiet)
        return;
    const std::string tooFew = whyTooFewToRepeat(count);
    warn(tooFew.empty() ? "no period found that is unlikely to be chance (below 1 in 10,000)" : tooFew);
}

std::vector<std::string> columnsOf(const LatencyOptions& options)
{
    switch (options.shows) {
    case Shows::Periods:
        if (options.table.format.output == OutputFormat::Text)
            return {"period"};
        return {"period_ns", "phase_ns", "strength", "share", "count", "chance", "of", "from_ns", "all"};
    case Shows::List: return {"begin_ns", "end_ns", "duration_ns", "kind", "name", "trace", "row", "tid", "cpu", "fields"};
    case Shows::Histogram: return {"from_ns", "to_ns", "count"};
    case Shows::Summary: break;
    }
    return {"name",   "module", "count",  "total_ns", "self_ns",   "cpu_ns",    "min_ns",    "mean_ns",
            "p50_ns", "p90_ns", "p99_ns", "max_ns",   "min_at_ns", "max_at_ns", "unfinished"};
}

} // namespace

int runLatency(const LatencyOptions& options)
{
    const auto check = [&](const OpenedExperiment& opened, const std::vector<std::string>& views) {
        const auto requestable = [&] {
            return findRequestableAnalyses(options.table.traces, options.table.reading, *opened.timeline, options.kind);
        };
        return LatencyIntervals(options, opened.timeline, views).check(requestable);
    };
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const LatencyIntervals intervals(options, opened.timeline, views);
        switch (options.shows) {
        case Shows::Summary: return fillSummary(options, intervals, opened.window, table);
        case Shows::List: return fillList(options, opened.timeline, intervals, opened.window, table);
        case Shows::Histogram: return fillHistogram(options, intervals, opened.window, table);
        case Shows::Periods: return fillPeriods(options, *opened.timeline, intervals, opened.window, table);
        }
    };
    return runTable(options.table, columnsOf(options), fill, check);
}

extern const Command latencyCommand;
const Command latencyCommand{65,
                             "latency",
                             "Print durations and latencies: sums by name, list, histogram or periodicities",
                             callOf<LatencyOptions, runLatency>,
                             R"(heliograph latency TRACE --of wakeup
heliograph latency TRACE --of syscall --histogram --log
heliograph latency TRACE --of 'sched_waking(tid) -> sched_switch(next_tid)' --list
)",
                             R"(Kinds (an unknown KIND lists those that the traces have):
  syscall, call, irq, ...   segments of one kind: system calls, function calls, interrupts
  state:NAME                intervals of a state, for example state:preempted
  wakeup                    scheduling latency: from the end of a wait to the switch-in
  wakeup-priority           the same, summed by priority
  throttled                 times when threads of a process were runnable, none ran, and CPUs were idle
  packet, packet-part       packets from sender to receiver; parts are cut or joined on the way
  'A(field) -> B(field)'    from each event A to the next event B with the same value
Sums count intervals that lie wholly within --begin and --end. --filter knows names of entries
and of their rows, and with --list the entries' fields, for example: disk == "sda".
)"};

} // namespace helio
