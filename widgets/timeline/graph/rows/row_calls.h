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

/// Calls of a row in a column of pixels, or at a moment.
struct ColumnCalls {
    std::uint64_t count = 0; ///< Number of calls, counted up to MostColumnCalls.
    std::optional<Interval> longest; ///< Longest of the counted calls; nullopt if there are none.
};
constexpr std::uint64_t MostColumnCalls = 1000;

/// Returns the calls of `row` that overlap `column`.
/// Threads: any.
/// Cost: one or two microseconds per call.
ColumnCalls findColumnCalls(const Timeline& timeline, TrackRef row, TimeRange column);

/// Call of a row at the cursor.
struct CursorCall {
    State state{}; ///< State by value, which has the colour of the call's module.
    QString function;
    QString duration; ///< "16.6 ms", or "open".
    bool operator==(const CursorCall&) const = default;
};

/// Calls by row; rows without a call at the cursor are absent.
using CallsByRow = std::unordered_map<TrackRef, CursorCall, TrackRefHash>;

/// Finds the calls that rows of call stacks are in at a time. The result is kept until the next one arrives.
/// Threads: UI thread; the search runs on a thread of its own.
class CursorCalls : public QObject {
    Q_OBJECT

public:
    /// Replaces a pending request.
    void request(std::shared_ptr<const Timeline> timeline, std::vector<TrackRef> rows, Timestamp at, FrameChoice frames);
    void forget(); ///< Drops the calls and a pending request.
    bool isBusy() const { return m_job.isBusy(); }
    const CallsByRow& calls() const { return m_calls; }

signals:
    void changed();

private:
    void set(CallsByRow calls);

    CallsByRow m_calls;
    LatestTask m_job;
};

/// Finds the calls of CursorCalls: calls that `frames` hides are left out, colours are those of `frames`.
/// Threads: any.
/// Cost: some microseconds per row.
CallsByRow callsAt(const Timeline& timeline, const std::vector<TrackRef>& rows, Timestamp at, const FrameChoice& frames = {});

/// Returns the duration of a frame's bar, for example "16.6 ms", or "1 sample" if only a single sample of the frame is known: such a bar is
/// 1 ns long, which is no duration.
QString frameDurationText(const StateKind& state, Duration duration);

} // namespace helio
