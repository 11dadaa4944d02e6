#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"
#include "core/query/filters/time_text.h"
#include "core/query/rows/rows.h"

#include <optional>
#include <string>

namespace helio {

/// Times of a position in an experiment.
struct PositionTimes {
    std::optional<Timestamp> cursor;
    TimeRange visible; ///< Visible range; empty if neither its begin nor its end was given.
};

/// Options for the position at which a window opens its traces: cursor, visible range, row.
struct PositionOptions {
    std::optional<TimeText> at; ///< Time of the cursor.
    /// Begin and end of the visible range; nullopt for the begin or the end of the traces.
    std::optional<TimeText> begin;
    std::optional<TimeText> end;
    std::string view; ///< Id of the view to show; the row is searched in this view only. Empty to search the row in all views.
    std::string row; ///< Id, label or glob pattern of the row to select; empty to select no row.
    std::string host; ///< Name of the host on which the row to select is; empty for any host.

    void addTo(OptionList& options);
    Status read();
    /// True if none of the options was given.
    bool isEmpty() const { return !at && !begin && !end && view.empty() && row.empty() && host.empty(); }

    /// True if the times depend on the begin or end of the traces: a time is relative, or only one end of the visible range is given.
    bool dependsOnRange() const;
    /// Returns the times in an experiment.
    /// Errors: Usage if a time is outside of the experiment, if the experiment has no times, or if the visible range is empty. The text
    /// names the option.
    Result<PositionTimes> timesIn(const Timeline& timeline) const;

private:
    struct {
        std::string at, begin, end;
    } m_given;
};

/// Row and view of a PositionOptions, found in a timeline.
struct PositionRow {
    TrackRef row; ///< Row to select; invalid if PositionOptions::row is empty. For a group, its first row that can be selected.
    std::string view; ///< View that contains `row`. Without a row, PositionOptions::view, which may be empty.
    std::string label; ///< Label of the row or group that matches PositionOptions::row.
    /// Number of rows that match PositionOptions::row; if some rows have exactly this id, the number of these rows.
    std::size_t matches = 0;
};

/// Finds the row to select and the view to show. If several rows match PositionOptions::row, prefers a row with exactly this id, then a
/// row that exists at the time `at`, then the first row.
/// Errors: Usage if there is no such view, host or row; the text names the option.
/// Cost: lists the rows of one view, or of all views if the options name a row but no view.
Result<PositionRow> findPositionRow(const PositionOptions& position, const Timeline& timeline, std::optional<Timestamp> at);

} // namespace helio
