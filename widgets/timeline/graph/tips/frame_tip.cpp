#include "widgets/timeline/graph/tips/frame_tip.h"

#include "core/query/rows/frame_text.h"
#include "core/query/segments/segments.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/lanes/value_colors.h"
#include "widgets/timeline/graph/rows/frame_duration.h"
#include "widgets/timeline/graph/tips/tip_translation.h"

#include <optional>

namespace helio {

namespace {

/// Returns the duration of a call without the calls that it made; nullopt if unknown.
std::optional<Duration> selfTime(const Timeline& timeline, TrackRef track, const Interval& call)
{
    std::optional<Duration> self;
    for (const SegmentKind& kind : segmentKinds(timeline))
        if (kind.areCalls)
            forEachSegment(timeline, kind.id, {call.range.begin, call.range.begin + Duration(1)}, [&](const Segment& it) {
                if (it.row() == track && it.range == call.range)
                    self = Duration(it.recorded.value);
            });
    return self;
}

} // namespace

TipContent frameTip(const TipRequest& q, const Interval& call)
{
    const auto stack = StackId{call.value};
    TipContent tip;
    tip.look = styleByValue(q.theme, *q.timeline, q.track, call);
    tip.title = text(frameText(*q.timeline, q.track.store, stack));
    tip.duration = frameDurationText(stateKind(*q.timeline, q.track, call.state), call.range.duration());
    tip.place = q.name;
    tip.time = timeText(call.range.begin, q.format, q.digits);
    if (const auto self = selfTime(*q.timeline, q.track, call))
        tip.facts.emplace_back(tr("Self"), durationText(*self));
    if (const std::string module = frameModuleText(*q.timeline, q.track.store, stack); !module.empty())
        tip.facts.emplace_back(tr("Module"), text(module));
    const bool isExplained = stateKind(*q.timeline, q.track, call.state).style.has(StateFlag::ExplainedInTips);
    const bool isUsual = tip.look.drawing == BarPattern::Plain && !isExplained;
    QStringList notes{isUsual ? QString() : tip.look.words, text(unnamedReason(*q.timeline, q.track.store, stack))};
    notes.removeAll(QString());
    tip.cause = notes.join('\n');
    return tip;
}

} // namespace helio
