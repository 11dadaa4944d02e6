#include "app/gui/compare_window/matched_order.h"

#include "widgets/compare/compare_context.h"
#include "widgets/timeline/panels/track_panel.h"

namespace helio {

MatchedOrder::MatchedOrder(CompareContext& context, TrackPanel& a, TrackPanel& b, QObject* parent)
    : QObject(parent)
    , m_context(context)
    , m_a(a)
    , m_b(b)
{
    connect(&context, &CompareContext::timelineChanged, this, &MatchedOrder::match);
    connect(&context, &CompareContext::settledChanged, this, &MatchedOrder::match);
    connect(&a, &TrackPanel::rowsArranged, this, &MatchedOrder::rank);
    connect(&a, &TrackPanel::rowOrderChosen, this, [this] { m_b.setRowOrder(m_a.rowOrder()); });
    connect(&b, &TrackPanel::rowOrderChosen, this, [this] { m_a.setRowOrder(m_b.rowOrder()); });
}

/// Matches the rows of both sides, or forgets the matches while a side is being read.
void MatchedOrder::match()
{
    const auto a = m_context.a().timeline();
    const auto b = m_context.b().timeline();
    m_matches.reset();
    if (!a || !b || !m_context.isSettled()) {
        m_job.cancel();
        return rank();
    }
    const auto cache = m_context.matchingRows();
    m_job.post([this, cache, a, b, viewA = m_a.id(), viewB = m_b.id()](std::stop_token stop) -> LatestTask::Delivery {
        return [this, matches = cache->find(a, viewA, b, viewB, stop)] {
            m_matches = matches;
            rank();
        };
    });
}

/// Gives each matching row of B the position of its match in A.
void MatchedOrder::rank()
{
    auto ranks = !m_matches || m_matches->empty() ? nullptr : std::make_shared<RowTree::Ranks>();
    if (ranks) {
        RowTree::Ranks positions;
        int position = 0;
        for (const TrackRef track : m_a.trackOrder())
            positions.emplace(track, position++);
        for (const auto& [inA, inB] : *m_matches)
            if (const auto found = positions.find(inA); found != positions.end())
                ranks->emplace(inB, found->second);
    }
    const bool isSame = ranks && m_ranks ? *ranks == *m_ranks : !ranks && !m_ranks;
    if (isSame)
        return;
    m_ranks = std::move(ranks);
    m_b.setRanks(m_ranks);
}

} // namespace helio
