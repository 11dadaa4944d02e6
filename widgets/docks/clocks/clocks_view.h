#pragma once

#include "core/timesync/host_clocks.h"
#include "core/timesync/residuals.h"
#include "widgets/async/fresh_answer.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/saved_choices.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <memory>

class QSplitter;
class QStackedWidget;

namespace helio {

class ClockForm;
class EmptyPage;
class HostTable;
class ResidualPlot;

/// The clocks of all hosts in a table, how the chosen one is aligned, and what that follows from, or makes of the packets. Works while it
/// is visible. UI thread.
class ClocksView : public PanelGround, public SavedChoices, public OffersCommand {
    Q_OBJECT

public:
    explicit ClocksView(ViewContext& context, QWidget* parent = nullptr);

    HostTable& hosts() const { return *m_hosts; }
    ResidualPlot& plot() const { return *m_plot; }
    const Residuals* residuals() const { return m_residuals.get(); } ///< Those that are shown; null: none.
    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }

    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override { return {{"sync"}, {}, {}}; }

private:
    struct Answer;

    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void layOut();
    void wire();
    void fetch();
    void take(Answer answer);
    void showHost();
    void showPoint();
    void goTo(bool isOther);

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_timeline; ///< That is shown.
    std::shared_ptr<const Residuals> m_residuals;
    QString m_wanted; ///< The host that a file says is chosen.
    HostTable* m_hosts;
    ClockForm* m_form;
    ResidualPlot* m_plot;
    QLabel* m_noPlot; ///< Why there is none.
    QLabel* m_point; ///< The chosen packet, with its ends.
    ScrollPage* m_left; ///< Hosts and form; where the dock is narrow the plot, too.
    QStackedWidget* m_right; ///< The plot, or why there is none.
    QSplitter* m_parts;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    FreshAnswer m_answer;
};

} // namespace helio
