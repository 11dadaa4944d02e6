#pragma once

#include "core/query/rows.h"

#include <QString>

#include <optional>

namespace helio {

/// What Details tells of one state of a row: the answer of a query, made off the UI thread.
struct StateDetails {
    TrackRef track;
    Row row;
    QString host; ///< Where there are several.
    QString setId; ///< With `state`: its look in the theme.
    QString state;
    QString value; ///< The system call, handler, thread...
    TimeRange range; ///< Whole, not cut.
    struct Neighbour {
        QString setId;
        QString state;
        QString value;
        TimeRange range;
    };
    std::optional<Neighbour> before;
    std::optional<Neighbour> after;
    struct Waker {
        TrackRef track; ///< Not valid: an interrupt on an idle CPU.
        QString name;
        QString detail;
        Timestamp at;
        std::uint32_t cpu = 0;
    };
    std::optional<Waker> waker; ///< Of the wake-up that ended this state, or that began it.
    bool wakerEnds = false; ///< It ended the state.
};

/// The state of the track at a time; none where it has none. A few queries: some ms at most.
std::optional<StateDetails> stateDetails(const Timeline& timeline, TrackRef track, Timestamp at);

} // namespace helio
