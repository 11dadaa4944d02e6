#pragma once

#include "core/query/rows/rows.h"
#include "widgets/async/latest_task.h"
#include "widgets/timeline/graph/lanes/frame_choice.h"

#include <QString>

#include <unordered_map>
#include <vector>

namespace helio {

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

} // namespace helio
