#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/docks/events/state_search.h"
#include "widgets/time/time_format.h"

namespace helio {

/// Filter and order of the listed intervals.
struct StateOrder {
    enum Column { Begin, Length, State, Thread, Cpu, Detail, Host, ColumnCount };
    Column column = Begin;
    bool isDescending = false;
    QString onlyState; ///< Name of the listed state; empty for all states.
    TrackRef onlyTrack; ///< Track whose intervals are listed; invalid to list the intervals of all rows.
    bool operator==(const StateOrder&) const = default;
};

/// Returns the indexes of the hits to list, in sorted order.
/// Threads: any.
std::vector<std::uint32_t> ordered(const StateSearchResult& found, const StateOrder& order);

/// Table of found intervals, one per row; the item of a row is the index of a hit. Sorting emits orderChanged(); the receiver sorts the
/// hits and calls setLines().
class StateListModel : public ColumnModel<std::uint32_t> {
    Q_OBJECT

public:
    StateListModel();

    void setLines(std::shared_ptr<const StateSearchResult> found, std::vector<std::uint32_t> lines);
    void setTimeFormat(const TimeFormat& format);
    const StateOrder& order() const { return m_order; }
    /// Limits the list to intervals of a state and a row; the arguments are StateOrder::onlyState and onlyTrack.
    void setOnly(const QString& state, TrackRef track);
    std::uint32_t hitAt(int row) const { return line(row); }
    void sort(int column, Qt::SortOrder order) override;

signals:
    void orderChanged();

private:
    QString textAt(const StateHit& hit, int column) const;

    std::shared_ptr<const StateSearchResult> m_found;
    StateOrder m_order;
    TimeFormat m_format;
};

} // namespace helio
