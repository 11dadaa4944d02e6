#include "widgets/curves/ratio_tip.h"

#include "widgets/curves/curve_graph.h"
#include "widgets/time/qt_text.h"

#include <algorithm>

namespace helio {

std::optional<TipContent> ratioTip(const NamedSeries& named, std::span<const RatioStretch> stretches, Timestamp at,
                                   const TimeFormat& format, int digits)
{
    constexpr std::size_t MostParts = 6;
    const auto stretch = std::ranges::find_if(stretches, [at](const RatioStretch& it) { return it.range.contains(at); });
    if (stretch == stretches.end())
        return {};
    TipContent tip;
    tip.look.color = named.color;
    tip.look.height = 16;
    tip.title = named.name;
    tip.duration = shortValue(stretch->value, drawnUnit(named.series));
    tip.time =
        CurveGraph::tr("from %1 for %2").arg(timeText(stretch->range.begin, format, digits), durationText(stretch->range.duration()));
    tip.sharedBy = CurveGraph::tr("Counted");
    for (std::size_t i = 0; i < std::min(stretch->counted.size(), MostParts); ++i) {
        const ViewSeries& part = named.ratio->parts[i];
        const QString counted = shortValue(stretch->counted[i], text(part.unit));
        tip.parts.emplace_back(text(part.title),
                               part.kind == CounterSeries::Kind::Accumulating ? counted : CurveGraph::tr("%1 on average").arg(counted));
    }
    return tip;
}

} // namespace helio
