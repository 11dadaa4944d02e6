#pragma once

#include "widgets/shell/field_grid.h"
#include "widgets/theme/theme.h"
#include "widgets/views/view_context.h"
#include "widgets/work/latest_job.h"

#include <QHash>
#include <QTimer>

#include <map>

class QGridLayout;

namespace helio {

/// What every colour and shape means, with the number of intervals and the share of each state in the window.
class LegendView : public ScrollPage {
    Q_OBJECT

public:
    explicit LegendView(ViewContext& context, QWidget* parent = nullptr);

private:
    struct Sum {
        std::uint64_t count = 0;
        Duration total{};
    };
    /// By state set, then state; and the sum of a set.
    using Sums = std::map<QString, std::map<QString, Sum>>;

    void showEvent(QShowEvent* event) override;
    void fetch();
    void rebuild();
    void refill();
    void addRow(QGridLayout* grid, const QString& set, const StateLook& look);

    ViewContext& m_context;
    struct Line {
        QLabel* words;
        QLabel* count;
        QLabel* share;
    };

    Sums m_sums;
    QHash<QString, Line> m_lines; ///< By set and state.
    QTimer m_soon;
    LatestJob m_job;
};

} // namespace helio
