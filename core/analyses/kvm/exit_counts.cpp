#include "core/analyses/kvm/exit_counts.h"

#include "core/event_model/vcpu_modes.h"

#include <string>

namespace helio::kvm {

void ExitCounts::count(HostTimestamp at, std::int32_t pid, StringId reason, std::string_view words)
{
    Counter& counter = counterOf(pid, reason, words);
    ++counter.exits;
    if (counter.series)
        m_sink.counters().addInteger(*counter.series, at, counter.exits);
}

ExitCounts::Counter& ExitCounts::counterOf(std::int32_t pid, StringId reason, std::string_view words)
{
    const auto [found, isNew] = m_counters.try_emplace({pid, reason});
    if (!isNew)
        return found->second;
    const std::string what(words.empty() ? "exit" : words);
    CounterSeries series{std::string(ExitsView), "pid:" + std::to_string(pid) + '/' + what, what};
    series.kind = CounterSeries::Kind::Accumulating;
    series.track = rowOf(pid);
    if (const auto added = m_sink.counters().addSeries(series)) {
        found->second.series = *added;
        m_sink.counters().addInteger(*added, m_begin, 0);
    }
    return found->second;
}

TrackId ExitCounts::rowOf(std::int32_t pid)
{
    const auto [found, isNew] = m_rows.try_emplace(pid, NoTrack);
    if (!isNew)
        return found->second;
    const std::string_view name = nameOf(pid);
    Track row;
    row.kind = VcpuProcessKind;
    row.key = "pid:" + std::to_string(pid);
    row.label = std::string(name.empty() ? "process" : name) + '-' + std::to_string(pid);
    row.pid = pid;
    row.sortKey = pid;
    return found->second = m_sink.addTrack(std::move(row));
}

std::string_view ExitCounts::nameOf(std::int32_t pid) const
{
    for (const TrackId it : m_kernel.tracksOf(TrackRole::Thread, pid))
        if (const Track& track = m_kernel.tracks()[static_cast<std::size_t>(it)]; !track.label.empty())
            return track.label;
    return {};
}

} // namespace helio::kvm
