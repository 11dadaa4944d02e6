#include "core/analyses/locks/lock_events.h"

#include <algorithm>
#include <vector>

namespace helio::locks {
namespace {

constexpr struct {
    std::string_view name;
    LockEventRole role;
} KnownNames[] = {
    {"lock:contention_begin", LockEventRole::WaitBegin},
    {"lock_contention_begin", LockEventRole::WaitBegin},
    {"lock:contention_end", LockEventRole::WaitEnd},
    {"lock_contention_end", LockEventRole::WaitEnd},
    {"lttng_ust_pthread:pthread_mutex_lock_req", LockEventRole::Request},
    {"lttng_ust_pthread:pthread_mutex_lock_acq", LockEventRole::Acquire},
    {"lttng_ust_pthread:pthread_mutex_trylock", LockEventRole::Try},
    {"lttng_ust_pthread:pthread_mutex_unlock", LockEventRole::Release},
    {"kutrace:lock_try", LockEventRole::Request},
    {"kutrace:lock_acquire", LockEventRole::Acquire},
    {"kutrace:lock_release", LockEventRole::Release},
};

LockEventRole roleOf(std::string_view name)
{
    for (const auto& known : KnownNames)
        if (known.name == name)
            return known.role;
    return LockEventRole::None;
}

/// Returns the roles of the event types, indexed by EventTypeId. A type that was only sampled has the role None, because most of its events
/// are missing. If WaitEnd events were only sampled, the types of WaitBegin have the role None, too: most of the waits that they begin
/// would never end.
std::vector<LockEventRole> rolesIn(const Trace& trace)
{
    std::vector<LockEventRole> roles;
    bool areEndsSampled = false, areEndsWhole = false;
    for (const auto& type : trace.eventTypes()) {
        const LockEventRole role = roleOf(type->name);
        const bool isPart = role != LockEventRole::None && isSampled(trace, static_cast<EventTypeId>(roles.size()));
        if (role == LockEventRole::WaitEnd)
            (isPart ? areEndsSampled : areEndsWhole) = true;
        roles.push_back(isPart ? LockEventRole::None : role);
    }
    if (areEndsSampled && !areEndsWhole)
        std::ranges::replace(roles, LockEventRole::WaitBegin, LockEventRole::None);
    return roles;
}

/// Flags of a lock (LCB_F_* in include/trace/events/lock.h), and perf's names for locks with these flags (tools/perf/builtin-lock.c).
enum Flags : std::int64_t { Spin = 1, Read = 2, Write = 4, Realtime = 8, PerCpu = 16, Mutex = 32 };
constexpr struct {
    std::int64_t flags;
    std::string_view sort;
} Sorts[] = {
    {0, "semaphore"},
    {Spin, "spinlock"},
    {Spin | Read, "rwlock:R"},
    {Spin | Write, "rwlock:W"},
    {Read, "rwsem:R"},
    {Write, "rwsem:W"},
    {Realtime, "rt-mutex"},
    {Realtime | Read, "rwlock-rt:R"},
    {Realtime | Write, "rwlock-rt:W"},
    {PerCpu | Read, "pcpu-sem:R"},
    {PerCpu | Write, "pcpu-sem:W"},
    {Mutex, "mutex"},
    {Mutex | Spin, "mutex"},
};

} // namespace

LockEvents::LockEvents(const Trace& trace)
    : m_types(trace,
              [roles = rolesIn(trace)](const EventType& type, EventTypeId id) { return typeOf(type, roles[static_cast<std::size_t>(id)]); })
{
}

std::optional<LockEvents::Type> LockEvents::typeOf(const EventType& type, LockEventRole role)
{
    if (role == LockEventRole::None)
        return {};
    return Type{role, payloadField(type, {"lock_addr", "mutex"}), payloadField(type, {"flags"}), payloadField(type, {"status", "ret"})};
}

std::optional<std::uint64_t> LockEvents::address(const EventView& event) const
{
    const FieldRef& field = m_types[event.record->type].address;
    const auto number = field.isValid() ? field.integer(event) : std::nullopt;
    return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

std::string_view LockEvents::sort(const EventView& event) const
{
    const std::int64_t flags = m_types[event.record->type].flags.integerOr(event, -1);
    const auto* const known = std::ranges::find(Sorts, flags, [](const auto& it) { return it.flags; });
    return known == std::end(Sorts) ? std::string_view() : known->sort;
}

bool LockEvents::isDone(const EventView& event) const
{
    // Error number EOWNERDEAD of Linux, on most architectures: the previous owner of a robust mutex died.
    constexpr std::int64_t OwnerDied = 130;
    const std::int64_t status = m_types[event.record->type].status.integerOr(event, 0);
    return status == 0 || status == OwnerDied;
}

bool hasLocks(const Trace& trace)
{
    return std::ranges::any_of(rolesIn(trace),
                               [](LockEventRole role) { return role == LockEventRole::WaitBegin || role == LockEventRole::Acquire; });
}

} // namespace helio::locks
