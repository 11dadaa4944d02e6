#pragma once

#include "widgets/docks/search/state_search.h"
#include "widgets/time/time_format.h"

#include <QAbstractTableModel>

namespace helio {

/// Which of the found intervals are listed, and in which order.
struct StateOrder {
    enum Column { Begin, Length, State, Thread, Cpu, Detail, Host, ColumnCount };
    Column column = Begin;
    bool isDescending = false;
    QString onlyState; ///< Empty: of every state.
    TrackRef onlyTrack; ///< Not valid: of every row.
    bool operator==(const StateOrder&) const = default;
};

/// The numbers of the hits that are listed, in order. Made on any thread.
std::vector<std::uint32_t> ordered(const FoundStates& found, const StateOrder& order);

/// A line an interval. Sorting is asked for by orderChanged(); who hears it gives the lines.
class StateListModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setLines(std::shared_ptr<const FoundStates> found, std::vector<std::uint32_t> lines);
    void setTimeFormat(const TimeFormat& format);
    const StateOrder& order() const { return m_order; }
    void setOnly(const QString& state, TrackRef track); ///< Of a state, of a row: as StateOrder says.

    std::uint32_t hitAt(int row) const { return m_lines[std::size_t(row)]; }
    int lineOf(std::uint32_t hit) const; ///< -1: it is not listed.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void orderChanged();

private:
    QString textAt(const StateHit& hit, int column) const;

    std::shared_ptr<const FoundStates> m_found;
    std::vector<std::uint32_t> m_lines;
    StateOrder m_order;
    TimeFormat m_format;
};

} // namespace helio
