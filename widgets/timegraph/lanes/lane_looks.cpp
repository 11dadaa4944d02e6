#include "widgets/timegraph/lanes/lane_looks.h"

#include "widgets/timegraph/lanes/lane_sum.h"
#include "widgets/timegraph/lanes/thread_colors.h"

#include <algorithm>

namespace helio {

const std::shared_ptr<const LaneLook>& LaneLooks::of(const StateSet& set, const QString& kind, bool isSampled)
{
    const bool isSoft = kind == QLatin1String("softirq") && set.id == "irq"; // the same states, other colours
    const bool isBoth = kind == QLatin1String("group") && set.id == "irq";
    const std::string key = (isBoth       ? "interrupts"
                                 : isSoft ? "softirq"
                                          : set.id)
        + '/' + std::to_string(set.states.size()) + (isSampled ? "/sampled" : "");
    if (const auto it = m_known.find(key); it != m_known.end())
        return it->second;
    LaneLook look;
    if (set.id == "cpu-thread")
        look.looks = looksByThread(m_theme, set);
    else
        look.looks = m_theme.looksOf(isSoft ? StateSet{"softirq", set.states} : set);
    if (isBoth) {
        look.looks.resize(SoftLooks);
        std::ranges::copy(m_theme.looksOf({"softirq", set.states}), std::back_inserter(look.looks));
    }
    for (std::size_t i = 0; isSampled && i < set.states.size(); ++i) {
        if (set.states[i] == "unknown") {
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
    return m_known.emplace(key, std::make_shared<const LaneLook>(std::move(look))).first->second;
}

} // namespace helio
