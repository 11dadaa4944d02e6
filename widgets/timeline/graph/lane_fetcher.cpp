#include "widgets/timeline/graph/lane_fetcher.h"

#include "core/base/deferred_fetches.h"
#include "core/base/parallel_for.h"

#include <chrono>
#include <sys/resource.h>
#include <unordered_set>

namespace helio {

namespace {

constexpr std::size_t MostLanes = 200; ///< Maximum number of cached lanes that are not near the view; a lane takes about 100 KB.
constexpr std::size_t MostArrows = 4000;
constexpr auto Batch = std::chrono::milliseconds(12);
constexpr std::size_t MostThreads = 4;
constexpr std::size_t LanesAThread = 8; ///< Number of lanes per thread: fetching fewer lanes is faster than starting another thread.

/// Extends the window by a quarter at both sides, so that a short pan needs no query.
void widen(LaneQuery& question)
{
    const Duration margin = question.window.duration() / 4;
    question.window = {question.window.begin - margin, question.window.end + margin};
    const int columns = int(question.tile.scale.width());
    question.tile.first = -columns / 4;
    question.tile.columns = columns + 2 * (columns / 4);
}

constexpr int RowMargin = 8; ///< Number of rows above and below the view whose lanes are also requested.

class RequestBuilder {
public:
    explicit RequestBuilder(const GraphScene& scene)
        : m_scene(scene)
        , m_rows(*scene.rows)
    {
        m_request.scale = TimeScale(scene.scale.window(), scene.device(scene.scale.width()));
        m_request.pixelsPerPoint = scene.pixelRatio;
    }

    LaneRequest build()
    {
        const auto [first, last] = m_scene.visibleRows();
        const int above = std::max(0, first - RowMargin), below = std::min(m_rows.count(), last + RowMargin);
        m_request.lanes.reserve(std::size_t(below - above));
        for (int row = first; row < last; ++row) {
            bars(row);
            line(row);
            overlay(row);
            cover(row);
            meter(row);
        }
        for (int row = above; row < below; ++row)
            if (row < first || row >= last)
                bars(row);
        for (int row = std::max(0, above - RowMargin); row < std::min(m_rows.count(), below + RowMargin); ++row)
            for (const TrackRef track : {m_rows[row].lane(), m_rows[row].line.track, m_rows[row].overlay, m_rows[row].cover})
                if (track.isValid())
                    m_request.near.push_back(track);
        for (int row = above; row < below; ++row)
            for (const auto* lanes : {&m_rows[row].lanes, &m_rows[row].laneGrounds})
                m_request.near.insert(m_request.near.end(), lanes->begin(), lanes->end());
        return std::move(m_request);
    }

private:
    void bars(int row)
    {
        const GraphRow& it = m_rows[row];
        for (const TrackRef lane : it.lanes)
            m_request.lanes.push_back({.track = lane, .row = it.lane(), .tile = m_scene.laneShape(lane)});
        for (const TrackRef ground : it.laneGrounds)
            if (ground.isValid())
                m_request.lanes.push_back({.track = ground, .row = it.lane(), .tile = m_scene.laneShape(ground)});
        if (it.lane().isValid() && it.lanes.empty())
            m_request.lanes.push_back({it.lane(), it.lane(), it.sources, m_scene.tileShape(row)});
    }
    void line(int row)
    {
        const GraphRow& it = m_rows[row];
        if (it.line.track.isValid())
            m_request.lanes.push_back({.track = it.line.track, .row = it.lane(), .lineKind = it.line.kind});
    }
    /// Adds the request for a row's overlay, the track that is hatched over the row's bars. Like the request for a line of numbers, it has
    /// no texts and no tile; its kind is empty, so it has no scale.
    void overlay(int row)
    {
        const GraphRow& it = m_rows[row];
        if (it.overlay.isValid() && !it.sources)
            m_request.lanes.push_back({.track = it.overlay, .row = it.lane(), .lineKind = std::string()});
    }
    void cover(int row)
    {
        const GraphRow& it = m_rows[row];
        if (!it.cover.isValid())
            return;
        TileShape tile = m_scene.tileShape(row);
        tile.look = m_scene.looks->of(*m_scene.timeline, it.cover, nullptr);
        m_request.lanes.push_back({.track = it.cover, .row = it.lane(), .tile = std::move(tile)});
    }
    void meter(int row)
    {
        const GraphRow& it = m_rows[row];
        if (!it.hasShare || !it.isMeasured())
            return;
        if (it.utilization)
            m_request.utilized.emplace_back(it.ref, *it.utilization);
        else if (it.sources)
            std::ranges::transform(*it.sources, std::back_inserter(m_request.meters), &LaneSource::track);
        else
            m_request.meters.push_back(it.meter());
    }

