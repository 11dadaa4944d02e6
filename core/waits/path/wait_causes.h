#pragma once

#include "core/query/rows/arrows.h"
#include "core/waits/path/cpu_holders.h"
#include "core/waits/path/disk_waits.h"
#include "core/waits/path/path.h"

#include <optional>
#include <string>

namespace helio {

/// Why one wait of a thread lasted as long as it did.
struct WaitCause {
    PathKind kind = PathKind::Blocked;
    std::string detail; ///< "futex, held by mtx-owner (265) in futex"
    std::string summed; ///< What it is summed up as, of messages: by who sent them. Empty: by its detail.
    TrackRef waker{}; ///< Whose doings until `followedTo` the wait was for. Not valid: nobody's that is recorded.
    Timestamp followedTo{}; ///< When it woke the thread, or sent what woke it.
    std::optional<Arrow> waking{}; ///< The wake-up that ended the wait.
    std::optional<CrossLink> message{}; ///< That came in and woke it.
    std::optional<DiskWait> disk{}; ///< Whose completion woke it.
};

/// "python3 (199)", with several hosts "python3 (199) on db".
std::string threadWords(const Timeline& timeline, TrackRef thread);

/// Words without the numbers of threads in them: "behind dd, idle" of "behind dd (190), idle".
std::string withoutThreadNumber(const std::string& words);

/// Finds causes of waits from wake-ups and messages. One thread; the timeline outlives it.
class WaitCauses {
public:
    explicit WaitCauses(const Timeline& timeline)
        : m_timeline(timeline)
        , m_disks(timeline)
    {
    }

    /// What the driver of the disk did that a wait was for, in a part of the wait.
    std::vector<DiskWaits::Served> servedIn(TrackRef thread, const DiskWait& disk, TimeRange range);

    /// Of a state in which a thread could not run. Requires: the row has states.
    WaitCause of(TrackRef thread, const Interval& wait);

private:
    /// An interrupt that ended a wait.
    struct Interrupt {
        PathKind kind = PathKind::Blocked; ///< The kind of device that raised it; Blocked: not known.
        std::string name; ///< "virtio1-req.0", "NET_RX". Empty: not recorded.
        TrackRef handler{}; ///< The thread that served it; not valid: it was served on the CPU that it interrupted.
    };

    Interrupt interruptOf(const Arrow& waking) const;
    std::optional<Interrupt> interruptOfHandler(TrackRef thread, Timestamp at) const;
    bool mayComeFromNetwork(const std::optional<Arrow>& waking) const;
    bool mayHaveWoken(const CrossLink& link, RelationIndex relation, std::string_view call) const;
    bool addMessage(TrackRef thread, const Interval& wait, WaitCause& cause) const;
    void addThread(TrackRef thread, const Interval& wait, WaitCause& cause) const;
    void addDisk(TrackRef thread, const Interval& wait, WaitCause& cause);
    void addInterrupt(TrackRef thread, const Interval& wait, std::string_view call, const Interrupt& interrupt, WaitCause& cause);
    std::string textOf(const CrossLink& link, RelationIndex relation) const;
    void addSender(TrackRef thread, const CrossLink& message, std::uint32_t payload, WaitCause& cause) const;
    std::uint32_t payloadOf(const CrossLink& link, RelationIndex relation) const;
    std::string callAt(TrackRef thread, Timestamp at) const;

    const Timeline& m_timeline;
    DiskWaits m_disks;
};

} // namespace helio
