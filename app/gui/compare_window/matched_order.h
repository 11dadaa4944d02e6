#pragma once

#include "core/compare/alignment.h"
#include "widgets/async/latest_task.h"
#include "widgets/timeline/graph/rows/row_tree.h"

#include <QObject>

#include <memory>

namespace helio {

class CompareContext;
class TrackPanel;

/// Lists the rows of B in the order of the matching rows of A; rows that exist only in B come last. Sort column and list mode that the user
/// chooses on one side apply to both. The rows are matched once both sides have been read; see findMatchingRows().
/// Ownership: the context and the panels outlive the object.
/// Threads: UI thread; rows are matched on another thread.
class MatchedOrder : public QObject {
    Q_OBJECT

public:
    MatchedOrder(CompareContext& context, TrackPanel& a, TrackPanel& b, QObject* parent = nullptr);

private:
    void match();
    void rank();

    CompareContext& m_context;
    TrackPanel& m_a;
    TrackPanel& m_b;
    /// Matching rows of A and B; nullptr until both sides have been read and their rows have been matched.
    std::shared_ptr<const MatchingTracks> m_matches;
    std::shared_ptr<const RowTree::Ranks> m_ranks; ///< Ranks of B's rows; nullptr if no row matches.
    LatestTask m_job;
};

} // namespace helio
