#include "widgets/timeline/graph/arrows/row_arrows.h"

#include <algorithm>

namespace helio {

namespace {

/// Appends links of one row over the whole window; links that are closer than `step` are thinned to one per `step`. `limit` is the maximum
/// number of links; 0 for no limit.
void appendLinks(const Timeline& timeline, TrackRef track, TimeRange window, Duration step, const LinkIds& ids, std::size_t limit,
                 std::vector<Arrow>& out, const std::stop_token& stop)
{
    Timestamp at = window.begin;
    const std::size_t before = out.size();
    while (!ids.isEmpty() && !stop.stop_requested() && (limit == 0 || out.size() - before < limit)) {
        const auto next = nextArrow(timeline, track, at, ids);
        const Timestamp reached = next.empty() ? window.end : std::max(next[0].fromTime, next[0].toTime);
        if (next.empty() || reached <= at || std::min(next[0].fromTime, next[0].toTime) > window.end)
            break;
        if (std::ranges::find(out, next[0]) == out.end())
            out.push_back(next[0]);
        at = std::max(reached, at + step);
    }
}

std::vector<Arrow> find(const RowArrowsRequest& request, const std::stop_token& stop)
{
    std::vector<Arrow> found;
    const auto append = [&](TrackRef row, TimeRange window, Duration step, std::size_t limit) {
        appendLinks(*request.timeline, row, window, step, request.links, limit, found, stop);
    };
    if (const TimeRange state = request.state; !state.isEmpty() && request.rows[0].isValid()) {
        const Duration now(1);
        append(request.rows[0], {state.begin - now, state.begin}, now, request.most);
        append(request.rows[0], state, now, request.most);
        append(request.rows[0], {state.end - now, state.end}, now, request.most);
    }
    for (const TrackRef row : request.rows)
        if (row.isValid())
            append(row, request.window, request.step, 0);
    return found;
}

} // namespace

void RowArrows::request(RowArrowsRequest request)
{
    m_job.post([this, request = std::move(request)](std::stop_token stop) -> LatestTask::Delivery {
        return [this, found = find(request, stop)]() mutable {
            m_arrows = std::move(found);
            emit came();
        };
    });
}

void RowArrows::clear()
{
    m_job.cancel();
    m_arrows.clear();
}

} // namespace helio
