#pragma once

#include "core/analyses/disks/block_events.h"
#include "core/store/store.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace helio::disks {

/// Id of the view that contains the rows of disks.
constexpr std::string_view View = "disk";

/// Return the states of the rows of a queue: of requests that wait for the driver (waitingStates), or that the driver processes
/// (driverStates).
const StateSet& waitingStates();
/// States of the attribute tracks QueuedTimes: their intervals are the times that requests waited in the queue before they were issued.
const StateSet& queuedStates();
const StateSet& driverStates();

/// The requests in one queue of a disk, ordered by sector. Requests that are in the queue at the same time are on separate rows: each
/// request occupies a slot, the one with the lowest free number, and each slot has a row.
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the sink alive longer than the object.
/// Cost: logarithmic in the number of requests for each call.
class RequestQueue {
public:
    struct Held {
        Request request;
        std::size_t slot = 0;
    };
    using Requests = std::multimap<std::uint64_t, Held>; ///< Requests keyed by sector. Requests at the same sector are in order of arrival.
    using RequestRef = Requests::iterator;

    /// Maximum number of slots. Requests without a slot have their segments on the row of the queue.
    static constexpr std::size_t MostSlots = 4096;

    /// `disk`: row of the disk; `diskKey`: the row's key; `name`: "waiting" or "driver".
    RequestQueue(StateSink& sink, const StateSet& states, TrackId disk, const std::string& diskKey, const std::string& name);

    std::size_t size() const { return m_requests.size(); }
    RequestRef none() { return m_requests.end(); }
    /// Returns the first request at the sector with the operation (nullopt for any operation), preferably one with `count` sectors left;
    /// none() if no request matches.
    RequestRef find(std::uint64_t sector, std::optional<Operation> operation, std::uint64_t count);
    /// Returns a request that ends where the sector begins; none() if no request does.
    RequestRef findEnd(std::uint64_t sector, std::optional<Operation> operation);

    RequestRef add(HostTimestamp at, std::uint64_t sector, Request request);
    /// Removes a request and returns it. Requires: `place` is in this queue.
    Request take(HostTimestamp at, RequestRef place);
    /// Removes all requests that have the event's operation and lie within its sectors. Returns the first of them; nullopt if none was
    /// removed.
    std::optional<Request> takeCovered(HostTimestamp at, const BlockEvent& range);
    /// Moves a request to another sector, i.e. changes its key for find().
    RequestRef move(RequestRef place, std::uint64_t sector);
    /// Updates the row of a request after the request changed.
    void show(HostTimestamp at, RequestRef place);
    TrackId rowOf(RequestRef place);
    /// Records that the request at `place` was queued from `since` until it entered this queue at `at`.
    void addQueued(HostTimestamp since, HostTimestamp at, RequestRef place);

    /// Drops all requests because events were lost. Their rows show the state Unknown until endLost(). endLost() ends this state and frees
    /// the rows for new requests.
    void lose(HostTimestamp at);
    void endLost(HostTimestamp at);

private:
    std::size_t takeSlot();
    TrackId slotRow(std::size_t slot);
    TrackId ownRow();

    StateSink& m_sink;
    const StateSet& m_stateSet;
    TrackId m_disk;
    std::string m_key;
    std::string m_name;
    StateSetId m_states{};
    TrackId m_row = NoTrack;
    Requests m_requests;
    std::vector<TrackId> m_slots;
    /// Attribute track of a slot (QueuedTimes): for each request of the slot, the time that the request waited in the disk's queue before
    /// it was issued.
    struct Queued {
        TrackId track = NoTrack; ///< Attribute track; NoTrack if no request of the slot waited in the disk's queue.
        HostTimestamp end = HostTimestamp::min(); ///< End of the last interval that was added to `track`.
    };
    std::vector<Queued> m_queued; ///< Attribute tracks with the waiting times of the requests (QueuedTimes), indexed by slot of this queue.
    std::set<std::size_t> m_free; ///< Slots that no request uses: indices into m_slots, whose rows takeSlot() uses again.
    std::vector<std::size_t> m_lost;
};

} // namespace helio::disks
