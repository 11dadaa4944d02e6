#pragma once

#include "core/findings/findings.h"
#include "widgets/async/latest_task.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <memory>
#include <vector>

class QComboBox;
class QPushButton;

namespace helio {

class FindingCard;

/// Dock with what stands out in the recording or in the selected range: findings, the most time explained first, and the quality of the
/// recording. A finding leads to its evidence.
/// Threads: UI thread; the finders run on another thread, once the recording is indexed and while the dock is visible.
class FindingsView : public PanelGround, public CommandProvider {
    Q_OBJECT

public:
    explicit FindingsView(ViewContext& context, QWidget* parent = nullptr);

    const Findings* findings() const { return m_findings.get(); } ///< Shown findings; nullptr before the first result.
    bool isBusy() const { return m_job.isBusy(); }
    void select(std::size_t index); ///< Selects a finding. Requires: there is a finding with this index.
    void follow(std::size_t index); ///< Selects a finding and goes to its current occurrence.
    QString plainText() const; ///< Returns all findings and the quality of the recording, for copying.

    ShownCommand shownCommand() const override;

private:
    bool isOfSelection() const;
    void fetch();
    void take(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Findings> findings, TimeRange window);
    void fill();
    void addQuality();
    void goTo(std::size_t index, bool explains);
    void step(std::size_t index, int change);
    void showEvent(QShowEvent* event) override;

    ViewContext& m_context;
    QLabel* m_count;
    QLabel* m_what;
    QComboBox* m_scope;
    ScrollPage* m_page;
    QLabel* m_finders;
    QPushButton* m_copy;
    std::vector<FindingCard*> m_cards;
    std::shared_ptr<const Timeline> m_of; ///< Timeline of m_findings.
    std::shared_ptr<const Findings> m_findings;
    TimeRange m_window{}; ///< Range of m_findings.
    std::shared_ptr<const Timeline> m_asked; ///< Timeline of the latest question.
    TimeRange m_askedRange{};
    LatestTask m_job;
};

} // namespace helio
