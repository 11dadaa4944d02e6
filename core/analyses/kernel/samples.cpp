#include "core/analyses/kernel/samples.h"

#include "core/analyses/kernel/machine.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace helio::kernel {
namespace {

const StateSet TickStates{"sample", {{"sample"}}};
constexpr std::array<std::pair<TrackRole, std::string_view>, 4> TickKinds{{{TrackRole::SamplesUser, "samples-user"},
                                                                           {TrackRole::SamplesKernel, "samples-kernel"},
                                                                           {TrackRole::SamplesOther, "samples-other"},
                                                                           {TrackRole::SamplesEvents, "samples-events"}}};
constexpr std::size_t EventTicks = 3;

/// So many addresses the kernel records at most where nobody says otherwise (kernel.perf_event_max_stack): the rest is missing.
constexpr std::size_t FullCallchain = 127;

/// The user's callers were recorded later, elsewhere.
bool hasDeferredPart(const SampleView& sample)
{
    for (std::size_t i = 0; i < sample.callchain.size(); ++i)
        if (sample.callchain[i] == callchain::UserDeferred)
            return true;
    return false;
}

std::size_t tickKindOf(CodeMode mode)
{
    switch (mode) {
    case CodeMode::User: return 0;
    case CodeMode::Kernel: return 1;
    default: return 2;
    }
}

CodeMode modeAfter(std::uint64_t marker, CodeMode before)
{
    switch (marker) {
    case callchain::Hypervisor: return CodeMode::Hypervisor;
    case callchain::Kernel: return CodeMode::Kernel;
    case callchain::User:
    case callchain::UserDeferred: return CodeMode::User;
    case callchain::Guest:
    case callchain::GuestKernel: return CodeMode::GuestKernel;
    case callchain::GuestUser: return CodeMode::GuestUser;
    default: return before;
    }
}

/// Where the chain comes to the user, the processor's own record of calls stands for the rest of it.
bool usesCalls(const SampleView& sample)
{
    CodeMode mode = sample.mode;
    for (std::size_t i = 0; i < sample.callchain.size() && !sample.calls.sites.empty(); ++i)
        if (callchain::isMarker(sample.callchain[i]) && (mode = modeAfter(sample.callchain[i], mode)) == CodeMode::User)
            return true;
    return false;
}

/// The outermost callers are missing.
bool isCut(const SampleView& sample)
{
    return usesCalls(sample) ? sample.calls.isFull : sample.callchain.size() >= FullCallchain || hasDeferredPart(sample);
}

} // namespace

Samples::Samples(const Trace& trace, StateSink& sink, Machine& machine)
    : m_reader(*trace.samples())
    , m_sink(sink)
    , m_machine(machine)
    , m_tickStates(*sink.stateSet(TickStates))
    , m_spaces(trace.modules())
    , m_offCpu(sink.samples(), trace.info().part.threads.empty())
    , m_kinds(trace.eventTypes().size())
{
    addKinds(trace);
}

void Samples::addKinds(const Trace& trace)
{
    std::map<std::string_view, SampleKindId> ids;
    for (const SampleEvent& event : m_reader.events()) {
        if (static_cast<std::size_t>(event.type) >= m_kinds.size())
            continue;
        Kind& kind = m_kinds[static_cast<std::size_t>(event.type)];
        const auto [known, isNew] = ids.emplace(event.name, SampleKindId{});
        if (isNew) // Types of one name are one kind.
            known->second = m_sink.samples().addKind({event.name, event.isTime ? "ns" : "",
                                                      event.isCounted ? SampleKind::Origin::Counted : SampleKind::Origin::Event, event.isTime,
                                                      event.spacing});
        kind.id = known->second;
        kind.isKnown = true;
        kind.hasUserState = event.hasUserState;
        kind.hasTicks = !isTracepoint(event.name);
        const EventType& type = trace.eventTypes()[event.type];
        if (event.isSampled || !trace.info().part.hasAllCpus)
            continue;
        kind.switches = SwitchFields::of(type);
        kind.wakes = WakeFields::of(type);
    }
    const auto events = m_reader.events();
    auto time = std::ranges::find_if(events, [](const SampleEvent& event) { return event.isTime && !event.isCounted; });
    if (time == events.end())
        time = std::ranges::find_if(events, [](const SampleEvent& event) { return event.spacing > Duration(0); });
    for (Kind& kind : m_kinds) // As cpuTimeKind() of the query room chooses.
        kind.measuresTime = time == events.end() || (ids.contains(time->name) && kind.id == ids.at(time->name));
}

