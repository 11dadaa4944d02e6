#pragma once

#include "core/virtualization/steal_breakdown.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Content of Details for one state of a row: the result of a query on another thread.
struct StateDetails {
    TrackRef track;
    Row row;
    QString host; ///< Empty if there is a single host.
    StateKind state;
    QString value; ///< E.g. the system call, handler or thread.
    TimeRange range; ///< The whole state interval, not clipped to the visible range.
    struct Neighbour {
        StateKind state;
        QString value;
        TimeRange range;
    };
    std::optional<Neighbour> before;
    std::optional<Neighbour> after;
    /// A fact about the state: e.g. where it was, why, what ended it.
    struct Fact {
        QString name;
        QString value; ///< If empty, `at` is shown.
        TrackRef row; ///< Row that the value names and a click goes to; invalid if none.
        Timestamp at; ///< Time that a click goes to.
    };
    std::vector<Fact> facts;
    /// Part of a wait. The parts add up to the range; there are none if nothing is known.
    struct Part {
        QString text; ///< E.g. "jbd2/vda1-8 214, blocked".
        std::optional<StateKind> state; ///< State of `row`; empty if the text says everything.
        bool isOccupant = false; ///< True if the row occupied the CPU.
        TrackRef row; ///< Row that a click goes to; invalid if none.
        Duration total{};
    };
    std::vector<Part> parts;
    StealBreakdown taken; ///< Time that others took while the row could have run or only seemed to; if not empty, there are no parts.
};

/// Returns the state of the track at a time; empty if it has none.
/// Cost: a few ms for a few queries and reading an event again.
std::optional<StateDetails> stateDetails(std::shared_ptr<const Timeline> timeline, TrackRef track, Timestamp at, std::stop_token stop = {});

} // namespace helio
