#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/compare/side_style.h"

#include <QObject>

namespace helio {

class CompareContext;

/// Keeps the selected rows of both sides equal, and compares two selected threads. Ownership: the context outlives the object. Threads: UI
/// thread.
class SelectedRows : public QObject {
    Q_OBJECT

public:
    explicit SelectedRows(CompareContext& context);

    /// Compares the thread or call that is selected in A with the one selected in B. Returns false if a side has no selection.
    bool compareThreads();
    /// If true, calls compareThreads() as soon as a thread is selected on each side.
    void setWantsThreads(bool wantsThreads) { m_wantsThreads = wantsThreads; }

    /// Cancels the search for a matching row, before another experiment is opened.
    void cancel() { m_matcher.cancel(); }

signals:
    /// Reports that the selected row exists on one side only.
    void remark(const QString& text);

private:
    void selectMatch(Side from);

    CompareContext& m_context;
    bool m_wantsThreads = false;
    bool m_isSelecting = false;
    LatestTask m_matcher; ///< Searches the matching row; there may be a hundred thousand rows.
};

} // namespace helio
