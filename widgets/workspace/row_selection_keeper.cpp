#include "widgets/workspace/row_selection_keeper.h"

#include "core/query/related/related.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"

namespace helio {

namespace {

/// Returns the store of a row that spans all traces; nullptr if the row belongs to one trace or does not exist.
const Store* storeOfAll(const Timeline& timeline, TrackRef row)
{
    return isOfAllTraces(timeline, row.store) ? storeOf(timeline, row) : nullptr;
}

} // namespace

RowSelectionKeeper::RowSelectionKeeper(ViewContext& context, QObject* parent)
    : QObject(parent)
    , m_context(context)
{
    connect(&context.time(), &TimeWindow::rowChanged, this, &RowSelectionKeeper::note);
    connect(&context, &ViewContext::timelineChanged, this, &RowSelectionKeeper::follow);
}

void RowSelectionKeeper::note()
{
    if (m_isFollowing)
        return;
    m_kept.reset();
    const auto timeline = m_context.timeline();
    const TrackRef row = m_context.time().row();
    const Track* track = timeline ? trackOf(*timeline, row) : nullptr;
    const Store* store = track ? storeOfAll(*timeline, row) : nullptr;
    if (!store)
        return;
    const auto about = noteOf(*timeline, row);
    m_kept = {timeline, store, track->view, track->key, about ? about->source : TrackRef()};
}

void RowSelectionKeeper::follow()
{
    const auto timeline = m_context.timeline();
    if (!timeline)
        return m_kept.reset();
    if (!m_kept || storeOfAll(*timeline, m_context.time().row()) == m_kept->store)
        return;
    const TrackRef found = findCorrelatorRow(*timeline, m_kept->view, m_kept->id, m_kept->source);
    select(found);
    // If the timeline lacks rows, m_kept is not replaced, because a later timeline may have its row.
    if (found.isValid() || !hasMissingRows(*timeline))
        note();
}

void RowSelectionKeeper::select(TrackRef row)
{
    m_isFollowing = true;
    m_context.time().setRow(row);
    m_isFollowing = false;
}

} // namespace helio
