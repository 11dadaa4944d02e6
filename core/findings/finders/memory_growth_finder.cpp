#include "core/counters/counters.h"
#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/views.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {
namespace {

constexpr std::size_t SizeParts = 16; ///< Number of parts of the window whose least sizes are compared.
constexpr std::size_t MostPauses = 2; ///< Maximum number of parts in which the least size does not grow.
constexpr double LeastGrowth = 1 << 20; ///< Minimum growth in bytes.
/// Minimum share of each quarter of the window in the growth: a program that only fills its memory at the beginning does not grow.
constexpr double LeastInQuarter = 0.1;
constexpr double LeastRelativeGrowth = 0.1; ///< Minimum share of the growth in the memory's size at the end.
constexpr double LeastOfWindow = 0.25; ///< Minimum share of the window in which the size must be known.
constexpr std::string_view ResidentView = "resident-memory"; ///< View with the sizes that the kernel reports for each address space.
constexpr std::string_view SwappedOut = "Swapped out"; ///< Title of its curve that is not memory in RAM.

/// Returns the number of bytes of a unit; 0 if it is not a unit of memory.
double bytesOf(std::string_view unit)
{
    return unit == "B" || unit.empty()                  ? 1
        : unit == "kB" || unit == "KB" || unit == "KiB" ? 1024
        : unit == "MB" || unit == "MiB"                 ? 1024.0 * 1024
                                                        : 0;
}

/// The curves of one process's resident memory, which are added up.
struct MemoryUse {
    Row row;
    std::vector<ViewSeries> series;
};

std::string inLowerCase(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// True if a curve shows the size of a process's memory in RAM, or a part of it.
bool isResidentMemory(std::string_view view, const ViewSeries& series)
{
    if (view == ResidentView)
        return series.title != SwappedOut;
    const std::string title = inLowerCase(series.title);
    return series.kind == CounterSeries::Kind::Gauge && bytesOf(series.unit) > 0
        && std::ranges::any_of(std::array{"rss", "resident"}, [&](const char* word) { return title.find(word) != std::string::npos; })
        && std::ranges::none_of(std::array{"anon", "file", "shmem", "swap", "watermark", "peak"},
                                [&](const char* word) { return title.find(word) != std::string::npos; });
}

/// Returns the curves of resident memory. The curves of one row of the view resident-memory are parts of a process's memory.
std::vector<MemoryUse> memoryUses(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    std::vector<MemoryUse> uses;
    for (const std::string& view : viewsOf(timeline)) {
        if (viewDescription(timeline, view).shape != TrackView::Shape::Curves)
            continue;
        std::map<TrackRef, std::size_t> processes; // Indexes into `uses`.
        for (const ViewSeries& series : viewSeries(timeline, view)) {
            Row row = isResidentMemory(view, series) ? rowOf(timeline, series) : Row();
            if (!isResidentMemory(view, series) || !scope.accepts(row))
                continue;
            if (view == ResidentView) {
                const auto [known, isNew] = processes.try_emplace(series.track, uses.size());
                if (!isNew) {
                    uses[known->second].series.push_back(series);
                    continue;
                }
            }
            uses.push_back({std::move(row), {series}});
        }
    }
    return uses;
}

/// The least sizes of a process's memory in equal parts of a range.
struct Sizes {
    TimeRange range; ///< Range in which the size is known; empty if it is not known for long enough.
    std::array<double, SizeParts> least{}; ///< In bytes.
};

/// Returns the part of the range that contains a time in the range.
std::size_t partOf(TimeRange range, Timestamp at)
{
    const double share = double((at - range.begin).count()) / double(range.duration().count());
    return std::min(SizeParts - 1, static_cast<std::size_t>(share * double(SizeParts)));
}

Sizes sizesOf(const FindingScope& scope, const MemoryUse& use)
{
    const Timeline& timeline = scope.timeline();
    TimeRange known{Timestamp::max(), Timestamp::min()};
    for (const ViewSeries& series : use.series) {
        const auto first = nextPoint(timeline, series.ref, Timestamp::min());
        const auto last = previousPoint(timeline, series.ref, Timestamp::max());
        if (first && last)
            known = {std::min(known.begin, first->time), std::max(known.end, last->time)};
    }
    Sizes sizes{known.end > known.begin ? known.clippedTo(scope.window()) : TimeRange{}};
    if (double(sizes.range.duration().count()) < LeastOfWindow * double(scope.window().duration().count()))
        return {};
    for (const ViewSeries& series : use.series) {
        const double unit = bytesOf(series.unit);
        std::array<double, SizeParts> least;
        least.fill(std::numeric_limits<double>::max());
        const auto before = pointAt(timeline, series.ref, sizes.range.begin);
        double size = before ? before->value.number(series.number) * unit : 0;
        std::size_t part = 0;
        least[0] = size;
        const auto take = [&](std::span<const SeriesPoint> points) {
            for (const SeriesPoint& point : points) {
                for (const std::size_t at = partOf(sizes.range, point.time); part < at;)
                    least[++part] = size;
                size = point.value.number(series.number) * unit;
                least[part] = std::min(least[part], size);
            }
        };
        forEachPoint(timeline, series.ref, sizes.range, take, scope.stop());
        while (part + 1 < SizeParts)
            least[++part] = size;
        for (std::size_t i = 0; i < SizeParts; ++i)
            sizes.least[i] += least[i];
    }
    return sizes;
}

/// True if the least sizes grow in nearly all parts, and in each quarter of the range.
bool growsSteadily(const Sizes& sizes)
{
    const double growth = sizes.least.back() - sizes.least.front();
    if (growth < LeastGrowth || growth < LeastRelativeGrowth * sizes.least.back())
        return false;
    std::size_t pauses = 0;
    for (std::size_t i = 1; i < SizeParts; ++i) {
        if (sizes.least[i] < sizes.least[i - 1])
            return false;
        pauses += sizes.least[i] == sizes.least[i - 1];
    }
    for (std::size_t i = 0; i < SizeParts; i += SizeParts / 4) {
        const double before = i == 0 ? sizes.least[0] : sizes.least[i - 1];
        if (sizes.least[i + SizeParts / 4 - 1] - before < LeastInQuarter * growth)
            return false;
    }
    return pauses <= MostPauses;
}

std::string megabytes(double bytes)
{
    const double size = bytes / 1e6;
    const std::string digits = std::to_string(size >= 10 ? std::round(size) : std::round(size * 10) / 10);
    return digits.substr(0, digits.find('.') + (size >= 10 ? 0 : 2)) + " MB";
}

bool canLookForGrowth(const FindingScope& scope) { return !memoryUses(scope).empty(); }

std::vector<Finding> findGrowth(const FindingScope& scope)
{
    std::vector<Finding> findings;
    for (const MemoryUse& use : memoryUses(scope)) {
        const Sizes sizes = sizesOf(scope, use);
        if (scope.stop().stop_requested() || sizes.range.isEmpty() || !growsSteadily(sizes))
            continue;
        const double growth = sizes.least.back() - sizes.least.front();
        const double seconds = double(sizes.range.duration().count()) / 1e9;
        Finding finding;
        finding.subject = withoutTids(use.row.label);
        finding.text = "Memory of " + use.row.label + " grew by " + megabytes(growth / seconds) + " per second";
        finding.detail = "from " + megabytes(sizes.least.front()) + " to " + megabytes(sizes.least.back()) + " in "
            + shortDuration(sizes.range.duration()) + ", in each quarter of this time";
        finding.host = use.row.host;
        finding.color = "mark.lost";
        if (use.row.pid >= 0)
            finding.check = "grep -E 'Rss|Pss_Anon|Swap:' /proc/" + std::to_string(use.row.pid) + "/smaps_rollup";
        Occurrences occurrences;
        occurrences.add(sizes.range, use.row.ref);
        occurrences.fill(finding, [](const Occurrences::Occurrence& it) { return "grew for " + shortDuration(it.range.duration()); });
        finding.explained = Duration(static_cast<std::int64_t>(growth / sizes.least.back() * double(finding.explained.count())));
        if (finding.explained >= scope.threshold())
            findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern const Finder memoryGrowthFinder;
const Finder memoryGrowthFinder{"memory-growth", "Memory growth", canLookForGrowth, findGrowth, RecordableData::ResidentMemory};

} // namespace helio
