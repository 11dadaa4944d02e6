#pragma once

#include "core/query/machines/absences.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// A stretch in which a guest's thread had a vCPU that did not run.
struct Stolen {
    TimeRange range{};
    std::uint32_t vcpu = 0; ///< Its place among the machine's.
    std::uint32_t absence = 0; ///< Its place among the vCPU's.
};

/// Those of the threads of one guest, by their rows in its trace, in order; of none (not valid) those in which the guest was idle. Cost: of
/// the switches of its CPUs.
std::map<TrackRef, std::vector<Stolen>> stolenIn(const Timeline& timeline, const std::vector<Machine>& all, std::uint32_t machine,
                                                 Absences& absences, std::stop_token stop = {});

} // namespace helio
