#pragma once

#include "core/analyses/disks/request_queue.h"

#include <string>

namespace helio::disks {

/// A disk that had requests: its rows, and what is in its queues.
struct Disk {
    Disk(StateSink& sink, std::uint32_t device, std::string diskName);

    std::string numbers; ///< "254,16".
    std::string name; ///< "vdb"; empty: not known, or not yet.
    TrackId row = NoTrack;
    RequestQueue waiting;
    RequestQueue driver;
};

/// "254,16": as the kernel numbers devices, 12 bits and 20.
std::string numbersOf(std::uint32_t device);

} // namespace helio::disks
