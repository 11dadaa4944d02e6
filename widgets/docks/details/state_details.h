#pragma once

#include "core/virtualization/taken_by.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// What Details shows of one state of a row: the answer of a query, made off the UI thread.
struct StateDetails {
    TrackRef track;
    Row row;
    QString host; ///< Where there are several.
    StateKind state;
    QString value; ///< The system call, handler, thread...
    TimeRange range; ///< Whole, not cut.
    struct Neighbour {
        StateKind state;
        QString value;
        TimeRange range;
    };
    std::optional<Neighbour> before;
    std::optional<Neighbour> after;
    /// What else is known of it, in words: where it was, why, who ended it.
    struct Fact {
        QString name;
        QString value; ///< Empty: the moment.
        TrackRef row; ///< What the value names; not valid: nothing that could be gone to.
        Timestamp at; ///< When.
    };
    std::vector<Fact> facts;
    /// Of a wait: what it consisted of. They add up to the range; none where nothing is known.
    struct Part {
        QString text; ///< "jbd2/vda1-8 214, blocked"
        std::optional<StateKind> state; ///< The row's own; none: the words say all.
        bool isOccupant = false; ///< The row had the CPU.
        TrackRef row; ///< Not valid: nothing that could be gone to.
        Duration total{};
    };
    std::vector<Part> parts;
    TakenTime taken; ///< What others had of it, where it could have run or only seemed to; then there are no parts.
};

/// The state of the track at a time; none where it has none. A few queries, and an event is read again: some ms.
std::optional<StateDetails> stateDetails(std::shared_ptr<const Timeline> timeline, TrackRef track, Timestamp at, std::stop_token stop = {});

} // namespace helio
