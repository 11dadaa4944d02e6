#include "core/analyses/disks/request_queue.h"

#include <algorithm>
#include <utility>

namespace helio::disks {
namespace {

constexpr auto Unknown = State{4};

State stateOf(Operation it) { return static_cast<State>(it); }

bool isOf(const Request& request, std::optional<Operation> operation) { return !operation || request.operation == *operation; }

std::string detailOf(const Request& it) { return std::to_string(it.sector) + '+' + std::to_string(it.count); }

StateSet statesOf(const char* id, const char* title, const char* doing, BarPattern drawing)
{
    const std::string words = doing;
    const auto style = [&](const char* color, const char* what, std::uint8_t order, std::uint8_t height = 16) {
        StateStyle it{drawing == BarPattern::Plain ? color : "disk.queued", words + what, what, height, drawing, order};
        it.flags = StateFlag::Labelled | StateFlag::AlwaysVisible;
        if (drawing == BarPattern::Plain)
            it.flags |= StateFlag::InHeader;
        it.valueTitle = "Sector and count";
        it.connective = "of";
        return it;
    };
    return {id,
            {{"read", StateCategory::None, style("disk.read", "read", 0)},
             {"write", StateCategory::None, style("disk.write", "write", 1)},
             {"flush", StateCategory::None, style("disk.flush", "flush", 2)},
             {"other", StateCategory::None, style("disk.other", "other", 3, 10)},
             {"unknown",
              StateCategory::Unknown,
              {"thread.unknown", "Unknown: events were lost", "unknown", 5, BarPattern::Hatched, RestingOrder}}},
            title};
}

} // namespace

const StateSet& waitingStates()
{
    static const StateSet set = statesOf("disk-waiting", "", "Queued: ", BarPattern::Hatched);
    return set;
}

const StateSet& queuedStates()
{
    static const StateSet set = [] {
        StateSet made = waitingStates();
        made.id = "disk-queued";
        for (StateKind& state : made.states) {
            state.style.legend = "queued";
            state.style.order = 4; // Position in legends: after the states of requests that the driver processes.
            state.style.flags = StateFlag::InHeader; // AlwaysVisible is not set, so that a short time in the queue hides no other bars.
        }
        return made;
    }();
    return set;
}

const StateSet& driverStates()
{
    static const StateSet set = statesOf("disk-driver", "Disk requests", "In flight: ", BarPattern::Plain);
    return set;
}

namespace {

/// Maximum number of requests in a queue; no disk has as many. The limit is for traces in which requests are never issued.
constexpr std::size_t MostHeld = 65'536;
constexpr std::size_t MostTried = 1024; ///< Maximum number of requests at one sector that a search visits.

} // namespace

RequestQueue::RequestQueue(StateSink& sink, const StateSet& states, TrackId disk, const std::string& diskKey, const std::string& name)
    : m_sink(sink)
    , m_stateSet(states)
    , m_disk(disk)
    , m_key(diskKey + "/queue:" + name)
    , m_name(name)
{
}

RequestQueue::RequestRef RequestQueue::find(std::uint64_t sector, std::optional<Operation> operation, std::uint64_t count)
{
    const auto [begin, end] = m_requests.equal_range(sector);
    RequestRef found = m_requests.end();
    std::size_t tried = 0;
    for (RequestRef it = begin; it != end && tried < MostTried; ++it, ++tried) {
        if (!isOf(it->second.request, operation))
            continue;
        if (it->second.request.left == count)
            return it;
        if (found == m_requests.end())
            found = it;
    }
    return found;
}

RequestQueue::RequestRef RequestQueue::findEnd(std::uint64_t sector, std::optional<Operation> operation)
{
    // Maximum number of requests that the search visits. It is small, because a request that ends at `sector` begins shortly before
    // `sector`.
    constexpr int Most = 64;
    RequestRef it = m_requests.lower_bound(sector);
    for (int tried = 0; tried < Most && it != m_requests.begin(); ++tried) {
        --it;
        if (isOf(it->second.request, operation) && it->first + it->second.request.left == sector)
            return it;
    }
    return m_requests.end();
}

RequestQueue::RequestRef RequestQueue::add(HostTimestamp at, std::uint64_t sector, Request request)
{
    if (m_requests.size() >= MostHeld)
        take(at, m_requests.begin());
    const std::size_t slot = takeSlot();
    const RequestRef place = m_requests.emplace(sector, Held{std::move(request), slot});
    if (slot < MostSlots)
        m_sink.beginInterval(at, slotRow(slot), stateOf(place->second.request.operation),
                             static_cast<std::uint32_t>(m_sink.string(detailOf(place->second.request))));
    return place;
}

void RequestQueue::addQueued(HostTimestamp since, HostTimestamp at, RequestRef place)
{
    const std::size_t slot = place->second.slot;
    if (slot >= MostSlots || since >= at)
        return;
    if (m_queued.size() <= slot)
        m_queued.resize(slot + 1);
    Queued& queued = m_queued[slot];
    if (queued.track == NoTrack) {
        Track attribute;
        attribute.kind = "queued";
        attribute.key = m_key + "/slot:" + std::to_string(slot) + "/queued";
        attribute.parent = m_slots[slot];
        attribute.states = *m_sink.stateSet(queuedStates());
        attribute.valueKind = ValueKind::Text;
        queued.track = m_sink.addTrack(std::move(attribute));
    }
    const Request& request = place->second.request;
    const auto detail = static_cast<std::uint32_t>(m_sink.string(detailOf(request)));
    m_sink.beginInterval(std::max(since, queued.end), queued.track, stateOf(request.operation), detail);
    m_sink.end(at, queued.track);
    queued.end = at;
}

Request RequestQueue::take(HostTimestamp at, RequestRef place)
{
    Held held = std::move(m_requests.extract(place).mapped());
    if (held.slot < MostSlots) {
        m_sink.end(at, m_slots[held.slot]);
        m_free.insert(held.slot);
    }
    return std::move(held.request);
}

std::optional<Request> RequestQueue::takeCovered(HostTimestamp at, const BlockEvent& range)
{
    std::optional<Request> first;
    RequestRef it = m_requests.lower_bound(range.sector);
    for (std::size_t tried = 0; tried < MostTried && it != m_requests.end() && it->first - range.sector < range.count; ++tried) {
        const RequestRef next = std::next(it);
        const Request& request = it->second.request;
        if (isOf(request, range.operation) && request.left <= range.count - (it->first - range.sector)) {
            Request taken = take(at, it);
            if (!first)
                first = std::move(taken);
        }
        it = next;
    }
    return first;
}

RequestQueue::RequestRef RequestQueue::move(RequestRef place, std::uint64_t sector)
{
    auto node = m_requests.extract(place);
    node.key() = sector;
    return m_requests.insert(std::move(node));
}

void RequestQueue::show(HostTimestamp at, RequestRef place)
{
    const auto& [request, slot] = place->second;
    if (slot < MostSlots)
        m_sink.set(at, m_slots[slot], stateOf(request.operation), static_cast<std::uint32_t>(m_sink.string(detailOf(request))));
}

TrackId RequestQueue::rowOf(RequestRef place) { return place->second.slot < MostSlots ? m_slots[place->second.slot] : ownRow(); }

void RequestQueue::lose(HostTimestamp at)
{
    for (const auto& [sector, held] : m_requests) {
        if (held.slot >= MostSlots)
            continue;
        m_sink.set(at, m_slots[held.slot], Unknown);
        m_lost.push_back(held.slot);
    }
    m_requests.clear();
}

void RequestQueue::endLost(HostTimestamp at)
{
    for (const std::size_t slot : m_lost) {
        m_sink.end(at, m_slots[slot]);
        m_free.insert(slot);
    }
    m_lost.clear();
}

std::size_t RequestQueue::takeSlot()
{
    if (m_free.empty())
        return m_slots.size() < MostSlots ? m_slots.size() : MostSlots;
    const std::size_t slot = *m_free.begin();
    m_free.erase(m_free.begin());
    return slot;
}

TrackId RequestQueue::slotRow(std::size_t slot)
{
    if (slot < m_slots.size())
        return m_slots[slot];
    Track row;
    row.view = View;
    row.kind = "disk-slot";
    row.key = m_key + "/slot:" + std::to_string(slot);
    row.label = "#" + std::to_string(slot);
    row.parent = ownRow();
    row.states = m_states;
    row.valueKind = ValueKind::Text;
    row.sortKey = static_cast<std::int32_t>(slot);
    return m_slots.emplace_back(m_sink.addTrack(std::move(row)));
}

TrackId RequestQueue::ownRow()
{
    if (m_row != NoTrack)
        return m_row;
    m_states = *m_sink.stateSet(m_stateSet);
    Track row;
    row.view = View;
    row.role = TrackRole::Group;
    row.kind = "disk-queue";
    row.key = m_key;
    row.label = m_name == "waiting" ? "Queued" : "In flight";
    row.parent = m_disk;
    row.states = m_states;
    row.sortKey = m_name == "waiting" ? 0 : 1;
    return m_row = m_sink.addTrack(std::move(row));
}

} // namespace helio::disks
