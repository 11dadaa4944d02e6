#include "widgets/timegraph/graph_rows.h"

#include <algorithm>

namespace helio {

int GraphRows::at(int y) const
{
    if (y < 0 || y >= height())
        return -1;
    return int(std::ranges::upper_bound(m_tops, y) - m_tops.begin()) - 1;
}

int GraphRows::find(TrackRef ref) const
{
    const auto it = ref.isValid() ? m_index.find(ref) : m_index.end();
    return it == m_index.end() ? -1 : it->second;
}

} // namespace helio
