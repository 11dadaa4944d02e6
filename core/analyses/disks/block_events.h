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

/// Operation of a request.
enum class Operation : std::uint8_t { Read, Write, Flush, Other };

constexpr std::string_view wordOf(Operation it)
{
    constexpr std::string_view Words[] = {"read", "write", "flush", "other"};
    return Words[static_cast<std::size_t>(it)];
}

/// Decodes a numeric field "rwbs" as LTTng records it. If several bits are set, write takes precedence over read, and read over flush.
constexpr Operation operationOf(std::int64_t rwbs)
{
    constexpr std::int64_t Write = 0x1, Read = 0x4, ReadAheadTrace = 0x8, Flush = 0x100, PreFlush = 0x400;
    if (rwbs & Write)
        return Operation::Write;
    if (rwbs & (Read | ReadAheadTrace))
        return Operation::Read;
    return rwbs & (Flush | PreFlush) ? Operation::Flush : Operation::Other;
}

/// Decodes a text field "rwbs" as the kernel's blk_fill_rwbs() makes it: F for a preceding flush, then the operation (W, R, D, DE, F, N, Z
/// and another letter), then the flags F, A, S, M.
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
    Complete, ///< A request, or a part of it, is completed.
    Requeue, ///< The driver gives a request back to the queue.
    FrontMerge, ///< A new I/O is added to the front of a queued request, which begins where the I/O ends.
    Merge, ///< A queued request is appended to the queued request that ends where it begins.
    ElevatorMerge, ///< A merge as older kernels record it, with both requests.
    DiskName,
};
constexpr std::size_t Roles = std::size_t(BlockEventRole::DiskName) + 1;

/// Contents of an event of the block layer.
struct BlockEvent {
    std::uint32_t device = 0; ///< Device number of the disk.
    std::uint64_t sector = NoSector; ///< First sector.
    std::uint64_t count = 0; ///< Count of sectors of 512 bytes.
    std::optional<Operation> operation; ///< nullopt if not recorded.
};

using RequestingThread = RunningThread;

/// Finds and reads the events of the block layer in one trace: LTTng's, and those of ftrace and perf, whose names begin with "block:".
///
/// Threads: to be used by one thread.
/// Ownership: the trace outlives the object.
class BlockEvents {
public:
    explicit BlockEvents(const Trace& trace);

    BlockEventRole roleOf(EventTypeId type) const { return m_types[type].role; }
    /// Returns true if the trace has an event type of the role, even if no event of it occurred.
    bool has(BlockEventRole role) const { return m_has[static_cast<std::size_t>(role)]; }

    /// Reads an event; nullopt if it names no disk.
    std::optional<BlockEvent> read(const EventView& event) const;
    /// Returns the first sector of the request that grows by an ElevatorMerge.
    std::uint64_t baseSector(const EventView& event) const;
    /// Returns the recorded count of bytes, or `count` sectors in bytes if it was not recorded.
    std::int64_t bytes(const EventView& event, std::uint64_t count) const;
    std::int64_t error(const EventView& event) const;
    std::string_view diskName(const EventView& event) const;
    /// Returns the thread that the event itself names.
    RequestingThread requestingThread(const EventView& event) const;
    /// Returns true if all Insert and Issue events name their thread.
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

/// Returns true if the trace has all events of issues or completions of requests, not only samples of them.
bool hasRequests(const Trace& trace);

/// A request in one of its disk's queues.
struct Request {
    Operation operation = Operation::Other;
    std::uint64_t sector = 0; ///< First sector; 0 if it has none.
    std::uint64_t count = 0; ///< Count of sectors; 0 if it has none.
    std::uint64_t left = 0; ///< Count of sectors that are not completed yet.
    std::int64_t bytes = 0;
    HostTimestamp since{}; ///< Time when the request entered this queue.
    std::optional<HostTimestamp> inserted; ///< Time when the request was inserted into the disk's queue; nullopt if not recorded.
    bool isRequeued = false; ///< True if the driver gave the request back and it was not inserted again since.
    RequestingThread requestingThread; ///< Thread that inserted the request; if unknown, the thread that issued it.
    std::int64_t error = 0;
};

} // namespace helio::disks
