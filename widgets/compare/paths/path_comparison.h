#pragma once

#include "core/compare/tree_difference.h"
#include "core/waits/path/path.h"
#include "widgets/async/latest_task.h"
#include "widgets/workspace/path_choice.h"

#include <QDialog>

#include <memory>

class QLabel;
class QTreeWidget;

namespace helio {

class CallDifferenceView;
class ManualQuery;
struct QueryProgress;

/// Dialog that compares the critical paths of two groups of requests: a differential flame graph of the mean path in each group, and the
/// difference by cause.
/// Ownership: deletes itself when it is closed.
class PathComparison : public QDialog {
    Q_OBJECT

public:
    PathComparison(std::shared_ptr<const Timeline> timeline, PathGroup a, PathGroup b, QWidget* parent = nullptr);
    ~PathComparison() override;

    const DifferenceTree* difference() const; ///< Compared paths; nullptr until they are computed, or if there is nothing to compare.
    QString headline() const;

signals:
    void answered();

private:
    struct QueryResult;

    void ask();
    void take(QueryResult&& answer);
    void showCauses(const QueryResult& answer);

    std::shared_ptr<const Timeline> m_timeline;
    PathGroup m_a;
    PathGroup m_b;
    QLabel* m_headline;
    ManualQuery* m_work;
    CallDifferenceView* m_flame;
    QTreeWidget* m_causes;
    LatestTask m_job;
};

} // namespace helio
