#pragma once

#include "core/waits/path/why.h"
#include "widgets/async/fresh_answer.h"
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

/// Why the selected thread did not run at the cursor: the conclusion, the steps of it, each a link to its row and moment, and what they add
/// up to by cause. Follows the context while it is in view.
class WhyView : public ScrollPage, public OffersCommand {
    Q_OBJECT

public:
    explicit WhyView(ViewContext& context, QWidget* parent = nullptr);

    /// Nothing: the thread ran, or nothing is known.
    const Why* why() const { return m_why && !m_why->conclusion.empty() ? &*m_why : nullptr; }
    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }
    QString copyText() const; ///< All of it, a line a step.
    ShownCommand shownCommand() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fetch();
    void take(std::shared_ptr<const Timeline> timeline, std::optional<Why> why, const QString& nothing);
    void forget();
    void showCauses();
    void goTo(const WhyStep& step);

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_timeline; ///< That the answer is of.
    std::optional<Why> m_why;
    TrackRef m_thread;
    Timestamp m_at{}; ///< Moment that m_why explains.
    bool m_isKept = false; ///< A step of the answer was gone to: it stays until a person asks of another place.
    QWidget* m_edge;
    QLabel* m_conclusion;
    QLabel* m_place;
    QWidget* m_buttons;
    StepModel* m_model;
    QTreeView* m_steps;
    QLabel* m_causesTitle;
    CauseBar* m_bar;
    FieldGrid* m_causes;
    FreshAnswer m_answer;
};

} // namespace helio
