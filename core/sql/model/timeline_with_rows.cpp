#include "core/sql/model/timeline_with_rows.h"

#include "core/query/related/related.h"

namespace helio::sql {

const std::shared_ptr<const Timeline>& TimelineWithRows::get(const std::stop_token& stop) const
{
    if (!m_hasRows)
        if (auto with = withRowsOfStates(m_timeline, {}, stop)) {
            m_timeline = std::move(*with);
            m_hasRows = true;
        }
    return m_timeline;
}

} // namespace helio::sql
