#include "core/query/rows/interval_walk.h"

#include <algorithm>

namespace helio {

void forEachRowInterval(const Timeline& timeline, const Row& row, TimeRange window, const std::function<void(const Interval&)>& take,
                        std::stop_token stop)
{
    constexpr std::uint64_t PartSize = 65'536;
    const TimeRange all = row.life.clippedTo(window);
    if (all.isEmpty())
        return;
    const auto parts = static_cast<std::int64_t>(row.intervals / PartSize + 1);
    const Duration step = std::max(Duration(1), all.duration() / parts);
    for (Timestamp begin = all.begin; begin < all.end && !stop.stop_requested();) {
        const Timestamp end = all.end - begin > 2 * step ? begin + step : all.end;
        for (Interval interval : intervals(timeline, row.ref, {begin, end}, stop)) {
            // An interval that began before this part was handed over with an earlier part.
            if (interval.range.begin < begin && begin != all.begin)
                continue;
            interval.range = interval.range.clippedTo(all);
            if (!interval.range.isEmpty())
                take(interval);
        }
        begin = end;
    }
}

} // namespace helio
