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

/// Dock with a table of all hosts' clocks, the alignment of the selected host, and a plot of the packets that the alignment is computed
/// from or applied to. Computes only while visible.
/// Threads: UI thread.
class ClocksView : public PanelGround, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    explicit ClocksView(ViewContext& context, QWidget* parent = nullptr);

    HostTable& hosts() const { return *m_hosts; }
    ResidualPlot& plot() const { return *m_plot; }
    const Residuals* residuals() const { return m_residuals.get(); } ///< Residuals in the plot; nullptr if there are none.
    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }

    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override { return {{"sync"}, {}, {}}; }

private:
    struct QueryResult;

    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void layOut();
    void wire();
    void fetch();
    void take(QueryResult answer);
    void showHost();
    void showPoint();
    void goTo(bool isOther);

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_timeline; ///< Timeline whose clocks are shown.
    std::shared_ptr<const Residuals> m_residuals;
    QString m_wanted; ///< Name of the host that a session file selects.
    HostTable* m_hosts;
    ClockForm* m_form;
    ResidualPlot* m_plot;
    QLabel* m_noPlot; ///< Label shown in place of the plot, with the reason why there is none.
    QLabel* m_point; ///< Description of the selected packet, with links to its ends.
    ScrollPage* m_left; ///< Scrolling column with hosts and form; in a narrow dock also with the plot.
    QStackedWidget* m_right; ///< Page with the plot or with m_noPlot.
    QSplitter* m_parts;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    DebouncedQuery m_answer;
};

} // namespace helio
