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
    std::string view; ///< Id of the view that is shown and has the row; empty for any view.
    std::string row; ///< Id, label or glob pattern of the selected row; empty for none.
    std::string host; ///< Name of the row's host; empty for any host.

    void addTo(OptionList& options);
    Status read();
    /// True if none of the options was given.
    bool isEmpty() const { return !at && !begin && !end && view.empty() && row.empty() && host.empty(); }

    /// Returns the times in an experiment with the range `all`.
    /// Errors: Usage if a time is outside of `all`, or the range is empty.
    Result<PositionTimes> timesIn(TimeRange all) const;

private:
    struct {
        std::string at, begin, end;
    } m_given;
};

/// A row found for a position.
struct PositionRow {
    TrackRef row; ///< Selected row; invalid if the position names none.
    std::string view; ///< View that has the row, or the view of the position; empty if the position names neither.
    std::size_t matches = 0; ///< Number of rows that match.
};

/// Finds the row and the view of a position. Of several rows that match, rows with exactly the id are preferred, then rows that exist at
/// `at`, then the first row.
/// Errors: Usage if there is no such view, host or row; the text names the option.
/// Cost: lists the rows of one view; the rows of all views if the position has a row and no view.
Result<PositionRow> findPositionRow(const PositionOptions& position, const Timeline& timeline, std::optional<Timestamp> at);

} // namespace helio
