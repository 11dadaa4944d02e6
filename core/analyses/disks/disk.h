#pragma once

#include "core/analyses/disks/disk_curves.h"
#include "core/analyses/disks/request_queue.h"

#include <string>
#include <string_view>

namespace helio::disks {

/// A disk that had requests: its rows, its curves, and the requests in its queues.
struct Disk {
    /// `begin`: beginning of the trace.
    Disk(StateSink& sink, std::uint32_t device, std::string diskName, HostTimestamp begin);

    /// Updates the curves after a request entered or left a queue.
    void showHeld(HostTimestamp at) { curves.setHeld(at, waiting.size(), driver.size()); }

    std::string numbers; ///< Device number as text, e.g. "254,16".
    std::string name; ///< Name, e.g. "vdb"; empty if unknown, or not recorded yet.
    TrackId row = NoTrack;
    RequestQueue waiting;
    RequestQueue driver;
    DiskCurves curves;
};

/// Returns the device number as text, e.g. "254,16": the kernel uses 12 bits for the major and 20 bits for the minor number.
std::string numbersOf(std::uint32_t device);

/// Returns true if a disk's name sorts before another's: numbers by value, letters as the kernel counts with them (sdb, sdz, sdaa).
bool isNameBefore(std::string_view a, std::string_view b);

} // namespace helio::disks
