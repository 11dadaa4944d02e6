#include "app/cli/tsp/charts.h"

#include "app/cli/output/table_writer.h"
#include "app/cli/tsp/outputs.h"
#include "core/counters/counters.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/views.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

namespace helio {
namespace {

constexpr std::size_t DefaultCurves = 8; ///< Number of curves that clients show before the user chooses others.

/// Parts of the use of CPUs, by their position in the tree.
constexpr std::array<std::string_view, 4> UsageNames{"user", "kernel", "interrupts", "unknown"};

/// Type of the curves of a chart.
enum class CurveSource { Counter, EventCount, CpuUsage };

/// One curve, or the heading of several curves.
struct Curve {
    OutputEntry entry;
    std::string name;
    std::string unit;
    CurveSource source = CurveSource::Counter;
    std::int32_t parent = -1; ///< Index of the heading; -1 if there is none.
    bool isHeading = false;
    ViewSeries series{}; ///< Series of a counter.
    std::uint32_t host = 0; ///< Host of a curve that is no counter.
    std::size_t part = 0; ///< Index into UsageNames.
};

std::vector<Curve> curvesOfCounters(const OutputRequest& request)
{
    const Timeline& timeline = *request.timeline;
    const std::vector<ViewSeries> all = viewSeries(timeline, request.view);
    const std::vector<std::string> names = namesOf(timeline, all, findSeriesOwners(timeline, all));
    std::vector<Curve> curves;
    for (std::size_t i = 0; i < all.size(); ++i) {
        Curve& curve = curves.emplace_back();
        curve.entry = {request.output, {}, all[i].ref, {}};
        curve.name = names[i];
        curve.unit = all[i].unit + (all[i].kind == CounterSeries::Kind::Accumulating ? "/s" : "");
        curve.series = all[i];
    }
    return curves;
}

std::vector<Curve> curvesOfHosts(const OutputRequest& request)
{
    const bool isUsage = request.output == CpuUsageOutput;
    const std::vector<HostFacts> hosts = hostFacts(*request.timeline);
    std::vector<Curve> curves;
    for (const std::uint32_t host : hostsInOrder(*request.timeline)) {
        if (host >= hosts.size() || (isUsage && hosts[host].cpus == 0))
            continue;
        Curve own{
            {request.output, {}, {}, std::to_string(host)}, hosts[host].label, "events", CurveSource::EventCount, -1, isUsage, {}, host, 0};
        curves.push_back(own);
        const auto heading = static_cast<std::int32_t>(curves.size()) - 1;
        for (std::size_t part = 0; isUsage && part < UsageNames.size(); ++part)
            curves.push_back({{request.output, {}, {}, std::to_string(host) + '.' + std::string(UsageNames[part])},
                              hosts[host].label + ": " + std::string(UsageNames[part]),
                              "%",
                              CurveSource::CpuUsage,
                              heading,
                              false,
                              {},
                              host,
                              part});
    }
    return curves;
}

std::vector<Curve> curvesOf(const OutputRequest& request)
{
    return request.view.empty() ? curvesOfHosts(request) : curvesOfCounters(request);
}

/// The requested times, and those of them at which anything can be known.
struct ChartTimes {
    std::vector<Timestamp> points;
    std::size_t begin = 0; ///< Index of the first time that is not before the recorded time by more than a step.
    std::size_t end = 0; ///< Index after the last time that is not after the recorded time.
    Duration step{};
    TimeRange recorded{};

    explicit ChartTimes(const OutputRequest& request)
        : points(pointsOf(*request.parameters.times, DefaultTimes))
        , step(requestedResolution(request))
        , recorded{request.timeline->range.begin, request.timeline->range.end + Duration(1)}
    {
        const Timestamp first(sumOf(recorded.begin.time_since_epoch(), -step));
        begin = static_cast<std::size_t>(std::ranges::lower_bound(points, first) - points.begin());
        end = static_cast<std::size_t>(std::ranges::lower_bound(points, recorded.end) - points.begin());
    }

