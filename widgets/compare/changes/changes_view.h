#pragma once

#include "core/findings/finding_changes.h"
#include "widgets/async/latest_task.h"
#include "widgets/compare/compare_context.h"
#include "widgets/controls/field_grid.h"

#include <memory>
#include <vector>

namespace helio {

/// Changes from A to B: the program that became slower, and findings that are new, gone, or explain another share of the time, the largest
/// change first. *Show* goes to an occurrence on the side that has the finding, and marks the finding there.
/// Threads: UI thread; the finders run on other threads, once both sides are read and while the view is visible.
class ChangesView : public PanelGround {
    Q_OBJECT

public:
    explicit ChangesView(CompareContext& context, QWidget* parent = nullptr);

    /// Shown changes; nullptr before the first result.
    const std::vector<FindingChange>* changes() const { return m_changes.get(); }
    void showChange(std::size_t index); ///< Goes to an occurrence. Requires: there is a change with this index.

private:
    void fetch();
    void fill();
    QWidget* makeLine(const FindingChange& change, std::size_t index);
    void showEvent(QShowEvent* event) override;

    CompareContext& m_context;
    QLabel* m_head;
    ScrollPage* m_page;
    std::shared_ptr<const std::vector<FindingChange>> m_changes;
    LatestTask m_job;
};

} // namespace helio
