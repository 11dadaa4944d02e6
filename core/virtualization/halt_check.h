#pragma once

#include "core/virtualization/bindings.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Whether a guest ran, as it recorded, while the vCPU that it is bound to was halted: it cannot have. Where it did, its CPU runs in
/// another thread, or its clock is wrong; what lies within the clocks' error of a halt's ends says nothing and is left out.
struct HaltCheck {
    std::uint32_t machine = 0; ///< Its place among all.
    std::uint32_t vcpu = 0; ///< Its place among the machine's.
    std::uint64_t halts = 0; ///< That are longer than the error, while both traces say what was.
    Duration halted{}; ///< They took so long,
    Duration ran{}; ///< the guest ran so long in all,
    Duration ranHalted{}; ///< and so long in them.
    Timestamp mostAt{}; ///< Where it did longest without a break.
    Duration most{};

    /// More than a tenth of what could be, and more than a guest's lock that halts does.
    bool contradicts() const;
};

/// Of each vCPU whose halts and whose guest's states are both known. A halt is from an exit that says that the guest has nothing to do to
/// the next entry. Cost: of all exits of the vCPUs and of the states of their guests' CPUs, some 100 ns each; from a query thread. Fewer,
/// once it is stopped.
std::vector<HaltCheck> haltChecks(const Timeline& timeline, const std::vector<Machine>& all, std::stop_token stop = {});

/// A sentence without its end: "of 6.2 s that it ran on its CPU 0, 1.1 s lie in halts of thread 191: ...".
std::string wordsOf(const HaltCheck& check, const std::vector<Machine>& all);

} // namespace helio
