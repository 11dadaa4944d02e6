#pragma once

#include "core/query/rows/rows.h"
#include "widgets/async/latest_task.h"
#include "widgets/timeline/graph/lanes/frame_choice.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace helio {

/// Calls of a row that overlap a time range, e.g. the range of a pixel column.
struct ColumnCalls {
    std::uint64_t count = 0; ///< Number of calls; counting stops at MostColumnCalls.
    std::optional<Interval> longest; ///< Longest of the `count` calls; nullopt if `count` is 0.
};
constexpr std::uint64_t MostColumnCalls = 1000;

/// Returns the calls of `row` that overlap `column`.
/// Threads: any.
/// Cost: one or two microseconds per call.
ColumnCalls findColumnCalls(const Timeline& timeline, TrackRef row, TimeRange column);

/// Call that a row is in at the cursor.
struct CursorCall {
    State state{}; ///< State that stateByValue() returns for the call; it determines the colour.
    QString function;
    QString duration; ///< Duration, e.g. "16.6 ms"; "open" if the call has no recorded end.
    bool operator==(const CursorCall&) const = default;
};

/// Calls at the cursor by row; rows without such a call have no entry.
using CallsByRow = std::unordered_map<TrackRef, CursorCall, TrackRefHash>;

/// Finds the calls that are open at a time in rows of call stacks. The last result stays available until a newer one arrives.
/// Threads: UI thread; the search runs on a thread of its own.
class CursorCalls : public QObject {
    Q_OBJECT

public:
    /// Starts a search; replaces a pending request.
    void request(std::shared_ptr<const Timeline> timeline, std::vector<TrackRef> rows, Timestamp at, FrameChoice frames);
    void forget(); ///< Clears the result and cancels a pending request.
    bool isBusy() const { return m_job.isBusy(); }
    const CallsByRow& calls() const { return m_calls; }

signals:
    void changed();

private:
    void set(CallsByRow calls);

    CallsByRow m_calls;
    LatestTask m_job;
};

/// Finds the calls at a time, for CursorCalls. Omits calls that `frames` hides; colours are those of `frames`.
/// Threads: any.
/// Cost: some microseconds per row.
CallsByRow callsAt(const Timeline& timeline, const std::vector<TrackRef>& rows, Timestamp at, const FrameChoice& frames = {});

/// Returns the duration of a frame's bar, e.g. "16.6 ms". Returns "1 sample" for a frame that only a single sample has: its bar is 1 ns
/// long, which is not a duration. Returns "0 s" for the tick of a call of duration 0.
QString frameDurationText(const StateKind& state, Duration duration);

} // namespace helio
