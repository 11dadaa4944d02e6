#pragma once

#include "core/query/rows/rows.h"
#include "widgets/async/latest_job.h"
#include "widgets/timeline/graph/lanes/frame_choice.h"

#include <QString>

#include <unordered_map>
#include <vector>

namespace helio {

/// The call of a row that the cursor is in.
struct CursorCall {
    State state{}; ///< In the colour of its module: of the row's looks by value.
    QString function;
    QString duration; ///< "16.6 ms", or "open".
    bool operator==(const CursorCall&) const = default;
};

/// By row; those without a call there are not in it.
using CallsByRow = std::unordered_map<TrackRef, CursorCall, TrackRefHash>;

/// Which calls the rows of call stacks are in at a time. Asked for on a thread of its own, and kept until others come. UI thread.
class CursorCalls : public QObject {
    Q_OBJECT

public:
    /// In place of what was asked before.
    void request(std::shared_ptr<const Timeline> timeline, std::vector<TrackRef> rows, Timestamp at, FrameChoice frames);
    void forget(); ///< There are none, and none are asked for.
    bool isBusy() const { return m_job.isBusy(); }
    const CallsByRow& calls() const { return m_calls; }

signals:
    void changed();

private:
    void set(CallsByRow calls);

    CallsByRow m_calls;
    LatestJob m_job;
};

/// What CursorCalls has: those that `frames` does not hide, in its colours. Threads: any. Cost: some microseconds a row.
CallsByRow callsAt(const Timeline& timeline, const std::vector<TrackRef>& rows, Timestamp at, const FrameChoice& frames = {});

} // namespace helio
