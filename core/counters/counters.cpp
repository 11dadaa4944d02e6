#include "core/counters/counters.h"

#include "core/base/natural_order.h"
#include "core/event_model/vcpu_modes.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"
#include "core/virtualization/virtual_machine_names.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>

namespace helio {
namespace {

/// Converts a point to the experiment's clock. `clock` is the clock of the store with the series.
SeriesPoint composed(const ClockTransform& clock, const CounterPoint& point) { return {clock(point.time), point.value}; }

std::optional<SeriesPoint> composed(const Timeline& timeline, CounterRef series, const std::optional<CounterPoint>& point)
{
    return point ? std::optional(composed(clockOf(timeline, series.store), *point)) : std::nullopt;
}

bool isThere(const Timeline& timeline, CounterRef series)
{
    return static_cast<std::size_t>(series.series) < countersIn(timeline, series.store).series().size();
}

/// Returns the growth series of the series `ref`; nullopt if it has none. An analysis adds a growth series right after its series, with the
/// id of that series plus GrowthSuffix.
std::optional<CounterRef> growthOf(CounterRef ref, std::span<const CounterSeries> all)
{
    const auto next = static_cast<std::size_t>(ref.series) + 1;
    if (next >= all.size() || !all[next].view.empty() || all[next].number != CounterNumber::Real)
        return {};
    const std::string_view id = all[next].id;
    const bool isIts = id.ends_with(GrowthSuffix) && id.substr(0, id.size() - GrowthSuffix.size()) == all[next - 1].id;
    return isIts ? std::optional(CounterRef{ref.store, CounterSeriesId(static_cast<std::uint32_t>(next))}) : std::nullopt;
}

ViewSeries asShown(const Timeline& timeline, CounterRef ref, std::span<const CounterSeries> all)
{
    const CounterSeries& series = all[static_cast<std::size_t>(ref.series)];
    const TrackRef track = series.track == NoTrack ? TrackRef() : TrackRef{ref.store, series.track};
    return {ref, series.id, series.title, series.unit, series.kind, series.number, track, traceOf(timeline, ref.store), growthOf(ref, all)};
}

/// Returns the traced program, for example "mpi_app (1234)", if the trace recorded only one program; else the trace's name.
std::string programOf(const TraceInfo& info)
{
    const std::string name = info.text("procname");
    const std::int64_t pid = info.number("vpid", -1);
    return name.empty() ? info.name : pid < 0 ? name : name + " (" + std::to_string(pid) + ")";
}

/// Returns PATH if the series' id has the form VIEW/PATH; else the id.
std::string placeOrId(const ViewSeries& series)
{
    const std::size_t slash = series.id.find('/');
    return slash == std::string::npos ? series.id : series.id.substr(slash + 1);
}

/// Makes names distinct: appends the text `more(i)` to names[i] if this name occurs more than once and the text is not empty.
template <typename More> void distinguish(std::vector<std::string>& names, const More& more)
{
    std::map<std::string, int> counts;
    for (const std::string& name : names)
        ++counts[name];
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const std::string suffix = counts[names[i]] > 1 ? more(i) : std::string(); !suffix.empty())
            names[i] += ", " + suffix;
}

/// Appends the text `more(i)` to names[i] if this name occurs more than once. If all texts of a repeated name are equal, the name stays
/// unchanged, because the texts would not distinguish its occurrences.
template <typename More> void distinguishIfDifferent(std::vector<std::string>& names, const More& more)
{
    std::map<std::string, std::set<std::string>> suffixes;
    for (std::size_t i = 0; i < names.size(); ++i)
        suffixes[names[i]].insert(more(i));
    distinguish(names, [&, before = names](std::size_t i) { return suffixes[before[i]].size() > 1 ? more(i) : std::string(); });
}

} // namespace

