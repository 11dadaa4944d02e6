#include "widgets/timeline/panels/steal_edges.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/virtualization/bindings.h"

namespace helio {

StealEdges::StealEdges(TimeAxis& axis, QObject* parent)
    : QObject(parent)
    , m_axis(axis)
{
    connect(&axis, &TimeAxis::timelineChanged, this, &StealEdges::forget);
    connect(&axis, &TimeAxis::pointedRowChanged, this, &StealEdges::ask);
    connect(&axis.window(), &TimeWindow::hoveredChanged, this, &StealEdges::ask);
    connect(&axis.window(), &TimeWindow::visibleChanged, this, &StealEdges::ask);
    connect(&axis.window(), &TimeWindow::rowChanged, this, &StealEdges::ask);
    connect(&axis.window(), &TimeWindow::cursorChanged, this, &StealEdges::ask);
}

void StealEdges::forget()
{
    if (m_of == m_axis.timeline())
        return;
    m_job.cancel();
    m_of = m_axis.timeline();
    m_pointed = m_selected = {};
    m_hasMachines = true;
    show();
    ask();
}

/// Finds the culprits for the row's state at a time. The result is valid for the range of the state; without a state, for that moment only.
StealEdges::StealResult StealEdges::findResult(const Timeline& timeline, TrackRef row, Timestamp at, const std::stop_token& stop)
{
    if (!trackOf(timeline, row))
        return {};
    TrackRef states = row;
    // During steal time, a guest's recorded row seems to run. The row that includes steal time is queried instead.
    for (const auto& [recorded, shown] : guestRowPairs(timeline))
        if (recorded == row)
            states = shown;
    const auto here = intervalAt(timeline, states, at);
    const TimeRange range = here.empty() ? TimeRange{at, at + Duration(1)} : here.front().range;
    auto found = findCulpritIntervals(timeline, states, at, stop);
    return {row, range, found.empty() ? nullptr : std::make_shared<const std::vector<CulpritInterval>>(std::move(found))};
}

void StealEdges::ask()
{
    if (!m_of || !m_hasMachines)
        return;
    const auto hovered = m_axis.window().hovered();
    // The pointer's time may be out of view after the user moved the visible range by keys.
    const bool isInView = hovered && m_axis.window().visible().contains(*hovered);
    const TrackRef row = isInView ? m_axis.pointedRow() : TrackRef();
    const Timestamp at = hovered.value_or(Timestamp());
    const TrackRef selected = m_axis.window().row();
    const Timestamp cursor = m_axis.window().cursor();
    if (!row.isValid())
        m_pointed = {};
    const bool knowsPointed = !row.isValid() || m_pointed.isOf(row, at);
    if (knowsPointed && (!selected.isValid() || m_selected.isOf(selected, cursor))) {
        m_job.cancel();
        return show();
    }
    m_job.post([this, timeline = m_of, row, at, selected, cursor, pointed = m_pointed,
                chosen = m_selected](std::stop_token stop) mutable -> LatestTask::Delivery {
        const bool has = hasVirtualMachines(*timeline);
        if (has && !pointed.isOf(row, at))
            pointed = findResult(*timeline, row, at, stop);
        if (has && !chosen.isOf(selected, cursor))
            chosen = findResult(*timeline, selected, cursor, stop);
        return [this, timeline, has, pointed = std::move(pointed), chosen = std::move(chosen)] {
            if (m_of != timeline)
                return;
            m_hasMachines = has || !isComplete(*timeline);
            m_pointed = pointed;
            m_selected = chosen;
            show();
        };
    });
}

void StealEdges::show()
{
    m_axis.setStealIntervals(m_pointed.all ? m_pointed.all : m_selected.all, m_pointed.all ? m_pointed.range : TimeRange());
}

} // namespace helio
