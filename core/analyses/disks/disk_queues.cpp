#include "core/analyses/disks/disk_queues.h"

#include <algorithm>
#include <utility>

namespace helio::disks {
namespace {

/// Returns the key of a request in the queues: its sector, or NoSector. Flushes and commands to the device itself get NoSector, because
/// they are issued with sector 0 and completed with sector -1.
std::uint64_t placeOf(const BlockEvent& it) { return it.count == 0 ? NoSector : it.sector; }

std::uint64_t shownSector(std::uint64_t sector) { return sector == NoSector ? 0 : sector; }

} // namespace

DiskQueues::DiskQueues(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_events(trace)
    , m_running(trace, m_events.nameThreads() ? RunningThreads::Needs::Numbers : RunningThreads::Needs::Names)
    , m_segments(sink, m_events.has(BlockEventRole::DiskName))
{
    for (std::uint32_t i = 0; i < trace.eventTypes().size(); ++i)
        m_areTaken.push_back(m_events.roleOf(EventTypeId{i}) != BlockEventRole::None || m_running.isSwitch(EventTypeId{i}));
}

void DiskQueues::onEvents(const EventRun& run)
{
    const std::uint8_t* const areTaken = m_areTaken.data();
    for (const EventRecord& record : run.records) {
        if (!areTaken[static_cast<std::size_t>(record.type)])
            continue;
        const EventView event{&record, &m_trace.eventTypes()[record.type], run.packet, run.stream};
        const BlockEventRole role = m_events.roleOf(record.type);
        role == BlockEventRole::None ? m_running.take(event) : take(event, role);
    }
}

void DiskQueues::take(const EventView& event, BlockEventRole role)
{
    const auto it = m_events.read(event);
    if (!it)
        return;
    if (role == BlockEventRole::DiskName)
        return name(event, it->device);
    if (const auto disk = m_disks.find(it->device); disk != m_disks.end())
        return take(event, role, *it, disk->second);
    // Add a disk only for events that can begin a request; all other events refer to existing requests.
    if (role == BlockEventRole::Insert || role == BlockEventRole::Issue || role == BlockEventRole::Requeue)
        take(event, role, *it, addDisk(it->device));
}

void DiskQueues::take(const EventView& event, BlockEventRole role, const BlockEvent& it, Disk& disk)
{
    apply(event, role, it, disk);
    disk.showHeld(event.time());
}

void DiskQueues::apply(const EventView& event, BlockEventRole role, const BlockEvent& it, Disk& disk)
{
    switch (role) {
    case BlockEventRole::Insert: return insert(event, it, disk);
    case BlockEventRole::Issue: return issue(event, it, disk);
    case BlockEventRole::Complete: return complete(event, it, disk);
    case BlockEventRole::Requeue: return requeue(event, it, disk);
    case BlockEventRole::FrontMerge: return frontMerge(event, it, disk);
    case BlockEventRole::Merge: return merge(event, it, disk, disk.waiting.findEnd(it.sector, it.operation));
    case BlockEventRole::ElevatorMerge: return merge(event, it, disk, disk.waiting.find(m_events.baseSector(event), it.operation, 0));
    default: return;
    }
}

/// Inserts a request into the disk's queue. Flushes are ignored, because they are not queued.
void DiskQueues::insert(const EventView& event, const BlockEvent& it, Disk& disk)
{
    if (it.count == 0)
        return;
    if (const auto known = disk.waiting.find(it.sector, it.operation, it.count);
        known != disk.waiting.none() && known->second.request.isRequeued) {
        known->second.request.isRequeued = false;
        return;
    }
    dropReplaced(event, it, disk.waiting);
    Request request = requestOf(event, it);
    request.inserted = event.time();
    disk.waiting.add(event.time(), it.sector, std::move(request));
}

void DiskQueues::issue(const EventView& event, const BlockEvent& it, Disk& disk)
{
    Request request = requestOf(event, it);
    HostTimestamp queuedSince = event.time();
    if (auto before = takeWaiting(event, it, disk)) {
        queuedSince = before->since;
        request.inserted = before->inserted;
        request.requestingThread = std::move(before->requestingThread);
    }
    if (!m_events.has(BlockEventRole::Complete))
        return; // Do not add the request to the driver's queue: without completion events, it would never leave the queue.
    dropReplaced(event, it, disk.driver);
    const auto place = disk.driver.add(event.time(), placeOf(it), std::move(request));
    disk.driver.addQueued(queuedSince, event.time(), place);
}

/// Drops requests whose end is missing: older requests at the event's sector with the same operation. Two writes of the same sectors are
/// never in progress at once. Two reads or flushes may be in progress at once, so they are dropped only if the recording is known to lack
/// events on idle CPUs.
void DiskQueues::dropReplaced(const EventView& event, const BlockEvent& it, RequestQueue& queue)
{
    const bool isAlone = it.operation == Operation::Write && it.count > 0;
    if (!isAlone && !m_running.missesSwitchesFromIdle())
        return;
    for (auto place = queue.find(placeOf(it), it.operation, it.count); place != queue.none();
         place = queue.find(placeOf(it), it.operation, it.count)) {
        queue.take(event.time(), place);
        ++m_replaced;
    }
}

/// Removes the waiting request that the event issues, and returns it; nullopt if no waiting request matches.
std::optional<Request> DiskQueues::takeWaiting(const EventView& event, const BlockEvent& it, Disk& disk)
{
    const auto waiting = disk.waiting.find(placeOf(it), it.operation, it.count);
    std::optional<Request> request;
    if (waiting != disk.waiting.none())
        request = disk.waiting.take(event.time(), waiting);
    else if (!m_events.has(BlockEventRole::Requeue) && !m_running.missesSwitchesFromIdle())
        request = takeIssued(event, it, disk);
    if (it.count == 0 || areMergesRecorded())
        return request;
    auto covered = disk.waiting.takeCovered(event.time(), it);
    return request ? std::move(request) : std::move(covered);
}

/// Removes a request from the driver's queue because the request is issued again, and returns it; nullopt if the driver does not have the
/// request. The driver returned the request before the event (a requeue), but the trace does not contain this requeue.
std::optional<Request> DiskQueues::takeIssued(const EventView& event, const BlockEvent& it, Disk& disk)
{
    const auto issued = it.count == 0 ? disk.driver.none() : disk.driver.find(it.sector, it.operation, it.count);
    if (issued == disk.driver.none() || issued->second.request.left != it.count)
        return {};
    Request request = disk.driver.take(event.time(), issued);
    request.since = event.time(); // Let the time in the queue be 0, because the time of the requeue is unknown.
    return request;
}

void DiskQueues::complete(const EventView& event, const BlockEvent& it, Disk& disk)
{
    if (it.count == 0 && shownSector(it.sector) != 0)
        return; // Ignore the event: it completes the flush after a write, and an earlier event completed the write itself.
    const auto place = disk.driver.find(placeOf(it), it.operation, it.count);
    if (place == disk.driver.none() && m_running.missesSwitchesFromIdle() && m_events.has(BlockEventRole::Issue))
        // The issue of this request was not recorded, so the request is still in the queue of waiting requests. Drop it.
        return dropReplaced(event, it, disk.waiting);
    if (place == disk.driver.none())
        return completeWaiting(event, it, disk);
    Request& request = place->second.request;
    if (const std::int64_t error = m_events.error(event); error != 0)
        request.error = error;
    if (it.count < request.left) {
        request.left -= it.count;
        disk.driver.move(place, it.sector + it.count);
        return;
    }
    const TrackId row = disk.driver.rowOf(place);
    CompletedRequest done{disk.driver.take(event.time(), place), {}, event.time(), {}, row, event.cpu()};
    done.begin = done.request.since;
    if (done.request.inserted)
        done.queued = done.begin - *done.request.inserted;
    disk.curves.add(done.request, done.end);
    m_segments.add(disk, std::move(done));
}

/// Completes a request directly from the queue of waiting requests, for recordings without issue events. If issue events are recorded, the
/// request was issued before the trace began, so the function does nothing.
void DiskQueues::completeWaiting(const EventView& event, const BlockEvent& it, Disk& disk)
{
    const auto place = m_events.has(BlockEventRole::Issue) ? disk.waiting.none() : disk.waiting.find(placeOf(it), it.operation, it.count);
    if (place == disk.waiting.none())
        return;
    Request& request = place->second.request;
    request.error = m_events.error(event);
    if (it.count < request.left) {
        request.left -= it.count;
        disk.waiting.move(place, it.sector + it.count);
        return;
    }
    const TrackId row = disk.waiting.rowOf(place);
    CompletedRequest done{disk.waiting.take(event.time(), place), {}, event.time(), {}, row, event.cpu()};
    done.begin = done.request.since;
    disk.curves.add(done.request, done.end);
    m_segments.add(disk, std::move(done));
}

void DiskQueues::requeue(const EventView& event, const BlockEvent& it, Disk& disk)
{
    const auto place = disk.driver.find(placeOf(it), it.operation, it.count);
    Request request = place == disk.driver.none() ? requestOf(event, it) : disk.driver.take(event.time(), place);
    request.since = event.time();
    request.isRequeued = true;
    disk.waiting.add(event.time(), placeOf(it), std::move(request));
}

/// Extends a queued request at its front. No effect if the request is not in the queue, because it was not inserted yet.
void DiskQueues::frontMerge(const EventView& event, const BlockEvent& it, Disk& disk)
{
    auto place = disk.waiting.find(it.sector + it.count, it.operation, 0);
    if (place == disk.waiting.none())
        return;
    place = disk.waiting.move(place, it.sector);
    Request& request = place->second.request;
    request.sector = it.sector;
    request.count += it.count;
    request.left += it.count;
    request.bytes = sumOf(Duration(request.bytes), Duration(std::max<std::int64_t>(0, m_events.bytes(event, it.count)))).count();
    disk.waiting.show(event.time(), place);
}

void DiskQueues::merge(const EventView& event, const BlockEvent& it, Disk& disk, RequestQueue::RequestRef base)
{
    const auto place = disk.waiting.find(it.sector, it.operation, it.count);
    if (place == disk.waiting.none() || place == base)
        return;
    const Request merged = disk.waiting.take(event.time(), place);
    if (base == disk.waiting.none())
        return;
    Request& request = base->second.request;
    request.count += merged.count;
    request.left += merged.left;
    // sumOf() saturates at the largest 63-bit value, so the sum cannot overflow.
    request.bytes = sumOf(Duration(request.bytes), Duration(merged.bytes)).count();
    disk.waiting.show(event.time(), base);
}

void DiskQueues::name(const EventView& event, std::uint32_t device)
{
    const std::string_view name = m_events.diskName(event);
    if (name.empty())
        return;
    m_names[device] = name;
    const auto disk = m_disks.find(device);
    if (disk == m_disks.end())
        return;
    disk->second.name = name;
    m_sink.track(disk->second.row).label = name;
}

Request DiskQueues::requestOf(const EventView& event, const BlockEvent& it) const
{
    Request request;
    request.operation = it.operation.value_or(Operation::Other);
    request.sector = shownSector(it.sector);
    request.count = request.left = it.count;
    request.bytes = m_events.bytes(event, it.count);
    request.since = event.time();
    request.requestingThread = requestingThreadOf(event);
    return request;
}

/// Returns the thread that the event's fields identify; missing data are taken from the thread that the CPU runs according to the switches.
RequestingThread DiskQueues::requestingThreadOf(const EventView& event) const
{
    RequestingThread requestingThread = m_events.requestingThread(event);
    if (requestingThread.tid >= 0 && !requestingThread.name.empty())
        return requestingThread;
    const RequestingThread running = m_running.on(event.cpu());
    const bool isSame = requestingThread.tid >= 0 ? requestingThread.tid == running.tid
                                                  : requestingThread.name.empty() || requestingThread.name == running.name;
    return isSame && running.tid >= 0 ? running : requestingThread;
}

Disk& DiskQueues::addDisk(std::uint32_t device)
{
    const auto known = m_names.find(device);
    std::string name = known == m_names.end() ? std::string() : known->second;
    return m_disks.try_emplace(device, m_sink, device, std::move(name), m_begin).first->second;
}

/// Drops the requests in progress, whichever CPU lost the events: a completion may come on any CPU, so that each request may have ended in
/// the gap.
void DiskQueues::lose(HostTimestamp at)
{
    for (auto& [device, disk] : m_disks) {
        disk.waiting.lose(at);
        disk.driver.lose(at);
        disk.showHeld(at);
    }
    m_running.forget();
}

void DiskQueues::finish(HostTimestamp end)
{
    m_segments.write();
    for (auto& [device, disk] : m_disks)
        disk.curves.finish(end);
    sortRows();
}

/// Sorts the rows after all disk names are known. Disks without a name are sorted by device number.
void DiskQueues::sortRows()
{
    std::vector<Track*> rows;
    for (const auto& [device, disk] : m_disks)
        rows.push_back(&m_sink.track(disk.row));
    std::ranges::stable_sort(rows, [](const Track* a, const Track* b) { return isNameBefore(a->label, b->label); });
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i]->sortKey = static_cast<std::int32_t>(i);
}

std::vector<Diagnostic> DiskQueues::diagnostics()
{
    if (m_replaced == 0)
        return {};
    return {{Diagnostic::Severity::Warning,
             "unfinished-requests",
             {},
             0,
             m_replaced,
             "a disk request has no start or completion event: its duration is unknown, and queues may be shorter "
             "than shown"}};
}

void DiskQueues::onLossBegin(const Loss& loss)
{
    ++m_losses;
    lose(loss.range.begin);
}

void DiskQueues::onLoss(const Loss& loss)
{
    m_losses = std::max(0, m_losses - 1);
    lose(loss.range.begin);
    if (m_losses > 0)
        return;
    for (auto& [device, disk] : m_disks) {
        disk.waiting.endLost(loss.range.end);
        disk.driver.endLost(loss.range.end);
    }
}

} // namespace helio::disks
