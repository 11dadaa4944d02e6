#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

struct Timeline;

/// A run of a state machine that is under way, as its analysis keeps it below scenarios/MACHINE/NUMBER.
struct Scenario {
    std::uint32_t trace = 0; ///< Index in the timeline.
    std::string machine;
    std::string number; ///< Of its place: one that is done leaves it to another.
    std::string state;
    Timestamp since; ///< When it entered that state.
    Timestamp started; ///< When it began; `since` where that is not known.
    std::vector<std::pair<std::string, std::string>> fields; ///< What it keeps, by name.
    bool operator==(const Scenario&) const = default;
};

struct ActiveScenarios {
    std::vector<Scenario> some; ///< By trace, machine and number, at most so many as were asked for.
    std::uint64_t all = 0;
};

/// The scenarios that are under way at a moment, of an analysis whose whole tree are the rows of `view` (TrackView::areAttributes). None
/// for other views. Threads: any but the UI's. Cost: some 100 ns for each row of the view, 10 µs for each scenario.
ActiveScenarios scenariosAt(const Timeline& timeline, std::string_view view, Timestamp at, std::size_t most, std::stop_token stop = {});

} // namespace helio
