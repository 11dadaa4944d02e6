#include "core/waits/path/wait_causes.h"

#include "core/correlation/correlator.h"
#include "core/correlation/transmissions.h"
#include "core/network/packet_transits.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/state_intervals.h"
#include "core/virtualization/cpu_occupants.h"
#include "core/waits/path/kernel_causes.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

constexpr LinkFilter MessagesTo{bitOf(LinkKind::Packet), false, true};

std::string onHost(const Timeline& timeline, TrackRef row)
{
    const std::string host = hostName(timeline, timeline.traces[traceOf(timeline, row)].host);
    return host.empty() ? host : " on " + host;
}

/// Returns the words that a detail puts before the thread or event that was waited for, e.g. "held by ".
std::string_view prepositionOf(PathKind kind)
{
    switch (kind) {
    case PathKind::Lock: return "held by ";
    case PathKind::Pipe: return "data or space from ";
    default: return "ended by ";
    }
}

/// True if a message may end a wait in the system call `call`. False for sleeps and for waits for locks or processes, which no message
/// ends.
bool isForMessages(std::string_view call)
{
    const PathKind kind = kindOfWait(call, {});
    return !isSleep(call) && kind != PathKind::Lock && kind != PathKind::Process;
}

/// Returns the name of an interrupt's handlers; empty if it was not recorded.
std::string interruptName(const Timeline& timeline, std::uint32_t trace, std::uint32_t number)
{
    const std::string key = "irq:" + std::to_string(number);
    const TrackRef row = findTrack(timeline, trace, TrackRole::Interrupt, [&](TrackRef, const Track& track) { return track.key == key; });
    const Track* const track = trackOf(timeline, row);
    return track ? track->label.substr(0, track->label.rfind(" (")) : std::string();
}

} // namespace

std::string threadWords(const Timeline& timeline, TrackRef thread)
{
    const Track* const track = trackOf(timeline, thread);
    return track ? threadText(*track) + onHost(timeline, thread) : std::string();
}

std::string withoutTids(const std::string& words)
{
    std::string result;
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t digits = words.compare(at, 2, " (") == 0 ? words.find_first_not_of("0123456789", at + 2) : std::string::npos;
        if (digits != std::string::npos && digits > at + 2 && words[digits] == ')')
            at = digits + 1;
        else
            result += words[at++];
    }
    return result;
}

std::vector<DiskWaitFinder::DriverActivity> WaitCauseFinder::findDriverActivity(TrackRef thread, const DiskWait& disk, TimeRange range)
{
    return m_disks.findDriverActivity(traceOf(m_timeline, thread), disk.disk, range);
}

/// Returns the system call that a thread executes at a time; empty if there is none or if it is unknown.
std::string WaitCauseFinder::callAt(TrackRef thread, Timestamp at) const
{
    const auto found = intervalAt(m_timeline, thread, at);
    if (found.empty())
        return {};
    const StateCategory meaning = meaningOf(m_timeline, thread, found.front().state);
    return meaning == StateCategory::OnCpuSyscall || meaning == StateCategory::OnCpuExit
            || stateKind(m_timeline, thread, found.front().state).style.has(StateFlag::ActivityKnown)
        ? valueText(m_timeline, thread, found.front().value)
        : std::string();
}

WaitCause WaitCauseFinder::of(TrackRef thread, const Interval& wait)
{
    WaitCause cause;
    cause.followedTo = wait.range.end;
    const std::string call = valueText(m_timeline, thread, wait.value);
    cause.waking = findWakeup(m_timeline, thread, wait);
    if (addMessage(thread, wait, cause))
        return cause;
    const bool isByThread = cause.waking && isOfThread(m_timeline, *cause.waking) && cause.waking->from != thread;
    const auto byHandler = isByThread && !isSleep(call) ? interruptOfHandler(cause.waking->from, cause.waking->toTime) : std::nullopt;
    if (!cause.waking && !call.empty() && stateKind(m_timeline, thread, wait.state).style.has(StateFlag::ActivityKnown)) {
        // Logs of system calls (strace) name the call that waited, but not always the thread that ended the wait.
        cause.kind = kindOfCall(call);
        cause.detail = call + ", on or off CPU";
    } else if (!cause.waking)
        cause.detail = call.empty() ? "no wake-up was recorded" : call + "; no wake-up was recorded";
    else if (isByThread && !byHandler)
        addThread(thread, wait, cause);
    else
        addInterrupt(thread, wait, call, byHandler ? *byHandler : interruptOf(*cause.waking), cause);
    return cause;
}

WaitCauseFinder::Interrupt WaitCauseFinder::interruptOf(const Arrow& waking) const
{
    return {kindOfContext(waking.detail), waking.detail, {}};
}

