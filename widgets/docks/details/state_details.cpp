#include "widgets/docks/details/state_details.h"

#include "core/query/events/events.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"
#include "core/waits/locks/lock_contention.h"
#include "core/waits/path/path.h"
#include "widgets/docks/details/call_facts.h"
#include "widgets/docks/details/interrupt_facts.h"
#include "widgets/time/qt_text.h"
#include "widgets/timeline/graph/tips/link_text.h"

#include <QCoreApplication>

namespace helio {

namespace {

/// Returns the value of a state as text; empty if it only repeats the state's name.
QString valueText(const Timeline& timeline, TrackRef track, const StateKind& state, const Interval& interval)
{
    const std::string value = formatValue(timeline, track, interval.value);
    return value == state.name && !state.style.has(StateFlag::NamedByValue) ? QString() : text(value);
}

std::optional<StateDetails::Neighbour> neighbour(const Timeline& timeline, TrackRef track, const std::vector<Interval>& found)
{
    if (found.empty())
        return {};
    const Interval& it = found.front();
    const StateKind state = stateKind(timeline, track, it.state);
    return StateDetails::Neighbour{state, valueText(timeline, track, state, it), it.range};
}

QString tr(const char* source) { return QCoreApplication::translate("DetailsView", source); }

QString cpuText(std::int32_t cpu) { return tr("CPU %1").arg(cpu); }

/// Adds facts about the cause of a thread's state, one per line. The threads that caused the state come first.
class ThreadFacts {
public:
    ThreadFacts(const Timeline& timeline, StateDetails& details)
        : m_timeline(timeline)
        , m_details(details)
    {
    }

    void add(const StateCause& cause)
    {
        if (cause.successor.isValid())
            put(tr("Replaced by"), rowName(m_timeline, cause.successor), cause.successor, m_details.range.begin);
        if (cause.waking)
            put(cause.isFirstWakeup ? tr("Created by") : tr("Woken by"), wakerText(m_timeline, *cause.waking), cause.waking->from,
                cause.waking->fromTime);
        if (cause.cpu != NoCpu)
            cpu(placeTitle(), cause.cpu, isWait() ? m_details.range.begin - Duration(1) : m_details.range.begin);
        if (cause.waking)
            waking(*cause.waking);
        else if (cause.nextCpu != NoCpu)
            cpu(tr("Resumed on"), cause.nextCpu, m_details.range.end);
        if (cause.priority)
            put(tr("Priority"), QString::number(*cause.priority));
    }

private:
    bool isWait() const { return !isOnCpu(m_details.state.meaning); }
    QString placeTitle() const
    {
        return !isWait() ? tr("CPU") : m_details.state.meaning == StateCategory::Preempted ? tr("Preempted on") : tr("Last on");
    }

    void put(const QString& name, const QString& value, TrackRef row = {}, Timestamp at = {})
    {
        m_details.facts.push_back({name, value, row, at});
    }

    void cpu(const QString& name, std::int32_t number, Timestamp at)
    {
        put(name, cpuText(number), cpuRow(m_timeline, traceOf(m_timeline, m_details.track), number), at);
    }

    void waking(const Arrow& arrow)
    {
        put(tr("Woken at"), {}, {}, arrow.fromTime);
        if (arrow.ranOn != NoCpu)
            put(tr("Resumed on"), landingCpuText(arrow), cpuRow(m_timeline, traceOf(m_timeline, m_details.track), arrow.ranOn),
                arrow.toTime);
    }

