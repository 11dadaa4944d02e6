#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/docks/events/state_search.h"

namespace helio {

/// Table of the total durations of the found intervals: of all, by state, and by row within each state.
class StateGroupModel : public ColumnModel<const StateGroup*> {
    Q_OBJECT

public:
    enum Column { Name, Count, Total, Min, Mean, Median, P99, Max, ColumnCount };

    StateGroupModel();

    void setFound(std::shared_ptr<const StateSearchResult> found); ///< Sets the result; nullptr empties the table.
    /// Returns the group of a row; nullptr for the first row, which is the total.
    const StateGroup* groupAt(int row) const { return line(row); }

private:
    const StateDurations& durationsOf(const StateGroup* group) const;
    QString nameOf(const StateGroup* group) const;

    std::shared_ptr<const StateSearchResult> m_found;
};

} // namespace helio
