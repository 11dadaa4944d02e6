#include "core/query/rows/recording_groups.h"

#include "core/experiment/timeline_composer.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/recording_kind.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

namespace helio {
namespace {

/// Returns a duration in seconds or a longer unit, up to days, with three digits, for example "8.5 h".
std::string longText(Duration duration)
{
    using namespace std::chrono_literals;
    constexpr std::array<std::pair<Duration, const char*>, 4> Units{{{24h, "days"}, {1h, "h"}, {1min, "min"}, {1s, "s"}}};
    const auto* const unit = std::ranges::find_if(Units, [&](const auto& it) { return duration >= 2 * it.first; });
    const auto& [length, name] = unit == Units.end() ? Units.back() : *unit;
    char text[64];
    std::snprintf(text, sizeof text, "%.3g %s", double(duration.count()) / double(length.count()), name);
    return text;
}

/// Returns the time between the groups, outside of all recordings.
Duration timeBetween(const std::vector<RecordingGroup>& groups)
{
    Duration between{};
    for (std::size_t i = 1; i < groups.size(); ++i)
        between = sumOf(between, lengthOf({groups[i - 1].range.end, groups[i].range.begin}));
    return between;
}

} // namespace

std::vector<RecordingGroup> groupRecordings(const Timeline& timeline)
{
    std::vector<std::pair<TimeRange, std::uint32_t>> timed;
    std::vector<std::uint32_t> untimed;
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& it = timeline.traces[i];
        if (it.trace->info().identity.empty())
            return {};
        const auto range = it.trace->info().hasTimes ? traceRange(it) : std::nullopt;
        if (range)
            timed.emplace_back(*range, i);
        else
            untimed.push_back(i);
    }
    std::ranges::stable_sort(timed, {}, [](const auto& it) { return it.first.begin; });
    std::vector<RecordingGroup> groups;
    for (const auto& [range, trace] : timed) {
        if (groups.empty() || range.begin > groups.back().range.end)
            groups.push_back({{}, range});
        groups.back().traces.push_back(trace);
        groups.back().range.end = std::max(groups.back().range.end, range.end);
    }
    if (groups.empty() && !untimed.empty())
        groups.emplace_back();
    if (!groups.empty()) {
        std::vector<std::uint32_t>& shown = groups[shownGroup(timeline, groups)].traces;
        shown.insert(shown.end(), untimed.begin(), untimed.end());
    }
    for (RecordingGroup& group : groups)
        std::ranges::sort(group.traces);
    return groups;
}

std::size_t shownGroup(const Timeline& timeline, const std::vector<RecordingGroup>& groups)
{
    const auto found = std::ranges::find_if(groups, [&](const RecordingGroup& group) {
        return std::ranges::any_of(group.traces, [&](std::uint32_t trace) { return promisesRows(timeline, trace); });
    });
    return found == groups.end() ? 0 : std::size_t(found - groups.begin());
}

bool areApart(const std::vector<RecordingGroup>& groups)
{
    constexpr Duration LeastBetween = std::chrono::minutes(1); // Recordings of the same minute are often steps of one experiment.
    const Duration between = timeBetween(groups);
    return groups.size() > 1 && between >= LeastBetween && between > lengthOf({groups.front().range.begin, groups.back().range.end}) / 2;
}

TimeRange axisRange(const Timeline& timeline)
{
    if (hasEpoch(timeline) || unsynchronizedHosts(timeline).empty())
        return timeline.range;
    const auto groups = groupRecordings(timeline);
    return areApart(groups) ? groups[shownGroup(timeline, groups)].range : timeline.range;
}

std::string apartText(const Timeline& timeline)
{
    constexpr std::size_t MostPaths = 4;
    const auto groups = groupRecordings(timeline);
    if (!areApart(groups))
        return {};
    const std::vector<std::uint32_t>& first = groups[shownGroup(timeline, groups)].traces;
    std::string paths;
    for (std::size_t i = 0; i < std::min(first.size(), MostPaths); ++i)
        paths += ' ' + timeline.traces[first[i]].trace->info().path.string();
    return "the times of the recordings do not overlap: they form " + std::to_string(groups.size()) + " groups, with "
        + longText(timeBetween(groups)) + " between them. To open one group only, name its recordings:" + paths
        + (first.size() > MostPaths ? " ..." : "");
}

} // namespace helio
