#include "core/sql/model/slice_layout.h"

namespace helio::sql {

std::uint32_t SliceLayout::place(Timestamp begin, std::optional<Timestamp> end, std::uint32_t levels)
{
    constexpr std::size_t MostSearched = 500; ///< A search for the smallest free depth visits each open group.
    while (!m_endings.empty() && m_endings.top().first <= begin) {
        m_open.erase(m_endings.top().second);
        m_endings.pop();
    }
    std::uint32_t depth = 0;
    if (m_open.size() > MostSearched) {
        depth = m_open.rbegin()->second;
    } else {
        for (const auto& [first, behind] : m_open) {
            if (depth + levels <= first)
                break;
            depth = behind;
        }
    }
    m_open.emplace(depth, depth + levels);
    m_endings.emplace(end.value_or(Timestamp::max()), depth);
    return depth;
}

} // namespace helio::sql
