#pragma once

#include "core/xml_analysis/running/attribute_tree.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace helio::xml {

/// An instance of a state machine.
struct Scenario {
    enum class Status : std::uint8_t { Pending = 0, InProgress = 1, Matched = 2 };

    std::uint32_t fsm = 0;
    std::uint32_t state = 0; ///< Index into Fsm::states.
    Status status = Status::Pending;
    std::uint64_t order = 0; ///< Rank in the order in which scenarios became active.
    Quark slot = NoQuark; ///< Attribute of the scenario in the tree.
    HostTimestamp start; ///< Time of the first transition.
    std::vector<std::pair<Quark, Quark>> pools; ///< Pool numbers that the scenario owns: parent attribute and attribute of the number.
};

} // namespace helio::xml
