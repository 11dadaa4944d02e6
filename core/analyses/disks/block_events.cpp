#include "core/analyses/disks/block_events.h"

#include "core/trace/fields/named_fields.h"
#include "core/trace/process/sampled_events.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace helio::disks {
namespace {

constexpr struct {
    std::string_view name;
    Role role;
} KnownNames[] = {
    {"block_rq_insert", Role::Insert},
    {"block_rq_issue", Role::Issue},
    {"block_rq_complete", Role::Complete},
    {"block_rq_requeue", Role::Requeue},
    {"block_bio_frontmerge", Role::FrontMerge},
    {"block_rq_merge", Role::Merge},
    {"elv_merge_requests", Role::ElevatorMerge},
    {"addons_elv_merge_requests", Role::ElevatorMerge},
    {"lttng_statedump_block_device", Role::DiskName},
};

Role roleOf(std::string_view name)
{
    constexpr std::string_view Subsystem = "block:";
    if (name.starts_with(Subsystem))
        name.remove_prefix(Subsystem.size());
    for (const auto& known : KnownNames)
        if (known.name == name)
            return known.role;
    return Role::None;
}

/// Returns the roles, indexed by EventTypeId. If issues or completions were only sampled, no request can be followed, and no event has a
/// role.
std::vector<Role> rolesIn(const Trace& trace)
{
    std::vector<Role> roles;
    bool areSampled = false;
    for (const auto& type : trace.eventTypes()) {
        const Role role = roleOf(type->name);
        const bool isPart = role != Role::None && isSampled(trace, static_cast<EventTypeId>(roles.size()));
        areSampled = areSampled || (isPart && (role == Role::Issue || role == Role::Complete));
        roles.push_back(isPart ? Role::None : role);
    }
    if (areSampled)
        std::ranges::fill(roles, Role::None);
    return roles;
}

FieldRef orElse(FieldRef first, FieldRef second) { return first.isValid() ? std::move(first) : std::move(second); }

std::uint64_t countFrom(std::int64_t number) { return number > 0 ? static_cast<std::uint64_t>(number) : 0; }

} // namespace

/// perf's conversion to CTF has the thread in the payload, as "perf_tid".
std::optional<BlockEvents::Type> BlockEvents::typeOf(const EventType& type, Role role)
{
    if (role == Role::None)
        return {};
    Type it;
    it.role = role;
    const bool isElevators = it.role == Role::ElevatorMerge;
    it.device = payloadField(type, {"dev"});
    it.sector = isElevators ? payloadField(type, {"nextrq_sector"}) : payloadField(type, {"sector"});
    it.base = payloadField(type, {"rq_sector"});
    it.count = payloadField(type, {"nr_sector"});
    it.rwbs = payloadField(type, {"rwbs"});
    it.bytes = payloadField(type, {"bytes"});
    it.error = payloadField(type, {"error", "errors"});
    it.name = payloadField(type, {"diskname"});
    it.tid = orElse(payloadField(type, {"tid", "perf_tid"}), contextField(type, {"tid", "perf_tid", "common_pid"}));
    it.comm = orElse(payloadField(type, {"comm"}), contextField(type, {"procname", "perf_comm"}));
    return it;
}

BlockEvents::BlockEvents(const Trace& trace)
    : m_types(trace,
              [roles = rolesIn(trace)](const EventType& type, EventTypeId id) { return typeOf(type, roles[static_cast<std::size_t>(id)]); })
{
    for (const Type& it : m_types.known()) {
        m_has[static_cast<std::size_t>(it.role)] = true;
        if (it.role == Role::Insert || it.role == Role::Issue)
            m_nameDoers = m_nameDoers && it.tid.isValid() && it.comm.isValid();
    }
}

std::optional<BlockEvent> BlockEvents::read(const EventView& event) const
{
    const Type& type = of(event);
    const auto device = type.device.isValid() ? type.device.integer(event) : std::nullopt;
    if (!device)
        return {};
    BlockEvent it;
    it.device = static_cast<std::uint32_t>(*device);
    it.sector = static_cast<std::uint64_t>(type.sector.integerOr(event, -1));
    it.count = countFrom(type.count.integerOr(event, 0));
    if (type.rwbs.isText())
        it.operation = operationOf(type.rwbs.text(event));
    else if (const auto bits = type.rwbs.isValid() ? type.rwbs.integer(event) : std::nullopt)
        it.operation = operationOf(*bits);
    return it;
}

std::uint64_t BlockEvents::baseSector(const EventView& event) const
{
    return static_cast<std::uint64_t>(of(event).base.integerOr(event, -1));
}

std::int64_t BlockEvents::bytes(const EventView& event, std::uint64_t count) const
{
    constexpr std::uint64_t SectorBytes = 512;
    constexpr std::uint64_t Most = std::numeric_limits<std::int64_t>::max() / SectorBytes;
    return of(event).bytes.integerOr(event, static_cast<std::int64_t>(std::min(count, Most) * SectorBytes));
}

std::int64_t BlockEvents::error(const EventView& event) const { return of(event).error.integerOr(event, 0); }

std::string_view BlockEvents::diskName(const EventView& event) const
{
    return of(event).name.isValid() ? of(event).name.text(event) : std::string_view();
}

Doer BlockEvents::doer(const EventView& event) const
{
    const Type& type = of(event);
    const std::int64_t tid = type.tid.integerOr(event, -1);
    Doer it;
    if (tid >= 0 && tid <= std::numeric_limits<std::int32_t>::max())
        it.tid = static_cast<std::int32_t>(tid);
    if (type.comm.isValid())
        it.name = type.comm.text(event);
    return it;
}

bool hasRequests(const Trace& trace)
{
    return std::ranges::any_of(rolesIn(trace), [](Role role) { return role == Role::Issue || role == Role::Complete; });
}

} // namespace helio::disks
