#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/compare/side_look.h"

#include <QObject>

namespace helio {

class CompareContext;

/// The rows that are selected on both sides: the same one is selected on the other side, and two threads can be compared. The context
/// outlives it. UI thread.
class SelectedRows : public QObject {
    Q_OBJECT

public:
    explicit SelectedRows(CompareContext& context);

    /// Compares the thread, or the call, that is selected in A with that in B. False: there are not two.
    bool compareThreads();
    /// The same as soon as a thread is selected on each side, or no longer.
    void setWantsThreads(bool wantsThreads) { m_wantsThreads = wantsThreads; }

    /// Forgets what is being looked for: another experiment comes.
    void cancel() { m_matcher.cancel(); }

signals:
    /// The selected row is on one side alone.
    void remark(const QString& text);

private:
    void selectMatch(Side from);

    CompareContext& m_context;
    bool m_wantsThreads = false;
    bool m_isSelecting = false;
    LatestJob m_matcher; ///< Of rows: there may be a hundred thousand.
};

} // namespace helio