/// Returns the interrupt that a kernel thread handles; nullopt if the thread handles none. A wake-up by such a thread counts as a wake-up
/// by the device.
std::optional<WaitCauseFinder::Interrupt> WaitCauseFinder::interruptOfHandler(TrackRef thread, Timestamp at) const
{
    const Track* const track = trackOf(m_timeline, thread);
    const auto named = track ? parseHandlerName(track->label) : std::nullopt;
    if (!named || !callAt(thread, at).empty())
        return {};
    if (!named->interrupt)
        return Interrupt{PathKind::Network, std::string(named->device), thread};
    std::string whole = interruptName(m_timeline, traceOf(m_timeline, thread), *named->interrupt);
    std::string name = whole.starts_with(named->device) ? std::move(whole) : std::string(named->device);
    return Interrupt{kindOfContext(name), std::move(name), thread};
}

/// Returns the connection of a message as text, without details of the message, so that waits for the same connection are summed.
std::string WaitCauseFinder::textOf(const InterTraceLink& link, RelationIndex relation) const
{
    const auto& messages = m_timeline.relations[static_cast<std::size_t>(relation)]->messages;
    if (!messages || link.message >= messages->all.size())
        return link.detail;
    const Flow& flow = messages->flows[messages->all[link.message].flow];
    return flow.protocol.empty() ? messages->kind : connectionOf(m_timeline, *messages, messages->all[link.message]);
}

std::uint32_t WaitCauseFinder::payloadOf(const InterTraceLink& link, RelationIndex relation) const
{
    const auto& messages = m_timeline.relations[static_cast<std::size_t>(relation)]->messages;
    if (!messages || link.message >= messages->all.size())
        return 0;
    const Transmission& it = messages->all[link.message];
    return it.packet < messages->sent.size() ? messages->sent[it.packet].payload : it.length;
}

/// True if the message may have ended the wait: it woke the receiver, or the thread waited in `call` for data. If several messages arrive
/// together, only one wakes the thread, but each may have ended a wait for data.
bool WaitCauseFinder::mayHaveWoken(const InterTraceLink& link, RelationIndex relation, std::string_view call) const
{
    const auto& messages = m_timeline.relations[static_cast<std::size_t>(relation)]->messages;
    const bool hasWoken = messages && link.message < messages->all.size() && messages->all[link.message].wokeReceiver;
    return hasWoken || call.empty() || kindOfWait(call, {}) == PathKind::Pipe;
}

/// True if a network packet may have ended the wait; also true if the cause of the wake-up is unknown.
bool WaitCauseFinder::mayComeFromNetwork(const std::optional<Arrow>& waking) const
{
    if (!waking || !waking->detail.empty())
        return !waking || interruptOf(*waking).kind == PathKind::Network;
    const auto interrupt = isOfThread(m_timeline, *waking) ? interruptOfHandler(waking->from, waking->toTime) : std::nullopt;
    return !interrupt || interrupt->kind == PathKind::Network || interrupt->kind == PathKind::Blocked;
}

/// Sets the cause to the last message that arrived during the wait and may have ended it. Returns false if there is none.
bool WaitCauseFinder::addMessage(TrackRef thread, const Interval& wait, WaitCause& cause) const
{
    const std::string call = valueText(m_timeline, thread, wait.value);
    if (!isForMessages(call) || !mayComeFromNetwork(cause.waking))
        return false;
    const Timestamp end = cause.waking ? std::min(cause.waking->toTime, wait.range.end) : wait.range.end;
    const InterTraceLink* last = nullptr;
    RelationIndex relation = NoRelation;
    forEachInterTraceLinks(m_timeline, [&](RelationIndex index, const InterTraceLinks& links) {
        const InterTraceLink* found = links.previous(thread, end + Duration(1), MessagesTo);
        while (found && found->toTime >= wait.range.begin && !mayHaveWoken(*found, index, call))
            found = links.previous(thread, found->toTime, MessagesTo);
        if (!found || found->toTime < wait.range.begin || (last && found->toTime <= last->toTime))
            return;
        last = found;
        relation = index;
    });
    if (!last)
        return false;
    cause.message = *last;
    cause.kind = PathKind::Network;
    cause.followedTo = last->fromTime;
    cause.detail = textOf(*last, relation);
    addSender(thread, *last, payloadOf(*last, relation), cause);
    return true;
}

/// Sets the thread that sent the message and thereby ended the wait. If the sender's thread slept when the packet left, the kernel sent the
/// packet later on its own. If such a packet has data, the critical path continues in the sender's thread, at the time when this thread
/// fell asleep. If it has no data (an acknowledgement), no thread is set.
void WaitCauseFinder::addSender(TrackRef thread, const InterTraceLink& message, std::uint32_t payload, WaitCause& cause) const
{
    const Track* const sender = trackOf(m_timeline, message.from);
    if (!sender || sender->role != TrackRole::Thread || message.from == thread)
        return;
    const auto doing = intervalAt(m_timeline, message.from, message.fromTime);
    if (doing.empty())
        return;
    const bool hasSlept = isOffCpu(meaningOf(m_timeline, message.from, doing.front().state));
    if (hasSlept && payload == 0)
        return;
    cause.waker = message.from;
    cause.followedTo = hasSlept ? doing.front().range.begin : message.fromTime;
    cause.summed = "from " + threadWords(m_timeline, message.from);
    cause.detail += ", sent by " + threadWords(m_timeline, message.from);
}

