#pragma once

#include "core/profiling/calls/function_calls.h"
#include "widgets/async/latest_job.h"
#include "widgets/workspace/view_context.h"

#include <QObject>

#include <functional>

namespace helio {

/// The moves through time that actions stand for. Answers that need a query come from another thread. UI thread only.
class Navigator : public QObject {
    Q_OBJECT

public:
    explicit Navigator(ViewContext& context, QObject* parent = nullptr);

    void goTo(Timestamp at);

    void stepEvent(bool isForward); ///< To the next event of the selected thread or CPU.
    void stepHit(bool isForward);
    void stepBookmark(bool isForward);
    void stepPath(bool isForward); ///< From stretch to stretch of the critical path, from row to row.

    /// From the call at the cursor, on the selected row, to another one of its function.
    void stepCall(CallStep step);

    /// Finds out which function the call at the cursor, on the selected row, is of; says so where there is none.
    void findCalled(std::function<void(const SampledFunction& function)> take);

    /// At the cursor or on the selected range. Returns its place in the list.
    std::size_t putBookmark(const QString& name = {});

signals:
    void remark(const QString& text); ///< Why nothing happened: "No earlier hit". Empty: something did, and what was said before is over.

private:
    ViewContext& m_context;
    LatestJob m_job;
};

} // namespace helio
