#include "app/gui/common/navigator.h"

#include "core/profiling/samples/sampled_code.h"
#include "core/query/events/events.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"
#include "core/waits/path/path.h"
#include "widgets/workspace/go_to.h"

#include <algorithm>
#include <array>

namespace helio {

namespace {

std::optional<EventHit> nextEvent(const std::shared_ptr<const Timeline>& timeline, const std::shared_ptr<const Expression>& expression,
                                  Timestamp at, bool isForward, std::stop_token stop)
{
    EventTable table(timeline);
    std::uint64_t from = table.indexAt(at, stop);
    while (!stop.stop_requested()) {
        const auto found = findNextEvent(timeline, expression, from, isForward, stop);
        if (found.empty() || found.front().time != at)
            return found.empty() ? std::nullopt : std::optional(found.front());
        from = found.front().index; // The found event has the same time as the cursor. Search on after (or before) this event.
    }
    return {};
}

/// True if the row shows one depth of sampled call stacks, not recorded calls.
bool isOfSamples(const Timeline& timeline, TrackRef row)
{
    return valueKindOf(timeline, row) == ValueKind::Frame
        && std::ranges::none_of(segmentsIn(timeline, row.store).kinds(), &SegmentKind::areCalls);
}

QString whyNoCall(const Timeline* timeline, TrackRef row)
{
    return timeline && isOfSamples(*timeline, row) ? Navigator::tr("Samples do not record where calls begin and end")
                                                   : Navigator::tr("No call is selected");
}

/// Returns the stack of the frame at a time on a row of call stacks; NoStack if there is none.
StackId frameAt(const Timeline& timeline, TrackRef row, Timestamp at)
{
    const auto frames = valueKindOf(timeline, row) == ValueKind::Frame ? intervalAt(timeline, row, at) : std::vector<Interval>();
    return frames.empty() ? NoStack : StackId{frames.front().value};
}

QString whyNotThere(CallSelector step)
{
    switch (step) {
    case CallSelector::Next: return Navigator::tr("No later call of this function");
    case CallSelector::Previous: return Navigator::tr("No earlier call of this function");
    case CallSelector::Longest: return Navigator::tr("This is the longest call of this function");
    case CallSelector::Shortest: return Navigator::tr("This is the shortest call of this function");
    default: return Navigator::tr("This is the median call of this function");
    }
}

} // namespace

Navigator::Navigator(ViewContext& context, QObject* parent)
    : QObject(parent)
    , m_context(context)
{
}

void Navigator::goTo(Timestamp at)
{
    TimeWindow& time = m_context.time();
    const TimeRange full = time.full();
    if (full.isEmpty())
        return;
    const Timestamp inside = std::clamp(at, full.begin, full.end);
    emit remark(inside != at ? tr("That time is outside the experiment") : QString());
    time.jump({.cursor = inside});
}

void Navigator::goTo(TimeRange range)
{
    TimeWindow& time = m_context.time();
    const TimeRange full = time.full();
    if (full.isEmpty())
        return;
    const TimeRange inside = range.clippedTo(full);
    if (inside.isEmpty())
        return emit remark(tr("That range is outside the experiment"));
    emit remark(inside != range ? tr("Part of the range is outside the experiment") : QString());
    const Duration margin = inside.duration() / 20;
    time.jump({.cursor = inside.begin, .selection = inside, .visible = TimeRange{inside.begin - margin, inside.end + margin}});
}

void Navigator::stepEvent(bool isForward)
{
    TimeWindow& time = m_context.time();
    const auto timeline = m_context.timeline();
    if (!timeline || !time.row().isValid())
        return emit remark(tr("No row is selected"));
    m_job.post([this, timeline, row = time.row(), at = time.cursor(), isForward](std::stop_token stop) -> LatestTask::Delivery {
        const std::string text = eventsOf(*timeline, row);
        const auto expression = Expression::parse(text);
        const auto hit = text.empty() || !expression ? std::nullopt : nextEvent(timeline, *expression, at, isForward, stop);
        return [this, hit, isForward] {
            if (!hit)
                return emit remark(isForward ? tr("No later event in this row") : tr("No earlier event in this row"));
            emit remark({});
            m_context.time().step({.cursor = hit->time});
        };
    });
}

void Navigator::stepHit(bool isForward)
{
    SearchHits& hits = m_context.hits();
    if (hits.text().isEmpty())
        return m_context.trigger("analyse.search");
    const TimeRange within = stepRange(m_context);
    const auto next = hits.next(m_context.time().cursor(), isForward, within);
    if (!next && !within.isEmpty())
        return emit remark(isForward ? tr("No later hit in the selected range") : tr("No earlier hit in the selected range"));
    if (!next)
        return emit remark(isForward ? tr("No later hit") : tr("No earlier hit"));
    emit remark({});
    const TimeWindow::Step step(m_context.time()); // Record the cursor's move and the changes of the selection as one step of the history.
    if (const auto place = hits.placeOf(*next)) {
        m_job.cancel();
        hits.setCurrent(*next);
        return goToRange(m_context, *place);
    }
    const EventHit hit = hits.hits()[*next];
    const TimeRange before = m_context.time().selection();
    hits.setCurrent(*next); // Also selects the call if the hit is a call.
    const TimeRange selection = m_context.time().selection();
    // Keep the selection if the search is restricted to it (`within`), or if setCurrent() has just selected the call of this hit. Clear
    // every other selection, because it is the call of the previous hit.
    m_context.time().jump({.cursor = hit.time, .selection = within.isEmpty() && selection == before ? TimeRange() : selection});
    m_job.post([this, timeline = m_context.timeline(), hit](std::stop_token stop) -> LatestTask::Delivery {
        const auto found = timeline ? EventTable(timeline).rows(std::array{hit.index}, stop) : std::vector<EventRow>();
        if (found.empty())
            return {};
        return [this, event = std::make_shared<const EventRow>(found.front())] { goToEvent(m_context, event); };
    });
}

void Navigator::stepBookmark(bool isForward)
{
    const auto& all = m_context.bookmarks().all();
    const Timestamp now = m_context.time().cursor();
    std::optional<Timestamp> target;
    for (const Bookmark& bookmark : all) {
        const Timestamp at = bookmark.range.begin;
        if (isForward ? at > now && !target : at < now)
            target = at;
    }
    if (!target)
        return emit remark(isForward ? tr("No later bookmark") : tr("No earlier bookmark"));
    goTo(*target);
}

namespace {

/// Returns the next step of the highlighted critical path that begins after `at`, or the previous step that begins before `at`; nullptr if
/// there is none.
const HighlightMask::Step* stepFrom(const HighlightMask& light, Timestamp at, bool isForward)
{
    const auto& all = light.steps;
    if (isForward) {
        const auto next = std::ranges::upper_bound(all, at, {}, [](const HighlightMask::Step& it) { return it.range.begin; });
        return next == all.end() ? nullptr : &*next;
    }
    const auto here = std::ranges::lower_bound(all, at, {}, [](const HighlightMask::Step& it) { return it.range.begin; });
    return here == all.begin() ? nullptr : &*(here - 1);
}

} // namespace

/// Goes to the next or previous step of the critical path. If the selected row is in the path's own view, selects a row of that view, else
/// a thread's row.
void Navigator::stepPath(bool isForward)
{
    const auto light = m_context.light();
    const auto timeline = m_context.timeline();
    if (!light || !timeline)
        return emit remark(tr("No critical path is shown; select a thread and press Shift+Y"));
    TimeWindow& time = m_context.time();
    const auto* const step = stepFrom(*light, time.cursor(), isForward);
    if (!step)
        return emit remark(isForward ? tr("The path ends here") : tr("The path begins here"));
    const HighlightMask::Step to = *step; // Copy the step, because the calls below may replace the highlight, which owns the step.
    const bool isInOwn = viewOf(*timeline, time.row()) == PathRelation;
    const TrackRef own = isInOwn ? findCorrelatorRow(*timeline, PathRelation, {}, to.row) : TrackRef();
    time.step({.row = own.isValid() ? own : to.row, .cursor = to.range.begin});
    m_context.focusRows();
    emit remark(QString());
}

void Navigator::stepCall(CallSelector step)
{
    const TimeWindow& time = m_context.time();
    const auto timeline = m_context.timeline();
    const auto call = timeline ? callAt(*timeline, time.row(), time.cursor()) : std::nullopt;
    if (!call)
        return emit remark(whyNoCall(timeline.get(), time.row()));
    m_job.post([this, timeline, call, step](std::stop_token stop) -> LatestTask::Delivery {
        const auto names = callNamesOf(timeline, stop);
        const auto there = FunctionCalls(*timeline, *names, *call).step(*call, step, stop);
        return [this, call, there, step] {
            if (!there || there == call)
                return emit remark(whyNotThere(step));
            emit remark({});
            goToCall(m_context, *there);
        };
    });
}

void Navigator::findCalled(std::function<void(const SampledFunction& function)> take)
{
    const TimeWindow& time = m_context.time();
    const auto timeline = m_context.timeline();
    const auto call = timeline ? callAt(*timeline, time.row(), time.cursor()) : std::nullopt;
    const StackId frame = timeline && !call ? frameAt(*timeline, time.row(), time.cursor()) : NoStack;
    if (!call && frame == NoStack)
        return emit remark(whyNoCall(timeline.get(), time.row()));
    m_job.post(
        [this, timeline, call, frame, store = time.row().store, take = std::move(take)](std::stop_token stop) -> LatestTask::Delivery {
            const auto function = call ? std::optional(callNamesOf(timeline, stop)->functionOf(call->store, call->recorded.stack()))
                                       : functionOfStack(*timeline, store, frame, stop);
            if (stop.stop_requested())
                return {};
            return [this, take, function] {
                if (!function)
                    return emit remark(tr("The function of this frame is unknown"));
                emit remark({});
                take(*function);
            };
        });
}

std::size_t Navigator::putBookmark(const QString& name)
{
    const TimeWindow& time = m_context.time();
    const TimeRange range = time.selection().isEmpty() ? TimeRange{time.cursor(), time.cursor()} : time.selection();
    return m_context.bookmarks().add(range, name);
}

} // namespace helio