    bool isEmpty() const { return begin >= end; }
    TimeRange known() const { return TimeRange{points[begin], points[end - 1] + Duration(1)}.clippedTo(recorded); }
    /// Number of steps from the first known time to the last one, both included.
    std::size_t steps() const { return static_cast<std::size_t>((points[end - 1] - points[begin]) / step) + 1; }
    std::size_t stepOf(std::size_t point) const { return static_cast<std::size_t>((points[point] - points[begin]) / step); }
    TimeRange grid() const { return {points[begin], points[begin] + step * static_cast<std::int64_t>(steps())}; }
};

/// Returns the values of a counter at the times.
std::vector<double> valuesOf(const OutputRequest& request, const ViewSeries& series, const ChartTimes& times)
{
    std::vector<double> values(times.points.size());
    if (times.isEmpty())
        return values;
    const Timeline& timeline = *request.timeline;
    const SeriesColumns found = seriesColumns(timeline, series.ref, times.known(), times.step, request.stop);
    const Timestamp end = coveredRange(timeline, series.trace).end;
    const bool isGrowing = series.kind == CounterSeries::Kind::Accumulating;
    const auto number = [&](CounterValue value) { return value.number(series.number); };
    std::optional<double> held = found.before ? std::optional(number(found.before->value)) : std::nullopt;
    std::size_t next = 0;
    for (std::size_t i = times.begin; i < times.end && times.points[i] <= end; ++i) {
        const Timestamp at = times.points[i];
        for (; next < found.columns.size() && found.columns[next].range.end <= at; ++next)
            held = number(found.columns[next].last.value);
        const bool isIn = next < found.columns.size() && found.columns[next].range.contains(at);
        if (!isGrowing)
            values[i] = isIn ? found.columns[next].mean : held.value_or(0);
        else if (isIn)
            values[i] = (number(found.columns[next].last.value) - held.value_or(number(found.columns[next].first.value))) * 1e9
                / double(times.step.count());
    }
    return values;
}

/// Returns the values of a curve that is no counter. `usage` caches the use of the host's CPUs.
std::vector<double> valuesOf(const OutputRequest& request, const Curve& curve, const ChartTimes& times,
                             std::map<std::uint32_t, std::vector<CpuUtilization>>& usage)
{
    std::vector<double> values(times.points.size());
    if (times.isEmpty())
        return values;
    if (curve.source == CurveSource::EventCount) {
        const std::vector<double> counts = eventDensity(*request.timeline, curve.host, times.grid(), times.steps());
        for (std::size_t i = times.begin; i < times.end; ++i)
            values[i] = counts[times.stepOf(i)];
        return values;
    }
    if (!usage.contains(curve.host))
        usage[curve.host] = cpuUtilization(*request.timeline, curve.host, times.grid(), times.steps(), request.stop);
    const std::vector<CpuUtilization>& uses = usage[curve.host];
    for (std::size_t i = times.begin; i < times.end; ++i) {
        const CpuUtilization& use = uses[times.stepOf(i)];
        const std::array<float, UsageNames.size()> parts{use.user, use.kernel, use.interrupt, use.unknown};
        values[i] = double(parts[curve.part]) * 100;
    }
    return values;
}

void writeAxis(JsonWriter& json, std::string_view name, std::string_view label, std::string_view unit, std::string_view type)
{
    json.key(name).beginObject();
    json.member("label", label);
    json.member("unit", unit);
    json.member("dataType", type);
    json.endObject();
}

/// Writes a value of a curve with at most 15 characters, if necessary with 9 significant digits. Client libraries read longer numbers as
/// integers of any size, which are no values of curves for them.
void writeValue(JsonWriter& json, double value)
{
    constexpr std::size_t MostCharacters = 15;
    std::array<char, 40> text{};
    auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    for (int digits = 9; static_cast<std::size_t>(end - text.data()) > MostCharacters; --digits)
        end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits).ptr;
    json.written(std::string_view(text.data(), static_cast<std::size_t>(end - text.data())));
}

void writeCurve(JsonWriter& json, std::int64_t id, const Curve& curve, const ChartTimes& times, const std::vector<double>& values)
{
    json.beginObject();
    json.member("seriesId", id);
    json.member("seriesName", curve.name);
    json.key("xValues").beginArray();
    for (const Timestamp time : times.points)
        json.value(nanoseconds(time));
    json.endArray();
    json.key("yValues").beginArray();
    for (const double value : values)
        writeValue(json, value);
    json.endArray();
    json.key("style").beginObject();
    json.key("parentKey").null();
    json.key("values").beginObject();
    json.member("series-type", curve.source == CurveSource::EventCount ? "bar" : "line");
    json.endObject();
    json.endObject();
    writeAxis(json, "xValuesDescription", "Time", "ns", "TIMESTAMP");
    writeAxis(json, "yValuesDescription", curve.name, curve.unit, "NUMBER");
    json.endObject();
}

} // namespace

