#include "widgets/timeline/graph/lanes/times_layout.h"

#include <algorithm>

namespace helio {

namespace {

/// Returns the first time at or after `at`, starting at `from`. The search is fastest if the result is near `from`.
std::span<const Timestamp>::iterator sought(std::span<const Timestamp>::iterator from, std::span<const Timestamp>::iterator end,
                                            Timestamp at)
{
    std::ptrdiff_t step = 1;
    while (step < end - from && *(from + step) < at) {
        from += step;
        step *= 2;
    }
    return std::lower_bound(from, from + std::min(step + 1, end - from), at);
}

} // namespace

std::vector<TimesColumn> computeTimesColumns(std::span<const Timestamp> times, const TimeScale& scale)
{
    std::vector<TimesColumn> columns;
    if (!scale.isValid())
        return columns;
    auto at = std::lower_bound(times.begin(), times.end(), scale.window().begin);
    while (at != times.end() && *at < scale.window().end) {
        const int x = int(scale.xAt(*at));
        const Timestamp next = std::min(std::max(scale.timeAt(x + 1), *at + Duration(1)), scale.window().end);
        const auto end = sought(at, times.end(), next);
        const auto count = std::uint32_t(end - at);
        if (!columns.empty()
            && columns.back().x == x) // The start of the next column is rounded to a ns, so the same column may be found twice.
            columns.back().count += count;
        else
            columns.push_back({x, count});
        at = end;
    }
    return columns;
}

} // namespace helio
