#include "core/analyses/sampling/lock_waits.h"

namespace helio::sampling {

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

} // namespace helio::sampling
