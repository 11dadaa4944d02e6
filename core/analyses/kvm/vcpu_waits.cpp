#include "core/analyses/kvm/vcpu_waits.h"

#include "core/analyses/kvm/vcpu_threads.h"
#include "core/event_model/vcpu_modes.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace helio::kvm {
namespace {

constexpr const char* Halts = "vm-halt";

SegmentKindId addKind(StateSink& sink, std::string_view id, std::string_view title, std::string_view nameTitle)
{
    SegmentKind kind;
    kind.id = id;
    kind.title = title;
    kind.nameTitle = nameTitle;
    return *sink.segments().addKind(kind);
}

} // namespace

std::vector<MissingEvents> missingOfWaits(const Trace& trace)
{
    std::vector<MissingEvents> all;
    if (!hasExits(trace))
        return all;
    const auto need = [&](std::string_view kind, const std::string& event, RecordableData data, const char* consequence) {
        const auto isIt = [&](const auto& type) {
            return kvmName(type->name) == event || kvmName(type->name) == "kvm_x86_" + event.substr(4);
        };
        if (std::ranges::any_of(trace.eventTypes(), isIt))
            return;
        all.push_back({.view = std::string(kind),
                       .anyOf = {event},
                       .consequence = consequence,
                       .command = recordingCommand(data, tracerOf(trace.info())),
                       .kinds = {std::string(kind)}});
    };
    need(Halts, "kvm_vcpu_wakeup", RecordableData::VcpuHalts, "the duration of vCPU halts, and whether kvm polled meanwhile, is unknown");
    need(VcpuInterrupts, "kvm_inj_virq", RecordableData::GuestInterrupts, "the latency of interrupts into guests is unknown");
    return all;
}

VcpuWaits::VcpuWaits(const Trace& trace, StateSink& sink)
    : m_sink(sink)
{
    for (const auto& type : trace.eventTypes())
        m_uses.push_back(isSampled(trace, static_cast<EventTypeId>(m_uses.size())) ? TypeUse() : useOf(*type));
    const auto has = [this](Role role) { return std::ranges::find(m_uses, role, &TypeUse::role) != m_uses.end(); };
    if (has(Role::Injection))
        m_interrupts = addKind(sink, VcpuInterrupts, "Interrupts into guests", "Interrupt");
    if (has(Role::WakeUp))
        m_halts = addKind(sink, Halts, "vCPU halts", "Wait by kvm");
}

VcpuWaits::TypeUse VcpuWaits::useOf(const EventType& type)
{
    const std::string_view name = kvmName(type.name);
    const auto field = [&type](std::string_view it) { return FieldRef(type, Section::Payload, it); };
    if (name == "kvm_inj_virq" || name == "kvm_x86_inj_virq")
        return {Role::Injection, field("irq"), {}};
    if (name == "kvm_vcpu_wakeup" && field("ns").isValid())
        return {Role::WakeUp, field("ns"), field("waited")};
    return {};
}

/// Processes an event. If an interrupt is injected again, because the guest exited before handling it, the wait began with the first
/// injection.
void VcpuWaits::take(const EventView& event, TrackId row)
{
    const TypeUse& use = m_uses[static_cast<std::size_t>(event.record->type)];
    if (use.role == Role::WakeUp)
        return halt(event, use, row);
    const std::int64_t number = use.number.integerOr(event, -1);
    const auto [known, isNew] = m_injected.try_emplace(static_cast<std::uint32_t>(row), Injected{event.time(), number});
    if (!isNew && known->second.number != number)
        known->second = {event.time(), number};
}

void VcpuWaits::onEntry(HostTimestamp at, TrackId row)
{
    const auto found = m_injected.find(static_cast<std::uint32_t>(row));
    if (found == m_injected.end())
        return;
    const StringId name = m_sink.string(found->second.number < 0 ? "unknown" : std::to_string(found->second.number));
    m_sink.segments().add({std::min(found->second.at, at), at, 0, name, row, m_interrupts});
    m_injected.erase(found);
}

/// Writes the segment of a halt, which ends at the time of the event.
void VcpuWaits::halt(const EventView& event, const TypeUse& use, TrackId row)
{
    const std::int64_t length = use.number.integerOr(event, 0);
    const HostTimestamp end = event.time();
    const bool reachesBack = length < 0 || length > (end - m_begin).count();
    const StringId name = m_sink.string(use.hasWaited.integerOr(event, 1) != 0 ? "blocked" : "polled");
    m_sink.segments().add({reachesBack ? std::min(m_begin, end) : end - Duration(length), end, 0, name, row, m_halts});
}

} // namespace helio::kvm
