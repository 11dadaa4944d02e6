#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/compare/side_style.h"

#include <QObject>

namespace helio {

class CompareContext;

/// Synchronizes the selected rows of both sides, and compares two selected threads.
/// Ownership: the context outlives the object.
/// Threads: UI thread.
class SelectedRows : public QObject {
    Q_OBJECT

public:
    explicit SelectedRows(CompareContext& context);

    /// Compares the selected thread or call of A with the selected thread or call of B. Returns false if a side has no selection.
    bool compareThreads();
    /// Sets whether to call compareThreads() as soon as a thread is selected on each side.
    void setWantsThreads(bool wantsThreads) { m_wantsThreads = wantsThreads; }

    /// Cancels the search for a matching row, before another experiment is opened.
    void cancel() { m_matcher.cancel(); }

signals:
    /// Emitted with a text if the selected row exists only on one side.
    void remark(const QString& text);

private:
    void selectMatch(Side from);

    CompareContext& m_context;
    bool m_wantsThreads = false;
    bool m_isSelecting = false;
    LatestTask m_matcher; ///< Background search for the matching row; there may be 100,000 rows.
};

} // namespace helio
