#include "core/analyses/disks/disk.h"

#include "core/base/natural_order.h"

#include <algorithm>
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

/// Returns the name of a drive with the number of letters after its prefix inserted, e.g. "sd 2 aa1" for "sdaa1". Names then sort in the
/// kernel's order, with "sdz" before "sdaa".
std::string counted(std::string_view name)
{
    for (const std::string_view drive : {"sd", "vd", "hd", "xvd"}) {
        if (!name.starts_with(drive))
            continue;
        const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
        const std::string_view letters = name.substr(drive.size());
        const auto count = std::ranges::find_if_not(letters, isLetter) - letters.begin();
        return std::string(drive) + ' ' + std::to_string(count) + ' ' + std::string(letters);
    }
    return std::string(name);
}

} // namespace

bool isNameBefore(std::string_view a, std::string_view b) { return NaturalOrder()(counted(a), counted(b)); }

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
