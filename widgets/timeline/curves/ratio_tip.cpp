#include "widgets/timeline/curves/ratio_tip.h"

#include "core/counters/ratios.h"
#include "core/counters/state_counts.h"
#include "widgets/time/qt_text.h"
#include "widgets/timeline/curves/curve_graph.h"

#include <algorithm>
#include <functional>
#include <ranges>

namespace helio {

std::optional<TipContent> ratioTip(const NamedSeries& named, std::span<const RatioInterval> intervals, Timestamp at,
                                   const TimeFormat& format, int digits)
{
    constexpr std::size_t MostParts = 6;
    const auto interval = std::ranges::find_if(intervals, [at](const RatioInterval& it) { return it.range.contains(at); });
    if (interval == intervals.end())
        return {};
    TipContent tip;
    tip.look.color = named.color;
    tip.look.height = 16;
    tip.title = named.name;
    tip.duration = shortValue(interval->value, drawnUnit(named.series));
    tip.time =
        CurveGraph::tr("from %1 for %2").arg(timeText(interval->range.begin, format, digits), durationText(interval->range.duration()));
    tip.sharedBy = CurveGraph::tr("Counted");
    for (std::size_t i = 0; i < std::min(interval->counted.size(), MostParts); ++i) {
        const ViewSeries& part = named.ratio->parts[i];
        const QString counted = shortValue(interval->counted[i], text(part.unit));
        tip.parts.emplace_back(text(part.title),
                               part.kind == CounterSeries::Kind::Accumulating ? counted : CurveGraph::tr("%1 on average").arg(counted));
    }
    return tip;
}

namespace {

/// Sum of the counts over all states with the same name.
struct StateSum {
    StateAppearance look;
    bool isKnown = true;
    Duration time{};
    std::vector<double> counted;
};

std::vector<StateSum> sumsByState(const Timeline& timeline, const NamedSeries& named, TimeRange range, const Theme& theme,
                                  const std::stop_token& stop)
{
    const std::vector rows{RatioRow{named.ratio->parts, named.place, knownRange(timeline, named.ratio->parts)}};
    std::vector<StateSum> sums;
    for (const StateCounts& it : computeStateCounts(timeline, rows, range, stop)) {
        const StateKind& state = stateKind(timeline, it.row, it.state);
        const StateAppearance look = theme.lookOf(state);
        auto sum = std::ranges::find(sums, look.words, [](const StateSum& known) { return known.look.words; });
        if (sum == sums.end())
            sum = sums.insert(sum, {look, state.meaning != StateCategory::Unknown, {}, std::vector<double>(it.counted.size())});
        sum->time += it.time;
        for (std::size_t i = 0; i < it.counted.size(); ++i)
            sum->counted[i] += it.counted[i];
    }
    std::ranges::stable_sort(sums, std::greater(), &StateSum::time);
    return sums;
}

} // namespace

void addRange(TipContent& tip, const Timeline& timeline, const NamedSeries& named, TimeRange range, const Theme& theme,
              std::stop_token stop)
{
    constexpr std::size_t MostListed = 6;
    const SeriesRatio& ratio = *named.ratio;
    const auto words = [&named](std::optional<double> value, Duration time) {
        return (value ? CurveGraph::tr("%1 in %2").arg(shortValue(*value, drawnUnit(named.series))) : CurveGraph::tr("no value in %1"))
            .arg(durationText(time));
    };
    const TimeRange known = knownRange(timeline, ratio.parts).clippedTo(range);
    if (known.isEmpty())
        return void(tip.facts.emplace_back(CurveGraph::tr("Selected"), CurveGraph::tr("unknown")));
    const auto over = computeKnownRatio(timeline, ratio.formula, ratio.parts, range);
    tip.facts.emplace_back(CurveGraph::tr("Selected"), words(over ? std::optional(over->value) : std::nullopt, known.duration()));
    const auto isSum = [](const ViewSeries& it) { return it.kind == CounterSeries::Kind::Accumulating; };
    if (!std::ranges::all_of(ratio.parts, isSum))
        return;
    const std::vector<StateSum> sums = sumsByState(timeline, named, range, theme, stop);
    if (std::ranges::none_of(sums, &StateSum::isKnown))
        return;
    for (const StateSum& sum : sums | std::views::take(MostListed)) {
        std::vector<double> rates;
        for (const double counted : sum.counted)
            rates.push_back(counted / (double(sum.time.count()) / 1e9));
        tip.states.emplace_back(sum.look, words(ratio.formula.value(rates), sum.time));
    }
}

} // namespace helio
