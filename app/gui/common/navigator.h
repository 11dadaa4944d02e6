#pragma once

#include "core/profiling/calls/function_calls.h"
#include "widgets/async/latest_task.h"
#include "widgets/workspace/view_context.h"

#include <QObject>

#include <functional>

namespace helio {

/// Implements the navigation actions: moves the cursor through time. Queries run in a background thread; the cursor moves when they finish.
/// Threads: UI thread.
class Navigator : public QObject {
    Q_OBJECT

public:
    explicit Navigator(ViewContext& context, QObject* parent = nullptr);

    void goTo(Timestamp at);
    /// Selects the part of a range that is within the traces, and shows it with a margin.
    void goTo(TimeRange range);

    void stepEvent(bool isForward); ///< Goes to the next or previous event of the selected thread or CPU.
    void stepHit(bool isForward);
    void stepBookmark(bool isForward);
    void stepPath(bool isForward); ///< Goes to the next or previous segment of the critical path, and selects the row of this segment.

    /// Moves from the call at the cursor on the selected row to another call of the same function.
    void stepCall(CallSelector step);

    /// Finds the function of the call or sampled frame at the cursor on the selected row and passes it to `take`; emits remark() if there
    /// is none.
    void findCalled(std::function<void(const SampledFunction& function)> take);

    /// Adds a bookmark at the cursor or for the selected range. Returns the bookmark's index in the list.
    std::size_t putBookmark(const QString& name = {});

signals:
    /// Emitted with the reason why nothing happened, for example "No earlier hit"; with an empty text after a successful move, to clear the
    /// message.
    void remark(const QString& text);

private:
    ViewContext& m_context;
    LatestTask m_job;
};

} // namespace helio
