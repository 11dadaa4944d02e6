#include "core/analyses/disks/block_events.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace helio::disks {
namespace {

constexpr struct {
    std::string_view name;
    BlockEventRole role;
} KnownNames[] = {
    {"block_rq_insert", BlockEventRole::Insert},
    {"block_rq_issue", BlockEventRole::Issue},
    {"block_rq_complete", BlockEventRole::Complete},
    {"block_rq_requeue", BlockEventRole::Requeue},
    {"block_bio_frontmerge", BlockEventRole::FrontMerge},
    {"block_rq_merge", BlockEventRole::Merge},
    {"elv_merge_requests", BlockEventRole::ElevatorMerge},
    {"addons_elv_merge_requests", BlockEventRole::ElevatorMerge},
    {"lttng_statedump_block_device", BlockEventRole::DiskName},
};

BlockEventRole roleOf(std::string_view name)
{
    constexpr std::string_view Subsystem = "block:";
    if (name.starts_with(Subsystem))
        name.remove_prefix(Subsystem.size());
    for (const auto& known : KnownNames)
        if (known.name == name)
            return known.role;
    return BlockEventRole::None;
}

/// Returns the roles of the event types, indexed by EventTypeId. If the issue or completion events were recorded only as samples, most of
/// these events are missing. Requests cannot be followed then, and all roles are None.
std::vector<BlockEventRole> rolesIn(const Trace& trace)
{
    std::vector<BlockEventRole> roles;
    bool areSampled = false;
    for (const auto& type : trace.eventTypes()) {
        const BlockEventRole role = roleOf(type->name);
        const bool isPart = role != BlockEventRole::None && isSampled(trace, static_cast<EventTypeId>(roles.size()));
        areSampled = areSampled || (isPart && (role == BlockEventRole::Issue || role == BlockEventRole::Complete));
        roles.push_back(isPart ? BlockEventRole::None : role);
    }
    if (areSampled)
        std::ranges::fill(roles, BlockEventRole::None);
    return roles;
}

FieldRef orElse(FieldRef first, FieldRef second) { return first.isValid() ? std::move(first) : std::move(second); }

std::uint64_t countFrom(std::int64_t number) { return number > 0 ? static_cast<std::uint64_t>(number) : 0; }

} // namespace

/// Returns the fields of an event type. perf's conversion to CTF puts the thread's TID into the payload, as the field "perf_tid".
std::optional<BlockEvents::Type> BlockEvents::typeOf(const EventType& type, BlockEventRole role)
{
    if (role == BlockEventRole::None)
        return {};
    Type it;
    it.role = role;
    const bool isElevators = it.role == BlockEventRole::ElevatorMerge;
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
        if (it.role == BlockEventRole::Insert || it.role == BlockEventRole::Issue)
            m_nameThreads = m_nameThreads && it.tid.isValid() && it.comm.isValid();
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

RequestingThread BlockEvents::requestingThread(const EventView& event) const
{
    const Type& type = of(event);
    const std::int64_t tid = type.tid.integerOr(event, -1);
    RequestingThread it;
    if (tid >= 0 && tid <= std::numeric_limits<std::int32_t>::max())
        it.tid = static_cast<std::int32_t>(tid);
    if (type.comm.isValid())
        it.name = type.comm.text(event);
    return it;
}

bool hasRequests(const Trace& trace)
{
    return std::ranges::any_of(rolesIn(trace),
                               [](BlockEventRole role) { return role == BlockEventRole::Issue || role == BlockEventRole::Complete; });
}

} // namespace helio::disks
