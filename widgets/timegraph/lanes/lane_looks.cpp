#include "widgets/timegraph/lanes/lane_looks.h"

#include "widgets/timegraph/lanes/value_colors.h"

#include <algorithm>

namespace helio {

const StateSet* LaneLooks::secondSet(const Timeline& timeline, const LaneSources* sources)
{
    return sources && sources->back().firstState != 0 ? &statesOf(timeline, sources->back().track) : nullptr;
}

const std::shared_ptr<const LaneLook>& LaneLooks::of(const StateSet& set, const StateSet* second, bool isSampled)
{
    const auto [first, last] = m_known.equal_range(set.id);
    for (auto it = first; it != last; ++it)
        if (it->second.isOf(set, second, isSampled))
            return it->second.look;
    LaneLook look;
    look.frames = m_frames;
    look.looks = looksByValue(m_theme, set);
    const std::size_t own = second ? SecondLooks : look.looks.size();
    if (second) {
        look.looks.resize(own);
        std::ranges::copy(m_theme.looksOf(*second), std::back_inserter(look.looks));
    }
    for (std::size_t i = 0; isSampled && i < std::min(set.states.size(), own); ++i) {
        if (isUnknownAtRest(set.states[i])) {
            look.looks[i].drawing = Drawing::Line;
            look.looks[i].height = 1;
        }
    }
    std::uint32_t dimmed = 0;
    for (std::size_t i = 0; i < look.looks.size() && i < 32; ++i) {
        if (!m_focus.isEmpty() && look.looks[i].legend != m_focus)
            dimmed |= 1U << i;
    }
    look.palette = LanePalette::make(look.looks, m_theme.color("surface.timeline"), dimmed);
    Known known{set, second ? std::optional(*second) : std::nullopt, isSampled, std::make_shared<const LaneLook>(std::move(look))};
    return m_known.emplace(set.id, std::move(known))->second.look;
}

} // namespace helio