namespace {

/// Returns the sort key of the row among its siblings; the lowest value if the series has no row.
std::int32_t siblingPlace(const Timeline& timeline, TrackRef track)
{
    const Track* row = trackOf(timeline, track);
    return row ? row->sortKey : std::numeric_limits<std::int32_t>::min();
}

/// Returns the position of the series in the view's tree: PATH if its id has the form VIEW/PATH; empty if the view has no tree.
std::string_view placeInTree(const ViewSeries& series, std::string_view view)
{
    const std::string_view id = series.id;
    return id.size() > view.size() && id.starts_with(view) && id[view.size()] == '/' ? id.substr(view.size() + 1) : std::string_view();
}

bool isBefore(const ViewSeries& a, const ViewSeries& b, std::string_view view)
{
    const std::string_view placeOfA = placeInTree(a, view);
    const std::string_view placeOfB = placeInTree(b, view);
    if (placeOfA.empty() || placeOfB.empty())
        return placeOfA.empty() && !placeOfB.empty();
    return a.title != b.title ? NaturalOrder()(a.title, b.title) : NaturalOrder()(placeOfA, placeOfB);
}

} // namespace

std::vector<ViewSeries> viewSeries(const Timeline& timeline, std::string_view view)
{
    std::vector<ViewSeries> found;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const auto all = store.counters().series();
        const auto first = static_cast<std::ptrdiff_t>(found.size());
        for (std::uint32_t i = 0; i < all.size(); ++i)
            if (all[i].view == view && !view.empty())
                found.push_back(asShown(timeline, {index, CounterSeriesId{i}}, all));
        std::stable_sort(found.begin() + first, found.end(), [&](const ViewSeries& a, const ViewSeries& b) {
            const std::int32_t rowOfA = siblingPlace(timeline, a.track);
            const std::int32_t rowOfB = siblingPlace(timeline, b.track);
            return rowOfA != rowOfB ? rowOfA < rowOfB : isBefore(a, b, view);
        });
    });
    return found;
}

namespace {

/// Returns the names of virtual machines; nullopt if no series belongs to a virtual machine. The slow search for virtual machines is then
/// avoided.
std::optional<VirtualMachineNames> machinesIn(const Timeline& timeline, std::span<const ViewSeries> series)
{
    const auto isOfMachine = [&](const ViewSeries& it) {
        const Track* track = trackOf(timeline, it.track);
        return track && track->kind == VcpuProcessKind;
    };
    return std::ranges::any_of(series, isOfMachine) ? std::optional<VirtualMachineNames>(timeline) : std::nullopt;
}

} // namespace

std::vector<SeriesOwner> findSeriesOwners(const Timeline& timeline, std::span<const ViewSeries> series)
{
    const auto machines = machinesIn(timeline, series);
    std::vector<SeriesOwner> places;
    for (const ViewSeries& it : series) {
        const TrackRef row = machines ? machines->shownFor(it.track) : it.track;
        SeriesOwner& place = places.emplace_back();
        place.row = viewOf(timeline, row).empty() ? TrackRef() : row;
        if (machines) {
            place.machine = machines->machineIdOf(it.track);
            place.machineName = machines->machineOf(it.track);
            place.guest = machines->guestOf(it.track);
        }
    }
    return places;
}

std::vector<std::string> namesOf(const Timeline& timeline, std::span<const ViewSeries> series, std::span<const SeriesOwner> places)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < series.size(); ++i) {
        names.push_back(series[i].title.empty() ? series[i].id : series[i].title);
        if (!places[i].machineName.empty())
            names.back() += " of " + places[i].machineName;
    }
    distinguish(names, [&](std::size_t i) {
        const Track* track = trackOf(timeline, series[i].track);
        // Do not append the row's label to an equal name, which would give "CPU 0, CPU 0".
        return track && track->label != names[i] ? track->label : std::string();
    });
    distinguishIfDifferent(names, [&](std::size_t i) { return hostName(timeline, timeline.traces[series[i].trace].host); });
    distinguishIfDifferent(names, [&](std::size_t i) { return programOf(timeline.traces[series[i].trace].trace->info()); });
    distinguish(names, [&](std::size_t i) { return placeOrId(series[i]); });
    return names;
}

