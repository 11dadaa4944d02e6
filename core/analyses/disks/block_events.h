#pragma once

#include "core/analyses/disks/operation.h"
#include "core/base/time.h"
#include "core/event_model/running_threads.h"
#include "core/trace/fields/by_event_type.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace helio::disks {

/// The sector of what has none: flushes.
constexpr std::uint64_t NoSector = ~std::uint64_t{0};

enum class Role : std::uint8_t {
    None,
    Insert, ///< A request is put into its disk's queue.
    Issue, ///< The driver gets it.
    Complete, ///< It is done, or a part of it.
    Requeue, ///< The driver gives it back.
    FrontMerge, ///< What is to be done grows a request that begins where it ends.
    Merge, ///< A request becomes a part of the one that ends where it begins.
    ElevatorMerge, ///< The same, of older kernels; both are named.
    DiskName,
};
constexpr std::size_t Roles = std::size_t(Role::DiskName) + 1;

/// What an event of one of these roles says.
struct BlockEvent {
    std::uint32_t device = 0; ///< The disk's number.
    std::uint64_t sector = NoSector; ///< Where it begins.
    std::uint64_t count = 0; ///< Of sectors of 512 bytes.
    std::optional<Operation> operation; ///< None: not recorded.
};

using Doer = RunningThread;

/// How the events of the block layer of one trace are called and read: LTTng's, and those of ftrace and perf, with "block:" in front.
/// One thread; the trace outlives it.
class BlockEvents {
public:
    explicit BlockEvents(const Trace& trace);

    Role roleOf(EventTypeId type) const { return m_types[type].role; }
    /// Whether the trace has such events, or was to have them.
    bool has(Role role) const { return m_has[static_cast<std::size_t>(role)]; }

    /// Nothing where no disk is named.
    std::optional<BlockEvent> read(const EventView& event) const;
    /// Of a Merge by the elevator: where the request begins that grows.
    std::uint64_t baseSector(const EventView& event) const;
    std::int64_t bytes(const EventView& event, std::uint64_t count) const; ///< As recorded, else those of so many sectors.
    std::int64_t error(const EventView& event) const;
    std::string_view diskName(const EventView& event) const;
    /// As the event itself says.
    Doer doer(const EventView& event) const;
    /// Whether all events that have a doer say who it was.
    bool nameDoers() const { return m_nameDoers; }

private:
    struct Type {
        Role role = Role::None;
        FieldRef device, sector, count, rwbs, bytes, error, base, name;
        FieldRef tid, comm;
    };
    static std::optional<Type> typeOf(const EventType& type, Role role);
    const Type& of(const EventView& event) const { return m_types[event.record->type]; }

    ByEventType<Type> m_types;
    bool m_has[Roles] = {};
    bool m_nameDoers = true;
};

/// Whether a trace has events that say what disks do: all of those that there were, not samples of them.
bool hasRequests(const Trace& trace);

} // namespace helio::disks
