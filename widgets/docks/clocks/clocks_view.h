#pragma once

#include "core/timesync/host_clocks.h"
#include "core/timesync/residuals.h"
#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

#include <memory>

class QSplitter;
class QStackedWidget;

namespace helio {

class ClockForm;
class EmptyPage;
class HostTable;
class ResidualPlot;

/// The clocks of all hosts in a table, the alignment of the chosen host, and a plot of the packets that it follows from or is applied to.
/// Computes only while visible.
/// Threads: UI thread.
class ClocksView : public PanelGround, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    explicit ClocksView(ViewContext& context, QWidget* parent = nullptr);

    HostTable& hosts() const { return *m_hosts; }
    ResidualPlot& plot() const { return *m_plot; }
    const Residuals* residuals() const { return m_residuals.get(); } ///< The residuals shown; nullptr if none.
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
    std::shared_ptr<const Timeline> m_timeline; ///< The timeline shown.
    std::shared_ptr<const Residuals> m_residuals;
    QString m_wanted; ///< Host that a session file chose.
    HostTable* m_hosts;
    ClockForm* m_form;
    ResidualPlot* m_plot;
    QLabel* m_noPlot; ///< Says why there is no plot.
    QLabel* m_point; ///< The chosen packet with its ends.
    ScrollPage* m_left; ///< Hosts and form, and the plot if the dock is narrow.
    QStackedWidget* m_right; ///< The plot, or m_noPlot.
    QSplitter* m_parts;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    DebouncedQuery m_answer;
};

} // namespace helio
