#pragma once

#include "core/xml_analysis/running/attribute_tree.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace helio::xml {

/// One run of a state machine.
struct Scenario {
    enum class Status : std::uint8_t { Pending = 0, InProgress = 1, Matched = 2 };

    std::uint32_t fsm = 0;
    std::uint32_t state = 0; ///< Index in Fsm::states.
    Status status = Status::Pending;
    std::uint64_t order = 0; ///< Of becoming active.
    Quark slot = NoQuark; ///< Its attribute in the tree.
    HostTimestamp start; ///< Of its first transition.
    std::vector<std::pair<Quark, Quark>> pools; ///< Numbers that belong to it: where, and the number's attribute.
};

} // namespace helio::xml
