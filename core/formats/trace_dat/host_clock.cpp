#include "core/formats/trace_dat/host_clock.h"

#include <algorithm>

namespace helio::tracedat {

std::uint64_t HostClock::convert(std::uint64_t clock, std::int32_t cpu) const
{
    if (cpu < 0 || static_cast<std::size_t>(cpu) >= cpus.size() || cpus[static_cast<std::size_t>(cpu)].empty())
        return clock;
    const auto& samples = cpus[static_cast<std::size_t>(cpu)];
    if (samples.size() == 1) // Ignore the scaling of a single sample, as trace-cmd does.
        return clock + static_cast<std::uint64_t>(samples.front().offset);
    // `begin` and `end` are the samples before and after the time or, outside of all samples, the two nearest samples.
    const auto time = static_cast<std::int64_t>(clock);
    const auto after = std::ranges::upper_bound(samples.begin() + 1, samples.end() - 1, time, {}, &ClockSample::time);
    const ClockSample& begin = *std::prev(after);
    const ClockSample& end = *after;
    std::int64_t offset = begin.offset;
    if (interpolates) {
        __extension__ using Wide = __int128;
        const Wide length = Wide(end.time) - begin.time;
        const Wide rise = (Wide(time) - begin.time) * (Wide(end.offset) - begin.offset);
        offset = static_cast<std::int64_t>(offset + (rise + length / 2) / length); // A damaged file may have any offsets.
    }
    __extension__ using Product = unsigned __int128;
    const auto scaled = static_cast<std::uint64_t>((Product(clock) * begin.scaling) >> begin.fraction);
    return scaled + static_cast<std::uint64_t>(offset);
}

} // namespace helio::tracedat
