#include "core/analyses/sampling/off_cpu.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace helio::sampling {
namespace {

/// Returns true if the event type has the name, with or without a subsystem, e.g. "sched:sched_switch" or "sched_switch".
bool isNamed(const EventType& type, std::string_view name)
{
    return type.name.ends_with(name) && (type.name.size() == name.size() || type.name[type.name.size() - name.size() - 1] == ':');
}

FieldRef anyOf(const EventType& type, std::string_view first, std::string_view second)
{
    FieldRef field(type, Section::Payload, first);
    return field.isValid() ? field : FieldRef(type, Section::Payload, second);
}

} // namespace

std::optional<ContentionFields> ContentionFields::of(const EventType& type)
{
    const bool isBegin = type.name == "lock:contention_begin";
    if (!isBegin && type.name != "lock:contention_end")
        return {};
    ContentionFields fields{FieldRef(type, Section::Payload, "lock_addr"), FieldRef::find(type, "common_pid"), isBegin};
    return fields.lock.isValid() ? std::optional(fields) : std::nullopt;
}

void LockWaits::take(const HostSample& sample, std::int32_t tid, const ContentionFields& fields, const EventView& event)
{
    const auto lock = fields.lock.integer(event);
    tid = static_cast<std::int32_t>(fields.tid.integerOr(event, tid));
    if (tid < 0 || (tid == 0 && sample.cpu < 0) || !lock)
        return;
    const WaitId id(tid > 0 ? tid : -1 - sample.cpu, *lock);
    if (fields.isBegin) {
        m_waits.try_emplace(id, sample);
        return;
    }
    const auto wait = m_waits.extract(id);
    if (wait.empty() || event.time() <= wait.mapped().time)
        return;
    if (!m_kind)
        m_kind = m_sink.addKind({"lock-wait", "ns", SampleKind::Origin::OffCpu, true});
    HostSample& waited = wait.mapped();
    waited.weight = static_cast<std::uint64_t>((event.time() - waited.time).count());
    waited.kind = *m_kind;
    m_sink.add(waited);
}

std::optional<SwitchFields> SwitchFields::of(const EventType& type)
{
    if (!isNamed(type, "sched_switch"))
        return {};
    SwitchFields fields{anyOf(type, "prev_pid", "prev_tid"), FieldRef(type, Section::Payload, "prev_state"),
                        anyOf(type, "next_pid", "next_tid")};
    return fields.prevTid.isValid() && fields.nextTid.isValid() ? std::optional(fields) : std::nullopt;
}

std::optional<WakeFields> WakeFields::of(const EventType& type)
{
    if (!isNamed(type, "sched_waking") && !isNamed(type, "sched_wakeup") && !isNamed(type, "sched_wakeup_new"))
        return {};
    WakeFields fields{anyOf(type, "pid", "tid")};
    return fields.tid.isValid() ? std::optional(fields) : std::nullopt;
}

void OffCpu::onSwitch(const HostSample& sample, const SwitchFields& fields, const EventView& event, bool isKernelThread)
{
    const std::int64_t prev = fields.prevTid.integerOr(event, 0);
    const std::int64_t next = fields.nextTid.integerOr(event, 0);
    if (const auto came = m_away.find(next); came != m_away.end()) {
        addSamples(came->second, event.time());
        m_away.erase(came);
    }
    const auto state = fields.prevState.isValid() ? fields.prevState.integer(event) : std::nullopt;
    if (prev == 0 && state)
        m_states.learnFromIdle(*state);
    if (prev <= 0 || prev == next)
        return;
    const SwitchOutReason left = state ? m_states.decode(*state, isKernelThread) : SwitchOutReason::Waiting;
    if (left == SwitchOutReason::Dead)
        m_away.erase(prev);
    else
        m_away[prev] = {sample, left, {}};
}

void OffCpu::onWake(const HostSample& sample, std::int64_t tid)
{
    if (const auto away = m_away.find(tid); away != m_away.end() && !away->second.waker)
        away->second.waker = sample;
}

void OffCpu::addSamples(const OffCpuThread& away, HostTimestamp at)
{
    const HostTimestamp out = away.sample.time;
    if (away.left == SwitchOutReason::Runnable || away.left == SwitchOutReason::Preempted)
        return add(away.sample, Preempted, out, at);
    const HostTimestamp woken = std::clamp(away.waker ? away.waker->time : at, out, std::max(out, at));
    add(away.sample, Blocked, out, woken);
    if (away.waker)
        add(*away.waker, WokenBy, out, woken);
    add(away.sample, Waiting, woken, at);
}

void OffCpu::add(const HostSample& like, KindIndex kind, HostTimestamp from, HostTimestamp to)
{
    if (to <= from)
        return;
    if (!m_kinds[kind]) {
        constexpr std::array<const char*, 4> Names{"off-cpu:blocked", "off-cpu:waiting", "off-cpu:preempted", "off-cpu:woken-by"};
        m_kinds[kind] = m_sink.addKind({Names[kind], "ns", SampleKind::Origin::OffCpu, true});
    }
    HostSample sample = like;
    sample.time = from;
    sample.weight = static_cast<std::uint64_t>((to - from).count());
    sample.kind = *m_kinds[kind];
    m_sink.add(sample);
}

void OffCpu::finish(HostTimestamp at)
{
    if (!m_seesReturns)
        return m_away.clear();
    std::vector<const OffCpuThread*> all;
    for (const auto& [tid, away] : m_away)
        all.push_back(&away);
    std::sort(all.begin(), all.end(), [](const OffCpuThread* a, const OffCpuThread* b) { return a->sample.event < b->sample.event; });
    for (const OffCpuThread* away : all)
        addSamples(*away, at);
    m_away.clear();
}

} // namespace helio::sampling
