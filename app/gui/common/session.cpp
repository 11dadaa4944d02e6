#include "app/gui/common/session.h"

#include "app/gui/common/symbols_dialog.h"
#include "app/gui/common/trace_path.h"
#include "core/experiment/timeline.h"
#include "core/query/related/related.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/recording_groups.h"
#include "core/query/rows/rows.h"
#include "core/waits/path/path_highlight.h"
#include "widgets/time/qt_text.h"
#include "widgets/workspace/path_choice.h"

#include <utility>

namespace helio {

using namespace std::chrono_literals;

namespace {

constexpr auto RowsMessageDelay = 200ms; ///< Delay before the status bar shows that rows are being made.
constexpr Duration FirstPathDuration =
    50ms; ///< Time limit for computing a first part of a critical path, so that its rows are visible within a tenth of a second.

std::vector<std::filesystem::path> filesOf(const QStringList& paths)
{
    std::vector<std::filesystem::path> files;
    for (const QString& path : paths)
        files.emplace_back(path.toStdString());
    return files;
}

} // namespace

Session::Session(ViewContext& context, QObject* parent)
    : QObject(parent)
    , m_context(context)
    , m_keptRow(context)
{
    m_timer.setInterval(100ms);
    connect(&m_timer, &QTimer::timeout, this, &Session::poll);
    connect(&m_context.clocks(), &ClockHistory::choiceChanged, this, &Session::setClocks);
    connect(&m_context.clocks(), &ClockHistory::previewingChanged, this, &Session::holdCursor);
    connect(&PathChoice::of(m_context), &PathChoice::changed, this, &Session::makeRows);
    connect(&m_opener, &LatestTask::failed, this, [this](const QString& why) {
        if (m_isReopening)
            return endReopening(); // Reopening failed, so the current experiment stays visible.
        m_problem = why;
        setState(State::Failed);
    });
    connect(&m_rows, &LatestTask::failed, this, [this] {
        // Clear the request for a critical path; otherwise the next timeline would start the computation again.
        PathChoice::of(m_context).setQuestion({});
        emit progressChanged();
    });
    connect(&m_clocks, &LatestTask::failed, this, &Session::progressChanged);
}

Session::~Session()
{
    for (const auto* experiment : {&m_experiment, &m_next})
        if (*experiment)
            (*experiment)->cancel();
}

void Session::open(const QStringList& paths, ExperimentOptions options)
{
    m_symbols = options.symbols;
    options = withSavedSymbols(std::move(options));
    drop();
    if (paths != m_paths || options.clocks != m_context.clocks().choice()) { // Keep the undo history if the same traces are read again.
        m_context.clocks().begin(options.clocks);
        m_context.changes().forget(&m_context);
    }
    m_paths = paths;
    m_problem.clear();
    setState(State::Opening);
    m_opener.post([this, files = filesOf(paths), options](std::stop_token stop) -> LatestTask::Delivery {
        auto opened = std::make_shared<Result<std::unique_ptr<Experiment>>>(Experiment::open(files, options, stop));
        return [this, opened] {
            if (*opened)
                return takeOpened(std::move(**opened));
            m_problem = QString::fromStdString(opened->error().what);
            setState(State::Failed);
        };
    });
}

void Session::reopen(ExperimentOptions options)
{
    const bool isFirstReading = m_state == State::Opening || (m_state == State::Reading && !m_wasReopened);
    if (isFirstReading)
        m_wanted = std::move(options);
    if (isFirstReading || !m_experiment)
        return;
    endReopening();
    options = withSavedSymbols(withSymbols(std::move(options), m_symbols));
    options.clocks = m_context.clocks().choice();
    m_isReopening = true;
    m_opener.post([this, files = filesOf(m_paths), options](std::stop_token stop) -> LatestTask::Delivery {
        auto opened = std::make_shared<Result<std::unique_ptr<Experiment>>>(Experiment::open(files, options, stop));
        return [this, opened] {
            if (*opened)
                return takeReopened(std::move(**opened));
            endReopening(); // The traces could not be opened again, so the current experiment stays visible.
            m_context.say(QString::fromStdString(opened->error().what));
        };
    });
    emit progressChanged();
}

void Session::takeReopened(std::shared_ptr<Experiment> experiment)
{
    m_next = std::move(experiment);
    m_next->start([this] { QMetaObject::invokeMethod(this, &Session::replaceIfReady, Qt::QueuedConnection); });
    m_timer.start();
}

/// Replaces the shown experiment by the reopened experiment as soon as the reopened experiment's timeline has all rows that are shown. No
/// row then disappears temporarily.
void Session::replaceIfReady()
{
    const auto timeline = m_next ? m_next->timeline() : nullptr;
    if (timeline && (!m_takenTimeline || timeline->isComplete || containsAllOf(*timeline, *m_takenTimeline)))
        replace();
    else
        // Show the latest timeline of the current experiment, because the signal may come from that experiment instead of `m_next`.
        takeTimeline();
}

void Session::replace()
{
    emit aboutToReplace();
    const auto path = PathChoice::of(m_context).named();
    // Clear the path before the timeline changes: in the new timeline, the path's track number may belong to another track.
    PathChoice::of(m_context).setQuestion({});
    m_context.setLight({});
    m_rows.cancel();
    closeInBackground(std::exchange(m_experiment, std::move(m_next)));
    m_isReopening = false;
    m_wasReopened = true;
    setClocks();
    takeTimeline();
    PathChoice::of(m_context).setNamed(path);
    setState(State::Reading);
    m_timer.start();
    emit replaced();
}

void Session::endReopening()
{
    m_opener.cancel();
    closeInBackground(std::move(m_next));
    m_isReopening = false;
    emit progressChanged();
}

void Session::takeOpened(std::shared_ptr<Experiment> experiment)
{
    m_experiment = std::move(experiment);
    m_isShown = false;
    setState(State::Reading);
    m_experiment->start([this] { QMetaObject::invokeMethod(this, &Session::takeTimeline, Qt::QueuedConnection); });
    setClocks();
    takeTimeline();
    m_timer.start();
}

void Session::takeTimeline()
{
    const auto timeline = m_experiment ? m_experiment->timeline() : nullptr;
    if (!timeline || timeline == m_takenTimeline)
        return;
    const auto before = std::exchange(m_takenTimeline, timeline);
    TimeWindow& time = m_context.time();
    if (before && before->reference != timeline->reference)
        changeClock(*before, *timeline);
    // The highlighted critical path was computed with the previous clocks. Clear the highlight; it is set again when the path is
    // recomputed.
    if (before && before->clockSettings != timeline->clockSettings) {
        m_context.setLight({});
        PathChoice::of(m_context).clearGroup();
    }
    const TimeRange axis = axisRange(*timeline);
    time.setFull(axis);
    holdCursor();
    const bool isOutside = time.cursor() < axis.begin || time.cursor() > axis.end;
    if (isOutside && !time.isGrowing())
        time.setCursor(axis.begin);
    retimeEvent(before.get(), *timeline);
    const auto shown = m_context.timeline();
    m_context.setTimeline(shown && m_state == State::Ready ? withCopiedRows(timeline, *shown) : timeline);
    if (!m_isShown && (!timeline->range.isEmpty() || !hasTimes(*timeline))) {
        m_isShown = true;
        emit firstShown();
    }
    if (m_state == State::Ready)
        makeRows();
}

/// Prevents a move of the cursor while the timeline shows a preview of clocks, in which the cursor may be outside the traces.
void Session::holdCursor()
{
    const ClockHistory& clocks = m_context.clocks();
    const bool isLate = m_context.time().isGrowing() && m_takenTimeline && m_takenTimeline->clockSettings != clocks.choice();
    m_context.time().setGrowing(clocks.isPreviewing() || isLate);
}

/// Converts positions, selection and marks to the time axis of another reference host.
void Session::changeClock(const Timeline& before, const Timeline& timeline)
{
    const auto moved = [&](Timestamp at) { return convertTimeBetween(timeline, before, at); };
    m_context.time().changeClock(moved, timeline.range);
    if (auto path = PathChoice::of(m_context).question(); path && !path->range.isEmpty()) {
        path->range = {moved(path->range.begin), moved(path->range.end)};
        PathChoice::of(m_context).setQuestion(path);
    }
    m_context.bookmarks().changeClock(moved);
}

void Session::poll()
{
    if (m_next)
        return pollReopened();
    if (!m_experiment)
        return;
    m_progress = m_experiment->progress();
    if (m_progress.isDone) {
        m_timer.stop();
        takeTimeline();
        setState(State::Ready);
        makeRows();
        if (auto wanted = std::exchange(m_wanted, {}))
            reopen(std::move(*wanted));
    }
    emit progressChanged();
}

void Session::pollReopened()
{
    m_progress = m_next->progress();
    if (m_progress.isDone) // Replace the experiment even if opening failed, because the new experiment contains the reason.
        return replace();
    emit progressChanged();
}

void Session::makeRows()
{
    const auto path = PathChoice::of(m_context).question();
    if (path != m_highlightedPath) // Clear the highlight if it belongs to another path than the requested one.
        m_context.setLight({});
    m_showsPathBeginning = false;
    const bool hasPath = m_context.timeline() && !rows(*m_context.timeline(), PathRelation).empty();
    if (path && m_state != State::Ready)
        m_context.say(tr("Critical path available after loading"));
    if (!m_takenTimeline || m_state != State::Ready || (!hasMissingRows(*m_takenTimeline) && !path && !hasPath))
        return stopMakingRows();
    m_rows.post([this, timeline = m_takenTimeline, path](std::stop_token stop) -> LatestTask::Delivery {
        auto with = withShownRows(*timeline, stop);
        auto made = with && *with ? std::move(*with) : timeline;
        auto followed = path ? follow(*made, *path, stop) : Result<std::shared_ptr<const Timeline>>(made);
        auto light = path && followed ? std::make_shared<const HighlightMask>(highlightPath(**followed, *path, stop)) : nullptr;
        if (stop.stop_requested())
            return {};
        return [this, made, light, path, followed = std::move(followed)] {
            m_context.setTimeline(followed ? *followed : made);
            m_context.setLight(light);
            m_highlightedPath = path;
            if (!followed) {
                m_context.say(tr("No critical path: %1").arg(text(followed.error().what)));
                PathChoice::of(m_context).setQuestion({});
            }
            emit progressChanged();
        };
    });
    m_isFollowing = path.has_value();
    // Report the progress after a delay, so that the status bar does not show short work.
    QTimer::singleShot(RowsMessageDelay, this, &Session::progressChanged);
}

void Session::stopMakingRows()
{
    m_rows.cancel();
    emit progressChanged();
}

/// Returns the timeline with the critical path. If the computation takes long, shows the beginning of the path meanwhile.
/// Threads: called in the background thread of m_rows.
Result<std::shared_ptr<const Timeline>> Session::follow(const Timeline& timeline, const PathRequest& path, const std::stop_token& stop)
{
    auto soon = related(timeline, PathRelation, {path.thread, path.range, FirstPathDuration}, stop);
    if (!soon || !isPart(**soon, PathRelation))
        return soon;
    m_rows.deliver(stop, [this, begin = std::move(*soon)] {
        m_context.setTimeline(begin);
        m_showsPathBeginning = true;
    });
    return related(timeline, PathRelation, {path.thread, path.range}, stop);
}

/// Updates the time of the selected event after the clock of its trace changed.
void Session::retimeEvent(const Timeline* before, const Timeline& timeline)
{
    const auto event = m_context.selectedEvent();
    if (!before || !event || event->trace >= before->traces.size() || event->trace >= timeline.traces.size())
        return;
    const ClockTransform& was = before->traces[event->trace].clock;
    const ClockTransform& is = timeline.traces[event->trace].clock;
    if (was == is)
        return;
    const HostTimestamp at = was.inverse(event->time);
    // Clear the selected event if its original time is ambiguous: two original times are converted to the event's time.
    if (was(at) != event->time || was(at + Duration(1)) == event->time)
        return m_context.setEvent({});
    auto moved = std::make_shared<EventRow>(*event);
    moved->time = is(at);
    m_context.setEvent(std::move(moved));
}

/// Applies the user's clock settings. Finishes a running change before starting the next one, because otherwise no change would be shown
/// during a fast sequence of changes, e.g. a drag.
void Session::setClocks()
{
    if (!m_experiment)
        return;
    const bool isShown = m_takenTimeline && m_takenTimeline->clockSettings == m_sentClocks;
    if (!m_clocks.isBusy() || isShown)
        applyClocks();
}

void Session::applyClocks()
{
    const ClockSettings choice = m_context.clocks().choice();
    if (m_experiment->timeline()->clockSettings == choice && (!m_next || m_next->timeline()->clockSettings == choice))
        return m_clocks.cancel();
    m_sentClocks = choice;
    m_clocks.post([this, experiment = m_experiment, next = m_next, choice](std::stop_token stop) -> LatestTask::Delivery {
        for (const auto& it : {experiment, next})
            if (it)
                it->setClocks(choice, stop);
        return [this, choice] {
            emit progressChanged();
            if (m_experiment && m_context.clocks().choice() != choice)
                applyClocks();
        };
    });
    emit progressChanged();
}

void Session::prefer(const std::vector<std::uint32_t>& traces)
{
    if (m_experiment && m_state == State::Reading)
        m_experiment->prefer(traces);
}

void Session::cancel()
{
    m_timer.stop();
    const bool wasFollowing = isFollowing();
    m_rows.cancel();
    if (wasFollowing && m_showsPathBeginning)
        m_context.say(tr("Critical path incomplete (cancelled)"));
    else if (wasFollowing) // Clear the request for a critical path, because no part of the path is shown.
        PathChoice::of(m_context).setQuestion({});
    m_wanted.reset();
    endReopening();
    emit progressChanged();
    if (m_state == State::Opening)
        return close();
    if (m_state != State::Reading)
        return;
    m_experiment->cancel();
    setState(State::Stopped);
}

void Session::close()
{
    drop();
    m_paths.clear();
    m_context.clocks().begin();
    m_context.changes().forget(&m_context);
    setState(State::Empty);
}

void Session::drop()
{
    m_opener.cancel();
    m_clocks.cancel();
    m_rows.cancel();
    m_takenTimeline = nullptr;
    m_context.setLight({});
    PathChoice::of(m_context).setQuestion({});
    m_timer.stop();
    m_progress = {};
    m_wanted.reset();
    m_wasReopened = false;
    endReopening();
    closeInBackground(std::move(m_experiment));
    m_context.setEvent({});
    m_context.hits().clear();
    m_context.bookmarks().setAll({});
    m_context.setTimeline({});
    m_context.time().setSelection({});
    m_context.time().setRow({});
    m_context.time().setGrowing(false);
    m_context.time().setFull({});
}

/// Destroys the experiment in a background thread, because joining its threads may take longer than a frame.
void Session::closeInBackground(std::shared_ptr<Experiment> experiment)
{
    std::erase_if(m_closing, [](const std::future<void>& it) { return it.wait_for(0s) != std::future_status::timeout; });
    if (experiment)
        m_closing.push_back(std::async(std::launch::async | std::launch::deferred, [its = std::move(experiment)]() mutable {
            its->cancel();
            its.reset();
        }));
}

QString Session::name() const
{
    const QString first = m_paths.isEmpty() ? QString() : traceName(m_paths.front());
    return m_paths.size() > 1 ? QStringLiteral("%1 + %2").arg(first).arg(m_paths.size() - 1) : first;
}

QString Session::title() const
{
    const auto timeline = m_context.timeline();
    if (!timeline || timeline->hosts.empty())
        return name();
    QStringList hosts;
    for (const TimelineHost& host : timeline->hosts)
        if (!host.shownName().empty())
            hosts << QString::fromStdString(host.shownName());
    // Without a host name, the label of the host is the name of the trace: return this name only once.
    if (hosts.isEmpty() || hosts == QStringList{traceName(m_paths.value(0))})
        return name();
    return hosts.join(", ") + QStringLiteral(" \u00b7 ") + name();
}

void Session::setState(State state)
{
    m_state = state;
    emit stateChanged();
}

} // namespace helio
