#include "widgets/docks/statistics/nominal_times_cache.h"

#include "core/query/rows/facts.h"

namespace helio {

bool NominalTimesCache::isReady(const std::shared_ptr<const Timeline>& timeline) const
{
    const std::scoped_lock lock(m_mutex);
    return m_timeline.lock() == timeline || !isComplete(*timeline);
}

std::shared_ptr<const NominalTimes> NominalTimesCache::of(const std::shared_ptr<const Timeline>& timeline, const std::stop_token& stop)
{
    const std::scoped_lock lock(m_mutex);
    if (!isComplete(*timeline))
        return nullptr;
    if (m_timeline.lock() != timeline) {
        auto times = std::make_shared<const NominalTimes>(*timeline, std::nullopt, stop);
        if (stop.stop_requested())
            return nullptr;
        m_times = times->hasFrequencies() ? std::move(times) : nullptr;
        m_timeline = timeline;
    }
    return m_times;
}

} // namespace helio
