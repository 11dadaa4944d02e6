#pragma once

#include "core/compare/ledger.h"
#include "widgets/controls/field_grid.h"

namespace helio {

/// What part of one run's wall time went to each state, in A and in B: two bars a state, and the difference in percentage points.
class StateShares : public ScrollPage {
    Q_OBJECT

public:
    explicit StateShares(QWidget* parent = nullptr);
    ~StateShares() override;

    void setLedger(const Ledger& ledger);

    struct Share {
        StateKind state;
        double a; ///< Of A's wall time: 0 to 1.
        double b;
    };
    /// The largest in either first.
    static std::vector<Share> sharesOf(const Ledger& ledger);

private:
    class Bars;
    QLabel* m_title;
    Bars* m_bars;
};

} // namespace helio
