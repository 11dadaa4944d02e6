#pragma once

#include "widgets/controls/field_grid.h"
#include "widgets/workspace/analysis_list.h"
#include "widgets/workspace/view_context.h"

class QToolButton;

namespace helio {

/// Panel with facts about one rule of an analysis, and buttons to step through the times at which it fired.
/// Threads: UI thread.
class RulePanel : public QWidget {
    Q_OBJECT

public:
    explicit RulePanel(ViewContext& context, QWidget* parent = nullptr);

    /// Sets the rule to show; nullptr if no rule is chosen.
    void setRule(const RuleFacts* rule);
    /// Sets the times at which the rule fired; nullptr while they are computed.
    void setTimes(std::shared_ptr<const std::vector<Timestamp>> times);

signals:
    void cleared(); ///< Emitted when the user asks to no longer mark the times at which the rule fired.

private:
    void step(bool isForward);
    void showPlace();

    ViewContext& m_context;
    QLabel* m_what;
    FieldGrid* m_facts;
    QWidget* m_steps;
    QLabel* m_place;
    QToolButton* m_previous;
    QToolButton* m_next;
    std::uint64_t m_fired = 0;
    std::shared_ptr<const std::vector<Timestamp>> m_times;
};

} // namespace helio
