#pragma once

#include "core/query/rows/arrows.h"
#include "core/query/rows/rows.h"
#include "core/waits/path/cpu_occupancy.h"
#include "core/waits/path/disk_waits.h"
#include "core/waits/path/path.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace helio {

/// The cause of one wait of a thread.
struct WaitCause {
    PathKind kind = PathKind::Blocked;
    std::string detail; ///< Description of the cause, for example "futex, held by mtx-owner (265) in futex".
    std::string summed; ///< Text by which waits are grouped in sums, for example the sender of a message; if empty, `detail` is used.
    /// Thread that was waited for; not valid if none was recorded. A critical path follows it up to the time `followedTo`.
    TrackRef waker{};
    Timestamp followedTo{}; ///< Time at which `waker` woke the thread, or sent the message whose arrival woke it.
    std::optional<Arrow> waking{}; ///< Wake-up that ended the wait; nullopt if it was not recorded.
    std::optional<InterTraceLink> message{}; ///< Message whose arrival ended the wait; nullopt if there is none.
    std::optional<DiskWait> disk{}; ///< Disk request whose completion ended the wait; nullopt if there is none.
};

/// Returns the name of a thread, for example "python3 (199)", or "python3 (199) on db" if there are several hosts.
std::string threadWords(const Timeline& timeline, TrackRef thread);

/// Removes the TIDs from a text: "behind dd (190), idle" becomes "behind dd, idle".
std::string withoutTids(const std::string& words);

/// Finds the causes of waits from wake-ups and messages.
/// Ownership: the timeline outlives the object.
/// Threads: to be used by one thread.
class WaitCauseFinder {
public:
    explicit WaitCauseFinder(const Timeline& timeline)
        : m_timeline(timeline)
        , m_disks(timeline)
    {
    }

    /// Returns the activity of the disk's driver in a part of a wait for this disk.
    std::vector<DiskWaitFinder::DriverActivity> findDriverActivity(TrackRef thread, const DiskWait& disk, TimeRange range);

    /// Returns the cause of a wait, i.e. of a state interval in which the thread could not run. Requires: the row has states.
    WaitCause of(TrackRef thread, const Interval& wait);

private:
    /// An interrupt that ended a wait.
    struct Interrupt {
        PathKind kind = PathKind::Blocked; ///< Kind of the device that raised the interrupt; Blocked if unknown.
        std::string name; ///< Name of the interrupt, for example "virtio1-req.0" or "NET_RX"; empty if it was not recorded.
        TrackRef handler{}; ///< Kernel thread that handled the interrupt; not valid if the interrupted CPU handled it directly.
    };

    Interrupt interruptOf(const Arrow& waking) const;
    std::optional<Interrupt> interruptOfHandler(TrackRef thread, Timestamp at) const;
    bool mayComeFromNetwork(const std::optional<Arrow>& waking) const;
    bool mayHaveWoken(const InterTraceLink& link, RelationIndex relation, std::string_view call) const;
    bool addMessage(TrackRef thread, const Interval& wait, WaitCause& cause) const;
    void addThread(TrackRef thread, const Interval& wait, WaitCause& cause) const;
    void addDisk(TrackRef thread, const Interval& wait, WaitCause& cause);
    void addInterrupt(TrackRef thread, const Interval& wait, std::string_view call, const Interrupt& interrupt, WaitCause& cause);
    std::string textOf(const InterTraceLink& link, RelationIndex relation) const;
    void addSender(TrackRef thread, const InterTraceLink& message, std::uint32_t payload, WaitCause& cause) const;
    std::uint32_t payloadOf(const InterTraceLink& link, RelationIndex relation) const;
    std::string callAt(TrackRef thread, Timestamp at) const;

    const Timeline& m_timeline;
    DiskWaitFinder m_disks;
};

constexpr std::string_view WaitKind = "wait"; ///< Id of waits as a latency kind on the command line.

/// True if the traces have wake-ups, from which causes of waits can be determined.
bool hasWaitCauses(const Timeline& timeline);

/// Calls `take` for each wait of `threads` that lies entirely in `window`, with its cause. Waits are sorted by their beginning, then by the
/// order of the rows. Returns early if `stop` is requested. Cost: one forEachStateInterval(), and about 5 µs per wait for its cause.
void eachWait(const Timeline& timeline, std::span<const Row> threads, TimeRange window,
              const std::function<void(const Row&, const Interval&, const WaitCause&)>& take, std::stop_token stop = {});

} // namespace helio
