#pragma once

#include "core/compare/breakdown.h"
#include "widgets/controls/field_grid.h"

namespace helio {

/// Share of each state in one run's time, in A and in B: two bars for each state, and the difference in percentage points.
class StateShares : public ScrollPage {
    Q_OBJECT

public:
    explicit StateShares(QWidget* parent = nullptr);
    ~StateShares() override;

    void setBreakdown(const Breakdown& ledger);

    struct Share {
        StateKind state;
        double a; ///< Share of A's time, 0 to 1.
        double b;
    };
    /// Sorted descending by the larger of both shares.
    static std::vector<Share> sharesOf(const Breakdown& ledger);

private:
    class Bars;
    QLabel* m_title;
    Bars* m_bars;
};

} // namespace helio
