#pragma once

#include "core/analyses/disks/request.h"
#include "core/store/store.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace helio::disks {

/// The view of all rows.
constexpr std::string_view View = "disk";

/// The states of requests that wait for their disk's driver, and of those that it has.
const StateSet& waitingStates();
const StateSet& driverStates();

/// Requests in one of a disk's queues, by where they begin; and a row for each slot of it: a request takes the lowest that is free, and has
/// it until it leaves the queue. One thread; the sink outlives it. Cost of a call: log of the requests in it.
class RequestQueue {
public:
    struct Held {
        Request request;
        std::size_t slot = 0;
    };
    using Requests = std::multimap<std::uint64_t, Held>; ///< Of those at one sector the one that came first is first.
    using Place = Requests::iterator;

    /// More requests at a time have no slot, and their segments lie on the row of the queue.
    static constexpr std::size_t MostSlots = 4096;

    /// `disk`: the row of its disk, which has that key. `name`: "waiting" or "driver".
    RequestQueue(StateSink& sink, const StateSet& states, TrackId disk, const std::string& diskKey, const std::string& name);

    std::size_t size() const { return m_requests.size(); }
    Place none() { return m_requests.end(); }
    /// The first at a sector that does that (nothing: whatever it does), of those that have so many sectors left if there are any.
    Place find(std::uint64_t sector, std::optional<Operation> operation, std::uint64_t count);
    /// One that ends where the sector begins.
    Place findEnd(std::uint64_t sector, std::optional<Operation> operation);

    Place add(HostTimestamp at, std::uint64_t sector, Request request);
    /// Requires: a request of this queue.
    Request take(HostTimestamp at, Place place);
    /// Takes out all that lie within the event's sectors and do the same. The first of them; nothing: there is none.
    std::optional<Request> takeCovered(HostTimestamp at, const BlockEvent& range);
    /// From now on it is found at that sector.
    Place move(Place place, std::uint64_t sector);
    /// The row shows it as it is now.
    void show(HostTimestamp at, Place place);
    TrackId rowOf(Place place);

    /// Nothing is known any more of those that are in it. Their rows say so until endLost(), and then are free.
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
    std::set<std::size_t> m_free; ///< Of those that have a row.
    std::vector<std::size_t> m_lost;
};

} // namespace helio::disks
