#pragma once

#include "core/compare/tree_difference.h"
#include "core/waits/path/path.h"
#include "widgets/async/latest_job.h"
#include "widgets/workspace/path_choice.h"

#include <QDialog>

#include <memory>

class QLabel;
class QTreeWidget;

namespace helio {

class CallDifferenceView;
class UnaskedWork;
struct QueryProgress;

/// What some requests waited for more than others: their critical paths as a differential flame graph, the mean of a request on either
/// side, and what the difference consists of, by cause. Deletes itself once it is closed.
class PathComparison : public QDialog {
    Q_OBJECT

public:
    PathComparison(std::shared_ptr<const Timeline> timeline, PathSet a, PathSet b, QWidget* parent = nullptr);
    ~PathComparison() override;

    const DifferenceTree* difference() const; ///< Null: it is not there yet, or there is none.
    QString headline() const;

signals:
    void answered();

private:
    struct Answer;

    void ask();
    void take(Answer&& answer);
    void showCauses(const Answer& answer);

    std::shared_ptr<const Timeline> m_timeline;
    PathSet m_a;
    PathSet m_b;
    QLabel* m_headline;
    UnaskedWork* m_work;
    CallDifferenceView* m_flame;
    QTreeWidget* m_causes;
    LatestJob m_job;
};

} // namespace helio
