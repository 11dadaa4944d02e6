#include "widgets/timeline/graph/lanes/lane_styles.h"

#include "widgets/timeline/graph/lanes/value_colors.h"

#include <algorithm>

namespace helio {

const std::shared_ptr<const LaneAppearance>& LaneStyles::of(const Timeline& timeline, TrackRef row, const LaneSources* sources,
                                                            bool isSampled)
{
    const bool hasSecond = sources && sources->back().firstState != 0;
    const RowStates first = rowStates(timeline, row);
    const RowStates second = hasSecond ? rowStates(timeline, sources->back().track) : RowStates();
    const auto [begin, end] = m_known.equal_range(first.set->id);
    for (auto it = begin; it != end; ++it)
        if (it->second.isSampled == isSampled && it->second.row == first && it->second.secondRow == second)
            return it->second.look;
    CachedStyle& found = known(*first.set, second.set, isSampled);
    found.row = first;
    found.secondRow = second;
    return found.look;
}

LaneStyles::CachedStyle& LaneStyles::known(const StateSet& set, const StateSet* second, bool isSampled)
{
    const auto [first, last] = m_known.equal_range(set.id);
    for (auto it = first; it != last; ++it)
        if (it->second.isOf(set, second, isSampled))
            return it->second;
    LaneAppearance look;
    look.frames = m_frames;
    look.looks = stylesByValue(m_theme, set);
    const std::size_t own = second ? SecondKindStates : look.looks.size();
    if (second) {
        look.looks.resize(own);
        std::ranges::copy(m_theme.looksOf(*second), std::back_inserter(look.looks));
    }
    for (std::size_t i = 0; isSampled && i < std::min(set.states.size(), own); ++i) {
        if (isUnknownAtRest(set.states[i])) {
            look.looks[i].drawing = BarPattern::Line;
            look.looks[i].height = 1;
        }
    }
    look.order = StackOrder(look.looks);
    std::uint32_t dimmed = 0;
    for (std::size_t i = 0; i < look.looks.size() && i < 32; ++i) {
        if (!m_focus.isEmpty() && look.looks[i].legend != m_focus)
            dimmed |= 1U << i;
    }
    look.palette = LanePalette::make(look.looks, m_theme.color("surface.timeline"), dimmed);
    CachedStyle made{set, second ? std::optional(*second) : std::nullopt, isSampled,
                     std::make_shared<const LaneAppearance>(std::move(look))};
    return m_known.emplace(set.id, std::move(made))->second;
}

} // namespace helio
