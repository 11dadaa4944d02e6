#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/docks/search/state_search.h"

namespace helio {

/// Durations of the found intervals: of all, by state, and by row below each state.
class StateGroupModel : public ColumnModel<const StateGroup*> {
    Q_OBJECT

public:
    enum Column { Name, Count, Total, Min, Mean, Median, P99, Max, ColumnCount };

    StateGroupModel();

    void setFound(std::shared_ptr<const StateSearchResult> found); ///< nullptr for an empty table.
    /// Returns the group of a row; nullptr for the first row, which stands for all.
    const StateGroup* groupAt(int row) const { return line(row); }

private:
    const StateDurations& durationsOf(const StateGroup* group) const;
    QString nameOf(const StateGroup* group) const;

    std::shared_ptr<const StateSearchResult> m_found;
};

} // namespace helio