Row rowOf(const Timeline& timeline, const ViewSeries& series)
{
    if (const auto row = series.track.isValid() ? rowOf(timeline, series.track) : std::nullopt)
        return *row;
    const Track* track = trackOf(timeline, series.track);
    Row row;
    row.id = track ? track->key : series.id;
    row.label = track ? track->label : series.title;
    row.trace = series.trace;
    row.host = timeline.traces[series.trace].host;
    if (track) {
        row.pid = track->pid;
        row.tid = track->tid;
        row.cpu = track->cpu;
    }
    return row;
}

SeriesColumns seriesColumns(const Timeline& timeline, CounterRef series, TimeRange window, Duration resolution, std::stop_token stop)
{
    if (!isThere(timeline, series) || window.isEmpty())
        return {};
    const ClockTransform& clock = clockOf(timeline, series.store);
    const HostRange own = clock.inverse(window);
    const CounterSet& counters = countersIn(timeline, series.store);
    const CounterColumns found = counters.spans(series.series, own, resolution, stop);
    SeriesColumns result;
    result.before = composed(timeline, series, found.before);
    result.columns.reserve(found.columns.size());
    for (const CounterColumn& column : found.columns)
        result.columns.push_back({clock({column.begin, column.begin + resolution}), column.count, composed(clock, column.first),
                                  composed(clock, column.last), column.least, column.most, column.mean});
    result.after = composed(timeline, series, counters.next(series.series, lastNotAfter(clock, window.end - Duration(1))));
    return result;
}

void forEachPoint(const Timeline& timeline, CounterRef series, TimeRange range,
                  const std::function<void(std::span<const SeriesPoint>)>& take, std::stop_token stop)
{
    if (!isThere(timeline, series))
        return;
    const ClockTransform& clock = clockOf(timeline, series.store);
    std::vector<SeriesPoint> points;
    countersIn(timeline, series.store)
        .visit(
            series.series, clock.inverse(range),
            [&](std::span<const CounterPoint> found) {
                points.clear();
                for (const CounterPoint& point : found)
                    points.push_back(composed(clock, point));
                take(points);
            },
            stop);
}

std::optional<SeriesPoint> pointAt(const Timeline& timeline, CounterRef series, Timestamp at)
{
    if (!isThere(timeline, series))
        return {};
    return composed(timeline, series,
                    countersIn(timeline, series.store).valueAt(series.series, lastNotAfter(clockOf(timeline, series.store), at)));
}

std::optional<SeriesPoint> nextPoint(const Timeline& timeline, CounterRef series, Timestamp at)
{
    if (!isThere(timeline, series))
        return {};
    return composed(timeline, series,
                    countersIn(timeline, series.store).next(series.series, lastNotAfter(clockOf(timeline, series.store), at)));
}

std::optional<SeriesPoint> previousPoint(const Timeline& timeline, CounterRef series, Timestamp at)
{
    if (!isThere(timeline, series))
        return {};
    return composed(timeline, series,
                    countersIn(timeline, series.store).previous(series.series, clockOf(timeline, series.store).inverse(at)));
}

Timestamp knownUntil(const Timeline& timeline, CounterRef series)
{
    if (!isThere(timeline, series))
        return Timestamp::min();
    const Store& store = storeAt(timeline, series.store);
    return store.isComplete() ? Timestamp::max() : clockOf(timeline, series.store)(store.knownUntil());
}

std::string valueText(CounterNumber number, CounterValue value)
{
    char text[32];
    const auto end = number == CounterNumber::Integer ? std::to_chars(text, text + sizeof text, value.integer())
                                                      : std::to_chars(text, text + sizeof text, value.real());
    return {text, end.ptr};
}

} // namespace helio