    const Timeline& m_timeline;
    StateDetails& m_details;
};

/// Returns the recorded prev_state of the sched_switch event with which a thread left its CPU; empty if there is none.
QString prevState(const std::shared_ptr<const Timeline>& timeline, const Row& thread, Timestamp at, std::stop_token stop)
{
    constexpr std::size_t MostAtOnce = 64; // Maximum number of events that are read at one time, over all CPUs of all traces.
    EventTable table(timeline);
    for (const EventRow& event : table.rows(table.indexAt(at, stop), MostAtOnce, stop)) {
        if (event.time != at)
            break;
        if (event.trace != thread.trace || !std::string_view(event.name).ends_with("sched_switch"))
            continue;
        std::string tid;
        std::string state;
        for (const NamedValue& field : event.fields) {
            if (field.name == "prev_tid" || field.name == "prev_pid")
                tid = displayText(field.value);
            else if (field.name == "prev_state")
                state = displayText(field.value);
        }
        if (tid == std::to_string(thread.tid))
            return QString::fromStdString(state);
    }
    return {};
}

/// Adds who holds the lock of a row, and who waits for it.
void addLockFacts(const LockUse& use, StateDetails& details)
{
    if (!use.holder.empty())
        details.facts.push_back({tr("Held by"), text(use.holder), {}, {}});
    const auto addThreads = [&](const QString& title, const std::vector<std::string>& threads) {
        constexpr std::size_t Most = 8;
        QStringList names;
        for (std::size_t i = 0; i < std::min(threads.size(), Most); ++i)
            names << text(threads[i]);
        if (threads.size() > Most)
            names << tr("%1 more").arg(threads.size() - Most);
        if (!names.isEmpty())
            details.facts.push_back({title, names.join(", "), {}, {}});
    };
    addThreads(tr("Waiting"), use.waiters);
    addThreads(tr("Waiting for work"), use.workWaiters);
    if (!use.waker.empty())
        details.facts.push_back({use.waiters.empty() ? tr("Woken by") : tr("Released by"), text(use.waker), {}, {}});
}

/// Returns the row with states of the thread on a host that exists at a time; nullopt if there is none.
std::optional<Row> threadOnHost(const Timeline& timeline, std::uint32_t host, std::int32_t tid, Timestamp at)
{
    const auto all = threads(timeline);
    const auto found = std::ranges::find_if(
        all, [&](const Row& row) { return row.host == host && row.tid == tid && findPathThread(timeline, row.ref, at) == row.ref; });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

/// Adds the event that started the state of a row of an analysis, and its thread, if the trace has only one event at that time.
void addStartEvent(const std::shared_ptr<const Timeline>& timeline, StateDetails& details, std::stop_token stop)
{
    constexpr std::size_t MostAtOnce = 64; // Maximum number of events that are read at one time, over all CPUs of all traces.
    EventTable table(timeline);
    std::optional<EventRow> start;
    for (const EventRow& event : table.rows(table.indexAt(details.range.begin, stop), MostAtOnce, stop)) {
        if (event.time != details.range.begin)
            break;
        if (event.trace != details.row.trace)
            continue;
        if (start) // Several events: none of them is known to have started the state.
            return;
        start = event;
    }
    if (!start || start->tid < 0)
        return;
    const auto thread = threadOnHost(*timeline, details.row.host, start->tid, start->time);
    details.start =
        StateDetails::StartEvent{QString::fromStdString(start->name),
                                 thread ? rowName(*timeline, thread->ref) : QString::number(start->tid), thread ? thread->ref : TrackRef()};
    details.facts.push_back(
        {tr("Started by"), tr("%1 in %2").arg(details.start->event, details.start->thread), details.start->row, details.range.begin});
}

/// Returns the label for a row of a thread's call stack, e.g. "worker, depth 3".
std::string depthLabel(const Timeline& timeline, const Row& depth)
{
    const Store& store = storeAt(timeline, depth.ref.store);
    const TrackId thread = threadTrack(store, depth.ref.track);
    const std::string name = thread == NoTrack ? std::string() : store.tracks()[static_cast<std::size_t>(thread)].label;
    return tr("%1, depth %2").arg(text(name), text(depth.label)).toStdString();
}

/// Returns the name of a row with its host, e.g. "CPU 0/KVM 192 on nest".
QString nameWithHost(const Timeline& timeline, const Row& row)
{
    const QString host = text(hostName(timeline, row.host));
    const QString name = rowName(timeline, row.ref);
    return host.isEmpty() ? name : tr("%1 on %2").arg(name, host);
}

bool begunBySwitch(StateCategory state) { return isOffCpu(state) || isRunnable(state); }

} // namespace

std::optional<StateDetails> stateDetails(std::shared_ptr<const Timeline> shared, TrackRef track, Timestamp at, std::stop_token stop)
{
    const Timeline& timeline = *shared;
    const auto row = rowOf(timeline, track);
    auto here = intervalAt(timeline, track, at);
    if (!row)
        return {};
    // An interval excludes its end, so there is none at the end of the row's last interval. In this case, the last interval is used.
    if (here.empty())
        here = previousInterval(timeline, track, at);
    if (here.empty() || (here.front().range.end < at))
        return {};
    const Interval& it = here.front();
    StateDetails details;
    details.track = track;
    details.row = *row;
    // On a row of a call stack, the label is only the number of the depth, so depthLabel() makes the title.
    const bool isDepth = row->valueKind == ValueKind::Frame;
    details.row.label = isDepth ? depthLabel(timeline, *row) : titleOf(timeline, *row);
    details.host = hasNoHost(timeline, track) ? QString() : text(hostName(timeline, row->host));
    details.state = stateKind(timeline, track, it.state);
    details.value = valueText(timeline, track, details.state, it);
    details.range = it.range;
    details.before = neighbour(timeline, track, previousInterval(timeline, track, it.range.begin));
    details.after = neighbour(timeline, track, nextInterval(timeline, track, it.range.begin));
    if (row->role == TrackRole::Thread) {
        const StateCause cause = findStateCause(timeline, track, it);
        ThreadFacts(timeline, details).add(cause);
        const QString left = begunBySwitch(details.state.meaning) ? prevState(shared, *row, it.range.begin, stop) : QString();
        if (!left.isEmpty())
            details.facts.push_back({QStringLiteral("prev_state"), left, {}, {}});
        addCallFacts(shared, details, stop);
    } else if (const TrackRef thread = row->role == TrackRole::Cpu ? threadOn(timeline, row->trace, row->cpu, it.range.begin) : TrackRef();
               thread.isValid()) {
        details.facts.push_back({tr("Thread"), rowName(timeline, thread), thread, std::max(at, it.range.begin)});
    }
    const auto note = noteOf(timeline, track);
    const bool showsAgain = note && note->kind != RowNote::Source::Below;
    if (const auto source = showsAgain ? rowOf(timeline, note->source) : std::nullopt)
        details.facts.push_back({tr("Host thread"), nameWithHost(timeline, *source), source->ref, std::max(at, it.range.begin)});
    if (note && !note->known.empty())
        details.facts.push_back({tr("Identified by"), note->isByHand() ? tr("set by hand") : text(note->known), {}, {}});
    if (const auto use = findLockUse(timeline, track, std::max(at, it.range.begin), stop)) {
        addLockFacts(*use, details);
        if (!use->waiters.empty() || !use->workWaiters.empty())
            details.value.clear(); // The number of waiters, which are listed.
    }
    if (row->valueKind == ValueKind::Any)
        addStartEvent(shared, details, stop);
    addInterruptFacts(timeline, details, stop);
    details.taken = computeStealBreakdown(timeline, track, it.range, stop);
    if (!details.taken.affectedThread.empty())
        details.facts.push_back({tr("Affected"), text(details.taken.affectedThread), {}, {}});
    constexpr Duration ExitsAround = std::chrono::milliseconds(10);
    if (details.state.meaning == StateCategory::Preempted && row->role != TrackRole::Thread && !details.taken.by.empty())
        details.preemption =
            findVcpuPreemption(timeline, track, it.range, {it.range.begin - ExitsAround, it.range.end + ExitsAround}, stop);
    if (details.taken.by.empty())
        details.taken = guestActivity(timeline, track, it.range, stop);
    // Removes the state's value: in a wait for a CPU, the steal card says more, because it names what had the CPU.
    else if (isRunnable(details.state.meaning))
        details.value.clear();
    return details;
}

} // namespace helio