void Samples::take(const EventView& event, std::uint64_t number)
{
    const auto type = static_cast<std::size_t>(event.record->type);
    if (type >= m_kinds.size() || !m_kinds[type].isKnown)
        return;
    const Kind& kind = m_kinds[type];
    SampleView view;
    if (!m_reader.read(event, view))
        return;
    const std::int32_t cpu = event.cpu() >= 0 ? event.cpu() : view.cpu;
    HostSample sample;
    sample.time = event.time();
    sample.weight = view.period;
    sample.event = number;
    sample.cpu = cpu;
    sample.kind = kind.id;
    sample.mode = view.mode;
    sample.isIdle = view.tid == 0;
    Thread* thread = nullptr;
    if (view.tid > 0) {
        // Whoever is sampled while it ends is still the same.
        thread = m_machine.threads().findAny(view.tid);
        if (!thread || (!thread->isAlive && m_machine.threads().isBorn(view.tid)))
            thread = &m_machine.touch(view.tid, sample.time);
        m_machine.threads().outlive(sample.time, *thread);
        if (thread->pid < 0 && view.pid > 0)
            m_machine.threads().setFamily(*thread, view.pid, -1);
        sample.thread = thread->track;
    }
    sample.stack = stackOf(view);
    sample.isUnwound = !kind.hasUserState || view.user.registers.empty();
    sample.isCut = isCut(view);
    m_sink.samples().add(sample);
    if (kind.hasTicks) {
        const std::size_t ticks = kind.measuresTime ? tickKindOf(sample.mode) : EventTicks;
        addTick(sample.time, sample.thread, ticks);
        if (const Cpu* row = cpu >= 0 && !sample.isIdle ? m_machine.cpu(cpu) : nullptr)
            addTick(sample.time, row->track, ticks);
    }
    if (kind.switches)
        m_offCpu.onSwitch(sample, *kind.switches, event, m_machine.prevStates(), thread && thread->isKernelThread);
    if (kind.wakes)
        m_offCpu.onWake(sample, kind.wakes->tid.integerOr(event, -1));
}

/// The chain, or the address that was executed where none was recorded. What was executed comes first in each mode; all others are
/// addresses that calls return to.
StackId Samples::stackOf(const SampleView& sample)
{
    if (sample.stack != 0)
        return recordedStack(sample.stack);
    m_chain.clear();
    CodeMode mode = sample.mode;
    bool isFirst = true;
    for (std::size_t i = 0; i < sample.callchain.size(); ++i) {
        const std::uint64_t word = sample.callchain[i];
        if (callchain::isMarker(word)) {
            const CodeMode next = modeAfter(word, mode);
            isFirst |= next != mode;
            mode = next;
            if (mode == CodeMode::User && !sample.calls.sites.empty()) {
                appendCalls(sample, i + 1);
                break;
            }
            if (word == callchain::UserDeferred)
                ++i; // What follows is a cookie that the user part, recorded later, goes by.
            continue;
        }
        m_chain.push_back({word, mode, !isFirst});
        isFirst = false;
    }
    if (m_chain.empty() && sample.hasIp)
        m_chain.push_back({sample.ip, sample.mode, false});
    StackId stack = NoStack;
    for (auto it = m_chain.rbegin(); it != m_chain.rend(); ++it) {
        // The byte before belongs to the call, and so to the mapping that counts.
        const std::uint64_t shift = it->isReturnAddress && it->address > 0 ? 1 : 0;
        StackFrame frame = frameOf(sample.pid, it->mode, it->address - shift);
        frame.address += shift;
        frame.isReturnAddress = it->isReturnAddress;
        stack = m_sink.stacks().stack(stack, frame);
    }
    return stack;
}

/// The user part of a chain as perf puts it together (resolve_lbr_callchain_sample in its machine.c), but for the innermost address: that is
/// where the thread was, the chain's word at `begin`, rather than where the function begins that the last call led to.
void Samples::appendCalls(const SampleView& sample, std::size_t begin)
{
    const bool hasInnermost = begin < sample.callchain.size() && !callchain::isMarker(sample.callchain[begin]);
    m_chain.push_back({hasInnermost ? sample.callchain[begin] : sample.calls.callee, CodeMode::User, false});
    for (std::size_t i = 0; i < sample.calls.sites.size(); ++i)
        m_chain.push_back({sample.calls.sites[i], CodeMode::User, false});
}

StackId Samples::recordedStack(std::uint32_t index)
{
    const auto frames = m_reader.stacks();
    m_recorded.resize(frames.size(), NoStack);
    m_path.clear();
    for (; index > 0 && index < frames.size() && m_recorded[index] == NoStack; index = frames[index].caller)
        m_path.push_back(index);
    StackId stack = index < frames.size() ? m_recorded[index] : NoStack;
    for (auto it = m_path.rbegin(); it != m_path.rend(); ++it)
        m_recorded[*it] = stack = m_sink.stacks().stack(stack, {frames[*it].module, false, frames[*it].address});
    return stack;
}

StackFrame Samples::frameOf(std::int32_t pid, CodeMode mode, std::uint64_t address)
{
    const bool isKernel = mode == CodeMode::Kernel || mode == CodeMode::Hypervisor;
    const bool isGuest = mode == CodeMode::GuestKernel || mode == CodeMode::GuestUser;
    if (isGuest || (!isKernel && pid < 0))
        return {UnknownModule, false, address};
    const ModulePlace place = m_spaces.find(isKernel ? AddressSpaces::KernelPid : pid, address);
    return {place.module, false, place.address};
}

void Samples::addTick(HostTimestamp at, TrackId row, std::size_t kind)
{
    if (row == NoTrack)
        return;
    Ticks& ticks = m_ticks[static_cast<std::uint32_t>(row)][kind];
    if (ticks.track == NoTrack) {
        Track track;
        std::tie(track.role, track.kind) = TickKinds[kind];
        track.parent = row;
        track.states = m_tickStates;
        ticks.track = m_sink.addTrack(std::move(track));
    }
    const HostTimestamp from = std::max(at, ticks.end);
    ticks.end = from + Duration(1);
    // A state that follows itself without a gap would be one interval: neighbours differ in their value.
    m_sink.set(from, ticks.track, State{}, static_cast<std::uint32_t>(nanoseconds(from) & 1));
    m_sink.end(ticks.end, ticks.track);
}

} // namespace helio::kernel
