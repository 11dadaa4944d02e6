#pragma once

#include "core/waits/path/explain_wait.h"
#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <memory>
#include <optional>

class QLabel;
class QPushButton;
class QTreeView;

namespace helio {

class CauseBar;
class StepModel;

/// Dock that explains why the selected thread did not run at the cursor: the conclusion, the steps that led to it, each a link to a row and
/// time, and sums by cause. Follows the context while visible.
class WhyView : public ScrollPage, public CommandProvider {
    Q_OBJECT

public:
    explicit WhyView(ViewContext& context, QWidget* parent = nullptr);

    /// Shown explanation; nullptr if the thread ran or the cause is unknown.
    const Why* why() const { return m_why && !m_why->conclusion.empty() ? &*m_why : nullptr; }
    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }
    QString copyText() const; ///< Returns the complete explanation, one step per line.
    ShownCommand shownCommand() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fetch();
    void take(std::shared_ptr<const Timeline> timeline, std::optional<Why> why, const QString& nothing);
    void forget();
    void showCauses();
    void goTo(const WaitStep& step);

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_timeline; ///< Timeline of the explanation in m_why.
    std::optional<Why> m_why;
    TrackRef m_thread;
    Timestamp m_at{}; ///< Time that the explanation in m_why is for.
    bool m_isKept = false; ///< True after the user went to a step: the explanation is kept until the user selects another row or time.
    QWidget* m_edge;
    QLabel* m_conclusion;
    QLabel* m_place;
    QWidget* m_buttons;
    StepModel* m_model;
    QTreeView* m_steps;
    QLabel* m_causesTitle;
    CauseBar* m_bar;
    FieldGrid* m_causes;
    DebouncedQuery m_answer;
};

} // namespace helio