    const GraphScene& m_scene;
    const GraphRows& m_rows;
    LaneRequest m_request;
};

/// Lowers the priority of the calling thread to nice value 10, so that threads that paint, here or in the display server, get the CPU
/// first. Must only be called on a thread that was started for one task: an unprivileged thread cannot raise its priority again. On Linux
/// each thread has its own nice value.
void lowerThreadPriority() { ::setpriority(PRIO_PROCESS, 0, 10); }

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
                utilized = std::move(request.utilized), window = request.scale.window(),
                links = std::move(request.links)](std::stop_token stop) -> LatestTask::Delivery {
        fetchLanes(*timeline, asked, stop);
        if (stop.stop_requested())
            return {};
        RangeData whole;
        if (!links.isEmpty())
            whole.arrows =
                withFetchedBytes(stop, [&] { return helio::arrows(*timeline, links, window, MostArrows, &whole.arrowTotal, stop); });
        whole.losses = helio::losses(*timeline, window);
        whole.shares = withFetchedBytes(stop, [&] {
            Shares shares;
            for (const auto& [row, share] : busyShares(*timeline, meters, window, stop))
                shares.insert_or_assign(row, share);
            addUtilization(*timeline, utilized, window, shares);
            return shares;
        });
        if (stop.stop_requested())
            return {};
        return [this, meters, utilized, whole = std::move(whole)]() mutable {
            for (const TrackRef row : meters) // A row without data in this window must not keep its share of the previous window.
                m_shares.erase(row);
            for (const auto& [row, series] : utilized)
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
    // A row with states and a row with only samples look different. Only the query finds out which kind of row it is, so the request has
    // both looks.
    if (!wanted.lineKind) {
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

/// Fetches the lanes on several threads, including the calling one.
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

/// Fetches the remaining lanes one by one; runs on several threads. Lanes are delivered in batches, so that the first rows do not wait for
/// the last one. Lanes of which bytes are on another machine come last, because all these bytes are fetched together.
void LaneFetcher::fetchNext(const Timeline& timeline, const std::vector<PendingLane>& asked, std::atomic<std::size_t>& next,
                            std::stop_token stop)
{
    auto since = std::chrono::steady_clock::now();
    std::vector<FetchedLane> found;
    DeferredFetches deferred;
    std::vector<const PendingLane*> later; // Lanes of which bytes were missing.
    const auto fetch = [&](const PendingLane& it, bool acceptsGaps) {
        auto lane = fetchLane(timeline, it.question, stop);
        if (deferred.takeMissing() && !acceptsGaps)
            later.push_back(&it);
        else
            found.push_back({it.question.track, it.row, it.lineKind, std::move(lane)});
    };
    const auto handOver = [&] { m_job.deliver(stop, [this, part = std::exchange(found, {})] { takeLanes(part); }); };
    for (std::size_t i = next++; i < asked.size() && !stop.stop_requested(); i = next++) {
        fetch(asked[i], false);
        if (std::chrono::steady_clock::now() - since > Batch) {
            handOver();
            since = std::chrono::steady_clock::now();
        }
    }
    handOver();
    while (!later.empty() && !stop.stop_requested()) {
        const bool haveAllCome = deferred.wait(stop);
        for (const PendingLane* const it : std::exchange(later, {}))
            if (!stop.stop_requested())
                fetch(*it, !haveAllCome);
        handOver();
    }
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

LaneRequest lanesOf(const GraphScene& scene) { return RequestBuilder(scene).build(); }

} // namespace helio
