#pragma once

#include "core/compare/breakdown.h"
#include "widgets/controls/field_grid.h"

namespace helio {

/// Page with the share of each state in the time of one run, in A and in B: two bars per state, and the difference in percentage points.
class StateShares : public ScrollPage {
    Q_OBJECT

public:
    explicit StateShares(QWidget* parent = nullptr);
    ~StateShares() override;

    void setBreakdown(const Breakdown& breakdown);

    struct Share {
        StateKind state;
        double a; ///< Share of the time in A, 0 to 1.
        double b;
    };
    /// Returns the shares, in descending order of the larger one of A and B.
    static std::vector<Share> sharesOf(const Breakdown& breakdown);

private:
    class Bars;
    QLabel* m_title;
    Bars* m_bars;
};

} // namespace helio
