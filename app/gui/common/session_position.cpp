#include "app/gui/common/session_position.h"

#include "app/gui/common/experiment_pane.h"
#include "app/gui/common/trace_path.h"
#include "core/query/related/related.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "widgets/async/latest_task.h"

namespace helio {

namespace {

TrackRef rowIn(const Timeline& timeline, const SessionState& place)
{
    for (const Row& row : rows(timeline, place.rowView.toStdString()))
        if (int(row.trace) == place.rowTrace && row.id == place.rowId.toStdString())
            return row.ref;
    return {};
}

/// Finds and selects the row of a session in a background thread, because there may be 100,000 rows. The job deletes itself when the row is
/// found or the timeline is complete.
void restoreRow(ViewContext& context, const SessionState& place)
{
    auto* job = new LatestTask(&context);
    const auto look = [job, &context, place] {
        const auto timeline = context.timeline();
        if (!timeline)
            return job->deleteLater();
        // Let a running search end, unless the timeline is complete: only for the complete timeline is the search started again.
        if (job->isBusy() && !isComplete(*timeline))
            return;
        job->post([job, &context, place, timeline](std::stop_token) -> LatestTask::Delivery {
            const TrackRef row = rowIn(*timeline, place);
            return [job, &context, row, isLast = isComplete(*timeline) && !hasMissingRows(*timeline)] {
                if (row.isValid())
                    context.time().setRow(row);
                if (row.isValid() || isLast)
                    job->deleteLater();
            };
        });
    };
    QObject::connect(&context, &ViewContext::timelineChanged, job, look);
    look();
}

/// Sets the selected row in `place`.
void addRow(ViewContext& context, SessionState& place)
{
    const TimeWindow& time = context.time();
    if (const auto timeline = context.timeline(); timeline && time.row().isValid()) {
        if (const auto row = rowOf(*timeline, time.row())) {
            const std::string_view view = viewOf(*timeline, time.row());
            place.rowView = QString::fromUtf8(view.data(), qsizetype(view.size()));
            place.rowId = QString::fromStdString(row->id);
            place.rowRole = row->role;
            place.isRowOfCalls = row->valueKind == ValueKind::Frame;
            place.rowTrace = int(row->trace);
        }
    }
}

} // namespace

SessionState selectedRowPosition(ExperimentPane& pane)
{
    SessionState place;
    addRow(pane.context(), place);
    return place;
}

void restoreRow(ExperimentPane& pane, const SessionState& place)
{
    const SessionState now = selectedRowPosition(pane);
    if (place.rowTrace < 0 || (now.rowTrace == place.rowTrace && now.rowId == place.rowId && now.rowView == place.rowView))
        return;
    pane.time().setRow({});
    restoreRow(pane.context(), place);
}

SessionState positionOf(ExperimentPane& pane)
{
    ViewContext& context = pane.context();
    const TimeWindow& time = context.time();
    SessionState place;
    for (const QString& path : pane.session().paths())
        place.traces << absolutePath(path);
    place.symbols = pane.session().symbols();
    place.visible = time.visible();
    place.selection = time.selection();
    place.cursor = time.cursor();
    place.bookmarks = context.bookmarks().all();
    place.clocks = context.clocks().choice();
    place.looks = context.clocks().looks();
    place.search = context.hits().text();
    place.path = PathChoice::of(context).named();
    place.isPathLit = pane.axis().showsLight();
    place.showsOnlyPath = pane.axis().showsOnlyPath();
    addRow(context, place);
    return place;
}

void restorePosition(ExperimentPane& pane, const SessionState& place)
{
    ViewContext& context = pane.context();
    TimeWindow& time = context.time();
    if (!place.visible.isEmpty())
        time.setVisible(place.visible);
    time.setSelection(place.selection);
    time.setCursor(place.cursor);
    context.bookmarks().setAll(place.bookmarks);
    if (place.looks != context.clocks().looks())
        context.clocks().begin(context.clocks().choice(), place.looks);
    if (place.rowTrace >= 0)
        restoreRow(context, place);
    PathChoice::of(context).setNamed(place.path);
    pane.axis().setShowsLight(place.isPathLit);
    pane.axis().setShowsOnlyPath(place.showsOnlyPath);
}

} // namespace helio
