#include "widgets/timeline/graph/scene_lanes.h"

namespace helio {

namespace {

constexpr int RowMargin = 8; ///< Number of rows to request above and below the rows in view.

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
            m_request.near.insert(m_request.near.end(), m_rows[row].lanes.begin(), m_rows[row].lanes.end());
        return std::move(m_request);
    }

private:
    void bars(int row)
    {
        const GraphRow& it = m_rows[row];
        for (const TrackRef lane : it.lanes)
            m_request.lanes.push_back({.track = lane, .row = it.lane(), .tile = m_scene.laneShape(lane)});
        if (it.lane().isValid() && it.lanes.empty())
            m_request.lanes.push_back({it.lane(), it.lane(), it.sources, m_scene.tileShape(row)});
    }
    void line(int row)
    {
        const GraphRow& it = m_rows[row];
        if (it.line.track.isValid())
            m_request.lanes.push_back({.track = it.line.track, .row = it.lane(), .lineKind = it.line.kind});
    }
    /// Requested like a line, without texts and tile; no line uses its scale, which has an empty kind.
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
        if (!it.hasShare || !it.ref.isValid())
            return;
        if (it.sources)
            std::ranges::transform(*it.sources, std::back_inserter(m_request.meters), &LaneSource::track);
        else
            m_request.meters.push_back(it.meter());
    }

    const GraphScene& m_scene;
    const GraphRows& m_rows;
    LaneRequest m_request;
};

} // namespace

LaneRequest lanesOf(const GraphScene& scene) { return RequestBuilder(scene).build(); }

} // namespace helio
