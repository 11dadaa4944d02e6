#include "app/cli/commands/counter_lines.h"

#include "app/cli/commands/run_table.h"
#include "app/cli/selection/option_list.h"
#include "core/query/rows/facts.h"

#include <algorithm>
#include <utility>

namespace helio {

const std::vector<std::string> CounterColumnNames{"time_ns", "trace", "row", "series", "value"};

namespace {

/// Writes the values of one counter series as lines of the output table.
class SeriesTable {
public:
    SeriesTable(const Timeline& timeline, const ViewSeries& series, const SeriesOwner& place, OutputFormat format, TableWriter& table)
        : m_timeline(timeline)
        , m_series(series)
        , m_trace(traceCell(timeline, series.ref.store, series.trace))
        , m_name(!place.machine.empty()       ? place.machine
                     : series.track.isValid() ? nameOf(timeline, rowOf(timeline, series), format)
                                              : std::string())
        , m_table(table)
    {
    }

    /// Writes a line of output for each time in `window` at which the value of the series changes.
    void writeChanges(TimeRange window)
    {
        std::optional<CounterValue> held;
        if (const auto before = previousPoint(m_timeline, m_series.ref, window.begin))
            held = before->value;
        forEachPoint(m_timeline, m_series.ref, window, [&](std::span<const SeriesPoint> points) {
            for (const SeriesPoint& point : points)
                if (std::exchange(held, point.value) != point.value)
                    write(point.time, point.value);
        });
    }

    /// Writes a line of output for each step of the length `step` in which the series has a value.
    void writeSteps(TimeRange window, Duration step, Timestamp from)
    {
        Timestamp at = window.begin;
        // Count steps from the time `from`. Two series with the same `from` then have lines at the same times.
        const Duration wait = from < at ? (step - (at - from) % step) % step : Duration(0);
        if (wait >= window.end - at)
            return;
        at += wait;
        if (!pointAt(m_timeline, m_series.ref, at)) {
            const auto first = nextPoint(m_timeline, m_series.ref, at);
            if (!first || first->time >= window.end)
                return;
            at += ((first->time - at - Duration(1)) / step + 1) * std::min(step, window.end - at);
        }
        for (; at < window.end; at += std::min(step, window.end - at))
            if (const auto point = pointAt(m_timeline, m_series.ref, at))
                write(at, point->value);
    }

private:
    void write(Timestamp at, CounterValue value)
    {
        const Cell number = m_series.number == CounterNumber::Integer ? Cell::integer(value.integer())
                                                                      : Cell::real(value.real(), valueText(m_series.number, value));
        m_table.row({at, m_trace, m_name, m_series.id, number});
    }

    const Timeline& m_timeline;
    const ViewSeries& m_series;
    Cell m_trace;
    Cell m_name;
    TableWriter& m_table;
};

} // namespace

void CountersOptions::addTo(OptionList& options)
{
    table.addTo(options, RowFilterHelp, "ID of a view of counters, as listed by `heliograph views`");
    options.value("--step", m_givenStep, "D", "Print values at regular steps, for example 10ms, instead of at each change");
    options.value("--ratio", m_givenRatio, "FORMULA", "Ratio of counters, for example: instructions / cycles");
    options.flag("--by-state", isByState, "With --ratio of CPU counters: a line for each thread and state");
    table.format.addTo(options);
}

Status CountersOptions::read()
{
    if (const auto done = table.read(); !done)
        return done;
    if (const auto read = parseDuration(m_givenStep); read && *read > 0)
        step = Duration(*read);
    else if (!m_givenStep.empty())
        return makeUsageError("--step", "\"" + m_givenStep + "\" is not a duration above 0, e.g. 10ms");
    if (isByState && (m_givenRatio.empty() || step))
        return makeUsageError("--by-state", step ? "cannot be combined with --step: it sums up the whole range" : "needs --ratio FORMULA");
    if (m_givenRatio.empty())
        return Done{};
    auto formula = CounterFormula::parse(m_givenRatio);
    if (!formula)
        return makeUsageError("--ratio", formula.error().what);
    ratio = std::move(*formula);
    return Done{};
}

void writeCounters(const CountersOptions& options, const Timeline& timeline, std::span<const std::string> views, TimeRange asked,
                   TableWriter& table)
{
    const RowSelection selection(options.table.selection, timeline);
    // Clip `window` to the recorded time, to avoid many steps without values.
    const TimeRange window = TimeRange{timeline.range.begin, timeline.range.end + Duration(1)}.clippedTo(asked);
    for (const std::string& view : views) {
        const std::vector<ViewSeries> all = viewSeries(timeline, view);
        const std::vector<SeriesOwner> places = findSeriesOwners(timeline, all);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const ViewSeries& series = all[i];
            if (window.isEmpty() || !selection.selects(series, places[i]))
                continue;
            SeriesTable lines(timeline, series, places[i], options.table.format.output, table);
            // The values of a series are unknown after the end of its trace.
            const TimeRange known{window.begin, std::min(window.end, coveredRange(timeline, series.trace).end + Duration(1))};
            if (options.step && !known.isEmpty())
                lines.writeSteps(known, *options.step, options.table.selection.begin ? asked.begin : window.begin);
            else if (!options.step)
                lines.writeChanges(window);
        }
    }
}

} // namespace helio
