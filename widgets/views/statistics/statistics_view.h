#pragma once

#include "widgets/shell/field_grid.h"
#include "widgets/views/statistics/statistics_model.h"
#include "widgets/views/view_context.h"
#include "widgets/work/latest_job.h"

#include <QTimer>
class QTreeView;

namespace helio {

/// Where the time of every thread went, in the selected range or the visible window. Exact, computed off the UI thread.
class StatisticsView : public PanelGround {
    Q_OBJECT

public:
    explicit StatisticsView(ViewContext& context, QWidget* parent = nullptr);

private:
    void showEvent(QShowEvent* event) override;
    void fetch();
    void selectRow();

    ViewContext& m_context;
    StatisticsModel m_model;
    QLabel* m_title;
    QLabel* m_length;
    QTreeView* m_table;
    bool m_isSelecting = false;
    bool m_isOld = false; ///< The timeline changed while it was asked.
    QTimer m_soon;
    LatestJob m_job;
};

} // namespace helio
