#pragma once

#include "core/analyses/disks/block_events.h"
#include "core/store/store.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace helio::disks {

/// Id of the view of all rows.
constexpr std::string_view View = "disk";

/// Returns the states of requests that wait for the driver, and of requests that the driver has.
const StateSet& waitingStates();
const StateSet& driverStates();

/// The requests in one of a disk's queues, by sector, and a row for each slot of the queue. A request takes the lowest free slot and keeps
/// it until it leaves the queue.
///
/// Threads: to be used by one thread.
/// Ownership: the sink outlives the object.
/// Cost: logarithmic in the count of requests for each call.
class RequestQueue {
public:
    struct Held {
        Request request;
        std::size_t slot = 0;
    };
    using Requests = std::multimap<std::uint64_t, Held>; ///< Keyed by sector; requests with the same sector in the order of their arrival.
    using Place = Requests::iterator;

    /// Requests beyond this count get no slot; their segments lie on the row of the queue.
    static constexpr std::size_t MostSlots = 4096;

    /// `disk`: row of the disk; `diskKey`: the row's key; `name`: "waiting" or "driver".
    RequestQueue(StateSink& sink, const StateSet& states, TrackId disk, const std::string& diskKey, const std::string& name);

    std::size_t size() const { return m_requests.size(); }
    Place none() { return m_requests.end(); }
    /// Returns the first request at the sector with the operation (nullopt: any operation), preferably one with `count` sectors left;
    /// none() if there is none.
    Place find(std::uint64_t sector, std::optional<Operation> operation, std::uint64_t count);
    /// Returns a request that ends where the sector begins; none() if there is none.
    Place findEnd(std::uint64_t sector, std::optional<Operation> operation);

    Place add(HostTimestamp at, std::uint64_t sector, Request request);
    /// Removes a request and returns it. Requires: `place` is in this queue.
    Request take(HostTimestamp at, Place place);
    /// Removes all requests within the event's sectors with the same operation. Returns the first of them; nullopt if there is none.
    std::optional<Request> takeCovered(HostTimestamp at, const BlockEvent& range);
    /// Moves a request to another sector, where find() finds it from now on.
    Place move(Place place, std::uint64_t sector);
    /// Updates the row of a request after the request changed.
    void show(HostTimestamp at, Place place);
    TrackId rowOf(Place place);

    /// Drops all requests, because events were lost. Their rows are unknown until endLost(), then their slots are free.
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
    std::set<std::size_t> m_free; ///< Free slots that already have a row.
    std::vector<std::size_t> m_lost;
};

} // namespace helio::disks
