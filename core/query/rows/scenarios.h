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

/// A running instance of a pattern's state machine. Its analysis keeps it below scenarios/MACHINE/NUMBER.
struct Scenario {
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    std::string machine;
    std::string number; ///< Number of its slot; a finished scenario leaves its slot to another one.
    std::string state;
    Timestamp since; ///< Time at which it entered that state.
    Timestamp started; ///< Time at which it began; `since` if not known.
    std::vector<std::pair<std::string, std::string>> fields; ///< Values that it keeps, by name.
    bool operator==(const Scenario&) const = default;
};

struct ActiveScenarios {
    std::vector<Scenario> some; ///< Sorted by trace, machine and number, at most `most` of them.
    std::uint64_t all = 0;
};

/// Returns the scenarios that are running at a moment. `view` must show the whole tree of an analysis (TrackView::isAttributeView); other
/// views have none.
/// Threads: any but the UI thread.
/// Cost: about 100 ns for each row of the view, 10 µs for each scenario.
ActiveScenarios scenariosAt(const Timeline& timeline, std::string_view view, Timestamp at, std::size_t most, std::stop_token stop = {});

} // namespace helio
