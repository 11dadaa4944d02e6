#include "widgets/timeline/graph/rows/frame_duration.h"

#include "widgets/time/time_format.h"

#include <QCoreApplication>

namespace helio {

QString frameDurationText(const StateKind& state, Duration duration)
{
    const bool isSampled = state.style.has(StateFlag::ExplainedInTips); // Recorded calls need no explanation, sampled ones have one.
    return isSampled && duration <= Duration(1) ? QCoreApplication::translate("FrameDuration", "1 sample") : durationText(duration);
}

} // namespace helio
