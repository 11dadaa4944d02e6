#include "widgets/timegraph/lane_looks.h"

namespace helio {

const LaneLook& LaneLooks::of(const StateSet& set)
{
    const std::string key = set.id + '/' + std::to_string(set.states.size());
    if (const auto it = m_known.find(key); it != m_known.end())
        return it->second;
    LaneLook look;
    look.looks = m_theme.looksOf(set);
    std::uint32_t dimmed = 0;
    for (std::size_t i = 0; i < look.looks.size() && i < 32; ++i) {
        if (!m_focus.isEmpty() && look.looks[i].legend != m_focus)
            dimmed |= 1U << i;
    }
    look.palette = LanePalette::make(look.looks, m_theme.color("surface.timeline"), dimmed);
    return m_known.emplace(key, std::move(look)).first->second;
}

} // namespace helio
