#pragma once

#include "core/analyses/disks/disk_curves.h"
#include "core/analyses/disks/request_queue.h"

#include <string>
#include <string_view>

namespace helio::disks {

/// A disk that had requests: its rows and curves, and what is in its queues.
struct Disk {
    /// `begin`: of the trace.
    Disk(StateSink& sink, std::uint32_t device, std::string diskName, HostTimestamp begin);

    /// After anything came into its queues or left them.
    void showHeld(HostTimestamp at) { curves.setHeld(at, waiting.size(), driver.size()); }

    std::string numbers; ///< "254,16".
    std::string name; ///< "vdb"; empty: not known, or not yet.
    TrackId row = NoTrack;
    RequestQueue waiting;
    RequestQueue driver;
    DiskCurves curves;
};

/// "254,16": as the kernel numbers devices, 12 bits and 20.
std::string numbersOf(std::uint32_t device);

/// Whether one disk's name comes before another's for people: numbers by their size, letters as the kernel counts with them: sdb, sdz,
/// sdaa.
bool isNameBefore(std::string_view a, std::string_view b);

} // namespace helio::disks
