#include "widgets/timeline/graph/state_mark.h"

#include "core/query/rows/row_notes.h"
#include "widgets/timeline/graph/lanes/value_colors.h"

namespace helio {

namespace {

std::optional<MarkedState> stateAt(const Timeline& timeline, TrackRef row, Timestamp at, const FrameChoice& frames)
{
    const auto found = intervalAt(timeline, row, at);
    if (found.empty() || !stateByValue(timeline, row, found[0], frames))
        return std::nullopt;
    const QString value = shortValue(formatValue(timeline, row, found[0].value));
    return MarkedState{-1, found[0],
                       (value.isEmpty() ? QString() : value + QStringLiteral("   ")) + durationText(found[0].range.duration())};
}

} // namespace

void StateMark::request(std::shared_ptr<const Timeline> timeline, TrackRef row, Timestamp at, FrameChoice frames)
{
    m_job.post([this, timeline = std::move(timeline), row, at, frames = std::move(frames)](std::stop_token) -> LatestTask::Delivery {
        return [this, row, state = stateAt(*timeline, row, at, frames)] {
            set(row, state);
            emit came();
        };
    });
}

void StateMark::forget()
{
    m_job.cancel();
    set(m_row, std::nullopt);
}

void StateMark::set(TrackRef row, std::optional<MarkedState> state)
{
    if (std::exchange(m_state, std::nullopt))
        emit changed(m_row);
    m_row = row;
    m_state = std::move(state);
    if (m_state)
        emit changed(m_row);
}

} // namespace helio