/// Sets the cause of a wait that a thread ended by a wake-up. A thread cannot wake threads while it runs in user space; in that case, the
/// cause is an interrupt on its CPU that was not recorded.
void WaitCauseFinder::addThread(TrackRef thread, const Interval& wait, WaitCause& cause) const
{
    const Arrow& waking = *cause.waking;
    const std::string call = valueText(m_timeline, thread, wait.value);
    const auto doing = intervalAt(m_timeline, waking.from, waking.fromTime);
    const bool isInUser = !doing.empty() && meaningOf(m_timeline, waking.from, doing.front().state) == StateCategory::OnCpuUser;
    const std::string wakersCall = callAt(waking.from, waking.fromTime);
    if (isSleep(call) && !sendsSignals(wakersCall)) {
        cause.kind = PathKind::Timer;
        cause.detail = call;
        return;
    }
    if (isInUser) {
        cause.detail =
            (call.empty() ? "" : call + "; ") + "ended by an interrupt on CPU " + std::to_string(waking.cpu) + " that was not recorded";
        return;
    }
    cause.kind = kindOfWait(call, wakersCall);
    cause.waker = waking.from;
    cause.followedTo = std::min(waking.fromTime, wait.range.end);
    cause.detail = (call.empty() ? "" : call + ", ") + std::string(prepositionOf(cause.kind)) + threadWords(m_timeline, waking.from)
        + (wakersCall.empty() ? "" : " in " + wakersCall);
}

/// Sets the disk request whose completion ended the wait. If the name of the interrupt that ended the wait does not identify a disk,
/// accepts only a request that the waiting thread made itself.
void WaitCauseFinder::addDisk(TrackRef thread, const Interval& wait, WaitCause& cause)
{
    if (cause.kind != PathKind::Disk && cause.kind != PathKind::Blocked)
        return;
    const Arrow& waking = *cause.waking;
    cause.disk = m_disks.of(traceOf(m_timeline, thread), static_cast<std::int32_t>(waking.cpu), wait.range.begin, waking.toTime);
    if (cause.disk && cause.kind == PathKind::Blocked && cause.disk->tid != trackOf(m_timeline, thread)->tid)
        cause.disk.reset();
}

void WaitCauseFinder::addInterrupt(TrackRef thread, const Interval& wait, std::string_view call, const Interrupt& interrupt,
                                   WaitCause& cause)
{
    cause.kind = interrupt.kind == PathKind::Blocked && isSleep(call) ? PathKind::Timer : interrupt.kind;
    cause.detail = call.empty() && cause.kind == PathKind::Timer ? interrupt.name : std::string(call);
    if (cause.kind == PathKind::Timer)
        return;
    addDisk(thread, wait, cause);
    if (cause.disk) {
        cause.kind = PathKind::Disk;
        cause.detail = cause.disk->disk + ": " + cause.disk->request + (call.empty() ? "" : ", in " + std::string(call));
        cause.summed = cause.disk->disk;
        return;
    }
    const std::string what = interrupt.name.empty() ? "an unrecorded interrupt" : interrupt.name;
    cause.detail += (call.empty() ? "ended by " : ", ended by ") + what + " on CPU " + std::to_string(cause.waking->cpu);
    if (interrupt.handler.isValid())
        cause.detail += ", handled by " + threadWords(m_timeline, interrupt.handler);
}

bool hasWaitCauses(const Timeline& timeline) { return !wakeupKind(timeline).empty(); }

void eachWait(const Timeline& timeline, std::span<const Row> threads, TimeRange window,
              const std::function<void(const Row&, const Interval&, const WaitCause&)>& take, std::stop_token stop)
{
    std::vector<RowState> waiting;
    for (const Row& row : threads) {
        const auto& states = statesOf(timeline, row.ref).states;
        for (std::size_t i = 0; i < states.size(); ++i)
            if (isOffCpu(states[i].meaning))
                waiting.push_back({row, State(static_cast<std::uint8_t>(i))});
    }
    WaitCauseFinder causes(timeline);
    const auto takeOne = [&](const Row& row, const Interval& wait) {
        const auto after = intervalAt(timeline, row.ref, wait.range.end);
        if (!after.empty() && !isOffCpu(meaningOf(timeline, row.ref, after.front().state)))
            take(row, wait, causes.of(row.ref, wait));
    };
    forEachStateInterval(timeline, waiting, window, takeOne, std::move(stop));
}

} // namespace helio
