#include "core/analyses/disks/disk.h"

#include <limits>
#include <utility>

namespace helio::disks {
namespace {

TrackId addRow(StateSink& sink, std::uint32_t device, const std::string& numbers, const std::string& name)
{
    Track row;
    row.view = View;
    row.role = TrackRole::Group;
    row.kind = "disk";
    row.key = "disk:" + numbers;
    row.label = name.empty() ? numbers : name;
    row.states = *sink.stateSet(driverStates());
    row.sortKey = static_cast<std::int32_t>(device & std::uint32_t(std::numeric_limits<std::int32_t>::max()));
    return sink.addTrack(std::move(row));
}

} // namespace

std::string numbersOf(std::uint32_t device) { return std::to_string(device >> 20) + ',' + std::to_string(device & 0xfffff); }

Disk::Disk(StateSink& sink, std::uint32_t device, std::string diskName, HostTimestamp begin)
    : numbers(numbersOf(device))
    , name(std::move(diskName))
    , row(addRow(sink, device, numbers, name))
    , waiting(sink, waitingStates(), row, "disk:" + numbers, "waiting")
    , driver(sink, driverStates(), row, "disk:" + numbers, "driver")
    , curves(sink, row, "disk:" + numbers, begin)
{
}

} // namespace helio::disks
