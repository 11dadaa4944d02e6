#pragma once

#include "core/analyses/disks/disk_curves.h"
#include "core/analyses/disks/request_queue.h"

#include <string>
#include <string_view>

namespace helio::disks {

/// A disk with requests: its rows, its curves, and the requests in its queues.
struct Disk {
    /// `begin`: the time of the trace's beginning.
    Disk(StateSink& sink, std::uint32_t device, std::string diskName, HostTimestamp begin);

    /// Updates the curves after a request entered or left one of the queues.
    void showHeld(HostTimestamp at) { curves.setHeld(at, waiting.size(), driver.size()); }

    std::string numbers; ///< Device number as text, e.g. "254,16".
    std::string name; ///< Name of the disk, e.g. "vdb"; empty if not known (yet).
    TrackId row = NoTrack;
    RequestQueue waiting;
    RequestQueue driver;
    DiskCurves curves;
};

/// Returns a device number as text, e.g. "254,16". The kernel uses 12 bits for the major number and 20 bits for the minor number.
std::string numbersOf(std::uint32_t device);

/// Returns true if disk name `a` sorts before `b`: numbers by value, and letters in the order in which the kernel assigns them (sdb, sdz,
/// sdaa).
bool isNameBefore(std::string_view a, std::string_view b);

} // namespace helio::disks
