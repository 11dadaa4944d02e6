#include "widgets/timeline/graph/lane_fetcher.h"

#include "core/base/parallel_for.h"
#include "widgets/async/thread_priority.h"

#include <chrono>
#include <unordered_set>

namespace helio {

namespace {

constexpr std::size_t MostLanes = 200; ///< Maximum number of cached lanes besides those near the view; a lane takes about 100 KB.
constexpr std::size_t MostArrows = 4000;
constexpr auto Batch = std::chrono::milliseconds(12);
constexpr std::size_t MostThreads = 4;
constexpr std::size_t LanesAThread = 8; ///< Fewer lanes are fetched faster than another thread starts.

/// Extends the range by a quarter at both sides, so that a little panning needs no query.
void widen(LaneQuery& question)
{
    const Duration margin = question.window.duration() / 4;
    question.window = {question.window.begin - margin, question.window.end + margin};
    const int columns = int(question.tile.scale.width());
    question.tile.first = -columns / 4;
    question.tile.columns = columns + 2 * (columns / 4);
}

} // namespace

void LaneFetcher::request(LaneRequest request, LaneStyles& looks)
{
    m_asksAgain = false;
    std::vector<PendingLane> asked;
    for (WantedLane& it : request.lanes)
        if (!isKept(it, request.scale))
            asked.push_back(makeQuery(std::move(it), request, looks));
    forgetFar(request.near);
    m_job.post([this, timeline = std::move(request.timeline), asked = std::move(asked), meters = std::move(request.meters),
                window = request.scale.window(), links = std::move(request.links)](std::stop_token stop) -> LatestTask::Delivery {
        fetchLanes(*timeline, asked, stop);
        if (stop.stop_requested())
            return {};
        RangeData whole;
        if (!links.isEmpty())
            whole.arrows = helio::arrows(*timeline, links, window, MostArrows, &whole.arrowTotal, stop);
        whole.losses = helio::losses(*timeline, window);
        whole.shares = busyShares(*timeline, meters, window, stop);
        if (stop.stop_requested())
            return {};
        return [this, meters, whole = std::move(whole)]() mutable {
            for (const TrackRef row : meters) // A row without data in this window must not keep its share of the previous window.
                m_shares.erase(row);
            takeRangeData(std::move(whole));
        };
    });
}

bool LaneFetcher::isKept(const WantedLane& wanted, const TimeScale& scale) const
{
    const Lane* lane = this->lane(wanted.track);
    return lane && lane->serves(scale.window(), scale.resolution(), m_version)
        && (wanted.lineKind || lane->tile.shape().looksLike(wanted.tile)) && areSame(lane->sources, wanted.sources);
}

LaneFetcher::PendingLane LaneFetcher::makeQuery(WantedLane wanted, const LaneRequest& request, LaneStyles& looks) const
{
    const TimeScale& scale = request.scale;
    LaneQuery question{wanted.track, scale.window(), scale.resolution(), request.pixelsPerPoint, m_version, !wanted.lineKind, {}, {}, {}};
    if (!wanted.lineKind) { // The look depends on whether states or only samples are known, which the query finds out.
        question.tile = std::move(wanted.tile);
        question.tile.look = looks.of(*request.timeline, wanted.track, wanted.sources.get());
        question.sampledLook = looks.of(*request.timeline, wanted.track, wanted.sources.get(), true);
        question.sources = std::move(wanted.sources);
    }
    widen(question);
    return {std::move(question), wanted.row, std::move(wanted.lineKind)};
}

void LaneFetcher::forgetFar(const std::vector<TrackRef>& near)
{
    if (m_lanes.size() < MostLanes + 2 * near.size())
        return;
    const std::unordered_set<TrackRef, TrackRefHash> kept(near.begin(), near.end());
    std::erase_if(m_lanes, [&](const auto& it) { return !kept.contains(it.first); });
}

/// Runs on the job's thread and on further threads.
void LaneFetcher::fetchLanes(const Timeline& timeline, const std::vector<PendingLane>& asked, std::stop_token stop)
{
    std::atomic<std::size_t> next = 0;
    const std::size_t threads = std::min(usefulThreadCount(MostThreads), asked.size() / LanesAThread + 1);
    parallelFor(threads, [&](std::size_t thread) {
        if (thread > 0)
            lowerThreadPriority();
        fetchNext(timeline, asked, next, stop);
    });
}

/// Runs on one of the threads until no lane is left. Lanes are delivered in batches, so that the first rows do not wait for the last.
void LaneFetcher::fetchNext(const Timeline& timeline, const std::vector<PendingLane>& asked, std::atomic<std::size_t>& next,
                            std::stop_token stop)
{
    auto since = std::chrono::steady_clock::now();
    std::vector<FetchedLane> found;
    const auto handOver = [&] { m_job.deliver(stop, [this, part = std::exchange(found, {})] { takeLanes(part); }); };
    for (std::size_t i = next++; i < asked.size() && !stop.stop_requested(); i = next++) {
        const PendingLane& it = asked[i];
        found.push_back({it.question.track, it.row, it.lineKind, fetchLane(timeline, it.question, stop)});
        if (std::chrono::steady_clock::now() - since > Batch) {
            handOver();
            since = std::chrono::steady_clock::now();
        }
    }
    handOver();
}

void LaneFetcher::takeLanes(const std::vector<FetchedLane>& found)
{
    for (const FetchedLane& it : found) {
        m_lanes[it.track] = it.lane;
        if (it.lineKind)
            m_lineScales.add(*it.lineKind, *it.lane);
        emit laneCame(it.row);
    }
}

void LaneFetcher::takeRangeData(RangeData whole)
{
    m_arrows = std::move(whole.arrows);
    m_arrowTotal = whole.arrowTotal;
    emit arrowsCame();
    if (std::exchange(m_losses, std::move(whole.losses)) != m_losses)
        emit lossesChanged();
    for (const auto& [track, share] : whole.shares)
        m_shares[track] = share;
    emit sharesCame();
    if (m_asksAgain)
        emit wanted();
}

void LaneFetcher::cancel()
{
    m_asksAgain = false;
    m_job.cancel();
}

void LaneFetcher::timelineChanged()
{
    ++m_version;
    m_asksAgain = m_job.isBusy();
    if (!m_asksAgain)
        emit wanted();
}

void LaneFetcher::clear()
{
    cancel();
    m_lanes.clear();
    m_shares.clear();
    m_losses.clear();
    m_lineScales.clear();
    m_arrows.clear();
    m_arrowTotal = 0;
}

const Lane* LaneFetcher::lane(TrackRef track) const
{
    const auto lane = m_lanes.find(track);
    return lane == m_lanes.end() ? nullptr : lane->second.get();
}

} // namespace helio
