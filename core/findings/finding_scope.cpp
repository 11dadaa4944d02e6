#include "core/findings/finding_scope.h"

#include "core/query/rows/facts.h"

#include <algorithm>

namespace helio {

FindingScope::FindingScope(const FindingRequest& request)
    : m_request(request)
    , m_window(rangeOf(*request.timeline).clippedTo(request.window))
{
    for (Row& row : helio::threads(timeline()))
        if (row.life.overlaps(m_window) && accepts(row))
            m_threads.push_back(std::move(row));
    for (Row& row : helio::cpus(timeline()))
        if (accepts(row))
            m_cpus.push_back(std::move(row));
}

const FileCalls& FindingScope::fileCalls() const
{
    std::call_once(m_onceCalls, [this] { m_calls = findFileCalls(*this); });
    return m_calls;
}

Duration FindingScope::threshold() const { return std::max<Duration>(m_window.duration() / 200, std::chrono::milliseconds(1)); }

} // namespace helio
