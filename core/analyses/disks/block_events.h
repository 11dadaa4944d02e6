#pragma once

#include "core/base/time.h"
#include "core/event_model/running_threads.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/values_by_event_type.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace helio::disks {

enum class Operation : std::uint8_t { Read, Write, Flush, Other };

constexpr std::string_view wordOf(Operation it)
{
    constexpr std::string_view Words[] = {"read", "write", "flush", "other"};
    return Words[static_cast<std::size_t>(it)];
}

/// Decodes a numeric field "rwbs", the form in which LTTng records it. If several bits are set, Write takes precedence over Read, and Read
/// over Flush.
constexpr Operation operationOf(std::int64_t rwbs)
{
    constexpr std::int64_t Write = 0x1, Read = 0x4, ReadAheadTrace = 0x8, Flush = 0x100, PreFlush = 0x400;
    if (rwbs & Write)
        return Operation::Write;
    if (rwbs & (Read | ReadAheadTrace))
        return Operation::Read;
    return rwbs & (Flush | PreFlush) ? Operation::Flush : Operation::Other;
}

/// Decodes a text field "rwbs" in the format of the kernel's blk_fill_rwbs(): F for a preceding flush; the operation (W, R, D, DE, F, N, or
/// Z and another letter); the flags F, A, S, M.
constexpr Operation operationOf(std::string_view rwbs)
{
    const bool isFlushedBefore = rwbs.starts_with('F') && rwbs.size() > 1;
    const std::string_view does = isFlushedBefore ? rwbs.substr(1) : rwbs;
    if (does.starts_with('W') || does.starts_with("ZA"))
        return Operation::Write;
    if (does.starts_with('R'))
        return Operation::Read;
    return isFlushedBefore || does.starts_with('F') ? Operation::Flush : Operation::Other;
}

/// Sector of requests without a sector, e.g. flushes.
constexpr std::uint64_t NoSector = ~std::uint64_t{0};

enum class BlockEventRole : std::uint8_t {
    None,
    Insert, ///< A request is inserted into its disk's queue.
    Issue, ///< A request is issued to the driver.
    Complete, ///< A request is completed, completely or in part.
    Requeue, ///< The driver returns a request to the queue.
    FrontMerge, ///< A new I/O is merged into a queued request whose first sector follows the last sector of the I/O.
    Merge, ///< A queued request is merged into the queued request that it directly follows.
    ElevatorMerge, ///< A merge of two requests in the format of older kernels, which records both requests.
    DiskName,
};
constexpr std::size_t Roles = std::size_t(BlockEventRole::DiskName) + 1;

/// Fields of an event of the block layer.
struct BlockEvent {
    std::uint32_t device = 0; ///< Device number of the disk.
    std::uint64_t sector = NoSector; ///< First sector of the request; NoSector if it has none.
    std::uint64_t count = 0; ///< Size of the request in sectors of 512 bytes.
    std::optional<Operation> operation; ///< Operation of the request; nullopt if not recorded.
};

using RequestingThread = RunningThread;

/// Finds and reads the block layer's events in one trace: events of LTTng, and events of ftrace and perf, whose names begin with "block:".
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the trace alive longer than the object.
class BlockEvents {
public:
    explicit BlockEvents(const Trace& trace);

    BlockEventRole roleOf(EventTypeId type) const { return m_types[type].role; }
    /// Returns true if the trace declares an event type with the role, even if no such event was recorded.
    bool has(BlockEventRole role) const { return m_has[static_cast<std::size_t>(role)]; }

    /// Reads an event; nullopt if the event contains no device number of a disk.
    std::optional<BlockEvent> read(const EventView& event) const;
    /// Returns the first sector of the request into which an ElevatorMerge merges another request.
    std::uint64_t baseSector(const EventView& event) const;
    /// Returns the size in bytes from the event, or `count` sectors in bytes if the event has no size.
    std::int64_t bytes(const EventView& event, std::uint64_t count) const;
    std::int64_t error(const EventView& event) const;
    std::string_view diskName(const EventView& event) const;
    /// Returns the thread that the event's own fields identify.
    RequestingThread requestingThread(const EventView& event) const;
    /// Returns true if all Insert and Issue events contain the TID of their thread.
    bool nameThreads() const { return m_nameThreads; }

private:
    struct Type {
        BlockEventRole role = BlockEventRole::None;
        FieldRef device, sector, count, rwbs, bytes, error, base, name;
        FieldRef tid, comm;
    };
    static std::optional<Type> typeOf(const EventType& type, BlockEventRole role);
    const Type& of(const EventView& event) const { return m_types[event.record->type]; }

    ValuesByEventType<Type> m_types;
    bool m_has[Roles] = {};
    bool m_nameThreads = true;
};

/// Returns true if the trace recorded all issues or completions of requests, not only samples of them.
bool hasRequests(const Trace& trace);

/// A request in one of the queues of a disk.
struct Request {
    Operation operation = Operation::Other;
    std::uint64_t sector = 0; ///< First sector; 0 if the request has no sectors.
    std::uint64_t count = 0; ///< Number of sectors; 0 if the request has no sectors.
    std::uint64_t left = 0; ///< Number of sectors that are not completed yet.
    std::int64_t bytes = 0;
    HostTimestamp since{}; ///< Time when the request entered the queue that contains it.
    std::optional<HostTimestamp> inserted; ///< Time when the request was inserted into the disk's queue; nullopt if not recorded.
    bool isRequeued = false; ///< True if the driver returned the request and it was not inserted again since then.
    RequestingThread requestingThread; ///< Thread that inserted the request, or else the thread that issued the request.
    std::int64_t error = 0;
};

} // namespace helio::disks