Status writeCurveTree(ModelText& model, const OutputRequest& request)
{
    JsonWriter& json = model.json();
    json.beginObject();
    json.member("autoExpandLevel", -1);
    json.key("headers").beginArray();
    for (const char* name : {"Name", "Unit"}) {
        json.beginObject();
        json.member("name", name);
        json.member("tooltip", "");
        json.endObject();
    }
    json.endArray();
    json.key("entries").beginArray();
    std::vector<std::int64_t> ids;
    std::size_t shown = 0;
    for (const Curve& curve : curvesOf(request)) {
        ids.push_back(request.experiment.ids().idOf(curve.entry));
        json.beginObject();
        json.member("id", ids.back());
        json.member("parentId", curve.parent >= 0 ? ids[static_cast<std::size_t>(curve.parent)] : std::int64_t(-1));
        json.key("labels").beginArray();
        json.value(curve.name);
        json.value(curve.isHeading ? std::string() : curve.unit);
        json.endArray();
        json.member("hasData", !curve.isHeading);
        json.member("isDefault", !curve.isHeading && shown++ < DefaultCurves);
        json.endObject();
        if (model.isFull())
            return ModelText::tooLong();
    }
    json.endArray();
    json.endObject();
    return Done{};
}

Status writeCurves(ModelText& model, const OutputRequest& request)
{
    for (const auto& [isThere, name] : {std::pair(request.parameters.times.has_value(), "requested_timerange"),
                                        std::pair(request.parameters.items.has_value(), "requested_items")})
        if (!isThere)
            return Error{Error::Kind::Usage, '"' + std::string(name) + "\" is missing"};
    std::set<std::int64_t> asked(request.parameters.items->begin(), request.parameters.items->end());
    std::map<std::uint32_t, std::vector<CpuUtilization>> usage;
    const ChartTimes times(request);
    JsonWriter& json = model.json();
    json.beginObject();
    json.member("title", viewDescription(*request.timeline, request.view).title);
    json.key("series").beginArray();
    for (const Curve& curve : curvesOf(request)) {
        const std::int64_t id = request.experiment.ids().idOf(curve.entry);
        if (curve.isHeading || !asked.contains(id))
            continue;
        if (request.stop.stop_requested())
            break;
        writeCurve(json, id, curve, times,
                   curve.source == CurveSource::Counter ? valuesOf(request, curve.series, times) : valuesOf(request, curve, times, usage));
        if (model.isFull())
            return ModelText::tooLong();
    }
    json.endArray();
    json.endObject();
    return Done{};
}

Status writeCurveTooltip(ModelText& model, const OutputRequest& request, Timestamp at, std::optional<std::int64_t> series)
{
    const Timeline& timeline = *request.timeline;
    const bool isRecorded = TimeRange{timeline.range.begin, timeline.range.end + Duration(1)}.contains(at);
    JsonWriter& json = model.json();
    json.beginObject();
    json.member("Time", textOf(Cell(at), TimeStyle(hasEpoch(timeline))));
    for (const Curve& curve : curvesOf(request)) {
        if (!isRecorded || curve.source != CurveSource::Counter || (series && request.experiment.ids().idOf(curve.entry) != *series))
            continue;
        if (const auto point = pointAt(timeline, curve.series.ref, at))
            json.member(curve.name,
                        valueText(curve.series.number, point->value) + (curve.series.unit.empty() ? "" : ' ' + curve.series.unit));
    }
    json.endObject();
    return Done{};
}

} // namespace helio
