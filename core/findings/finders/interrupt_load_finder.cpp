#include "core/findings/finder.h"
#include "core/findings/window_parts.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

constexpr double MuchOfCpu = 0.2; ///< Minimum share of one interrupt in the time of a CPU, in a part of the window.
constexpr std::string_view ResourcesView = "resources"; ///< View with a row for each interrupt below its CPU.

/// Time of one interrupt on one CPU, by part of the window.
class InterruptTimes {
public:
    explicit InterruptTimes(TimeRange window)
        : m_parts(window)
        , m_times(m_parts.count())
    {
    }

    void add(TimeRange range)
    {
        m_isAny = true;
        for (std::size_t part = m_parts.indexOf(range.begin); part < m_times.size() && m_parts[part].begin < range.end; ++part)
            m_times[part] += range.clippedTo(m_parts[part]).duration();
    }

    bool isAny() const { return m_isAny; }
    /// Returns the interrupt's time in the parts in which it took much of the CPU.
    Duration inHotParts() const
    {
        Duration sum{};
        for (std::size_t part = 0; part < m_times.size(); ++part)
            sum += isHot(part) ? m_times[part] : Duration{};
        return sum;
    }
    /// Returns the ranges in which the interrupt took much of the CPU.
    Occurrences hotRanges(TrackRef row) const
    {
        return m_parts.rangesOf([&](std::size_t part) { return isHot(part); }, row);
    }

private:
    bool isHot(std::size_t part) const { return double(m_times[part].count()) >= MuchOfCpu * double(m_parts[part].duration().count()); }

    WindowParts m_parts;
    std::vector<Duration> m_times;
    bool m_isAny = false;
};

bool canLookForInterrupts(const FindingScope& scope)
{
    bool isFound = false;
    forEachStore(scope.timeline(), [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        forEachTrack(index, store, TrackRole::Interrupt, [&](TrackRef, const Track&) { isFound = true; });
    });
    return isFound;
}

/// Returns the number of an interrupt in its id, for example "43" for "cpu:0/irq:43"; empty if it is no hardware interrupt.
std::string lineOf(const Row& row)
{
    constexpr std::string_view Irq = "/irq:";
    const std::size_t at = row.id.find(Irq);
    return at == std::string::npos ? std::string() : row.id.substr(at + Irq.size());
}

std::vector<Finding> findInterruptLoad(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    std::vector<Finding> findings;
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> cpusWith; // Number of CPUs with an interrupt, by host and label.
    std::vector<std::pair<Row, InterruptTimes>> hot;
    for (const Row& row : rows(timeline, ResourcesView)) {
        if (row.role != TrackRole::Interrupt || row.cpu < 0 || !scope.accepts(row) || scope.stop().stop_requested())
            continue;
        InterruptTimes times(scope.window());
        forEachRowInterval(
            timeline, row, scope.window(),
            [&](const Interval& it) {
                if (meaningOf(timeline, row.ref, it.state) == StateCategory::OnCpuInterrupt)
                    times.add(it.range);
            },
            scope.stop());
        cpusWith[{row.host, row.label}] += times.isAny();
        if (times.inHotParts() >= scope.threshold())
            hot.emplace_back(row, std::move(times));
    }
    for (const auto& [row, times] : hot) {
        const Occurrences ranges = times.hotRanges(row.ref);
        const Duration taken = times.inHotParts();
        const bool isOnlyHere = cpusWith[{row.host, row.label}] == 1;
        Finding finding;
        finding.subject = row.label;
        finding.text = "Interrupts of " + row.label + " ran on CPU " + std::to_string(row.cpu)
            + (isOnlyHere ? " only and took " : " and took ") + shareText(double(taken.count()) / double(ranges.covered().count()))
            + " of it for " + shortDuration(ranges.covered());
        finding.host = row.host;
        finding.color = "cpu.irq";
        if (const std::string line = lineOf(row); !line.empty())
            finding.check = "cat /proc/irq/" + line + "/smp_affinity_list";
        ranges.fill(finding,
                    [](const Occurrences::Occurrence& it) { return "much interrupt time for " + shortDuration(it.range.duration()); });
        finding.explained = taken;
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern const Finder interruptLoadFinder;
const Finder interruptLoadFinder{"interrupt-load", "Interrupt load", canLookForInterrupts, findInterruptLoad, RecordableData::Interrupts};

} // namespace helio
