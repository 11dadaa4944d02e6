#include "app/gui/compare_window/selected_rows.h"

#include "core/query/rows/row_lookup.h"
#include "widgets/compare/compare_context.h"

#include <utility>

namespace helio {

SelectedRows::SelectedRows(CompareContext& context)
    : m_context(context)
{
    for (const Side side : Sides)
        connect(&context.side(side).time(), &TimeWindow::rowChanged, this, [this, side] {
            if (std::exchange(m_wantsThreads, m_wantsThreads && !compareThreads()))
                return;
            selectMatch(side);
        });
}

bool SelectedRows::compareThreads()
{
    const auto threadOf = [this](Side side) {
        const auto timeline = m_context.side(side).timeline();
        const TrackRef row = m_context.side(side).time().row();
        const auto found = timeline && row.isValid() ? rowOf(*timeline, row) : std::nullopt;
        return found && (found->role == TrackRole::Thread || found->valueKind == ValueKind::Frame) ? row : TrackRef();
    };
    const TrackRef a = threadOf(Side::A);
    const TrackRef b = threadOf(Side::B);
    if (!a.isValid() || !b.isValid())
        return false;
    m_context.setThreads(a, b);
    return true;
}

/// Selects the row with the same process and thread name on the other side. Does nothing if the sides are not linked or threads are
/// compared.
void SelectedRows::selectMatch(Side from)
{
    const Side to = from == Side::A ? Side::B : Side::A;
    const TrackRef chosen = m_context.side(from).time().row();
    const auto a = m_context.a().timeline();
    const auto b = m_context.b().timeline();
    if (m_isSelecting || !m_context.link().isLinked() || m_context.comparesThreads() || !chosen.isValid() || !a || !b)
        return;
    const std::string view(viewOf(from == Side::A ? *a : *b, chosen));
    const auto cache = m_context.matchingRows();
    m_matcher.post([this, from, to, chosen, cache, a, b, view](std::stop_token stop) -> LatestTask::Delivery {
        TrackRef match;
        for (const auto& [inA, inB] : *cache->find(a, view, b, view, stop))
            if ((from == Side::A ? inA : inB) == chosen)
                match = from == Side::A ? inB : inA;
        return [this, from, to, match] {
            if (!match.isValid()) {
                emit remark(tr("Only in %1").arg(letterOf(from)));
                return;
            }
            m_isSelecting = true;
            m_context.side(to).time().setRow(match);
            m_isSelecting = false;
        };
    });
}

} // namespace helio
