#include "core/analyses/kvm/exit_counts.h"

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
    const std::string number = std::to_string(pid);
    const std::string name(nameOf(pid));
    CounterSeries series{std::string(ExitsView), "pid:" + number + '/' + what, what + " of " + number + (name.empty() ? "" : ", " + name)};
    series.kind = CounterSeries::Kind::Accumulating;
    if (const auto added = m_sink.counters().addSeries(series)) {
        found->second.series = *added;
        m_sink.counters().addInteger(*added, m_begin, 0);
    }
    return found->second;
}

std::string_view ExitCounts::nameOf(std::int32_t pid) const
{
    for (const TrackId it : m_kernel.tracksOf(TrackRole::Thread, pid))
        if (const Track& track = m_kernel.tracks()[static_cast<std::size_t>(it)]; !track.label.empty())
            return track.label;
    return {};
}

} // namespace helio::kvm
