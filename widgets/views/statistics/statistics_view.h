#pragma once

#include "widgets/shell/field_grid.h"
#include "widgets/view/saved_choices.h"
#include "widgets/view/view_context.h"
#include "widgets/views/statistics/statistics_model.h"
#include "widgets/work/latest_job.h"

#include <QTimer>
class QTreeView;

namespace helio {

class PinnedLine;

/// Where the time of every thread went, in the selected range or the visible window. Exact, computed off the UI thread.
class StatisticsView : public PanelGround, public SavedChoices {
    Q_OBJECT

public:
    explicit StatisticsView(ViewContext& context, QWidget* parent = nullptr);

    QJsonObject save() const override; ///< By what it is sorted.
    void restore(const QJsonObject& kept) override;

private:
    void showEvent(QShowEvent* event) override;
    void fetch();
    void take(std::vector<ThreadStatistics> lines, TimeRange range, const QString& leftOut);
    void showLeftOut(const QString& leftOut);
    void selectRow();

    ViewContext& m_context;
    StatisticsModel m_model;
    QLabel* m_title;
    QLabel* m_length;
    QTreeView* m_table;
    QLabel* m_resting; ///< How many are left out.
    PinnedLine* m_pinned = nullptr;
    StatisticsOrder m_shownOrder;
    bool m_isSelecting = false;
    bool m_isOld = false; ///< The timeline changed while it was asked.
    QTimer m_soon;
    LatestJob m_job;
};

} // namespace helio
