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

/// An active instance of a pattern's state machine. The analysis stores its attributes below scenarios/MACHINE/NUMBER.
struct Scenario {
    std::uint32_t trace = 0; ///< Trace of the scenario, as an index into Timeline::traces.
    std::string stateMachine;
    /// Number of the scenario among the running scenarios of its state machine; the number of a finished scenario is used again.
    std::string number;
    std::string state;
    Timestamp since; ///< Time at which the scenario entered its current state.
    Timestamp started; ///< Time at which the scenario began; equal to `since` if unknown.
    std::vector<std::pair<std::string, std::string>> fields; ///< Names and values of the scenario's variables.
    bool operator==(const Scenario&) const = default;
};

struct ActiveScenarios {
    /// Scenarios that are running, sorted by trace, state machine and number; at most the number that the caller of scenariosAt() passed as
    /// `most`. `all` is the number of all running scenarios.
    std::vector<Scenario> some;
    std::uint64_t all = 0;
};

/// Returns the scenarios that are running at a time. Empty unless `view` shows the attribute tree of an analysis
/// (TrackView::isAttributeView).
/// Threads: any but the UI thread.
/// Cost: about 100 ns for each row of the view, 10 µs for each scenario.
ActiveScenarios scenariosAt(const Timeline& timeline, std::string_view view, Timestamp at, std::size_t most, std::stop_token stop = {});

} // namespace helio
