#pragma once

#include "widgets/async/discard.h"
#include "widgets/theme/themes.h"

#include <QAbstractTableModel>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace helio {

/// Column of a ColumnModel: functions that return what the column shows for a line. An empty function selects the default.
template <typename Line> struct TableColumn {
    QString title;
    std::function<QString(const Line&)> text;
    /// True for numbers: aligned right, and the first click on the title sorts by setFirstOrder(), largest first by default.
    bool isNumber = false;
    /// Returns true if the first line comes before the second in ascending order. If this function is empty, the user cannot sort by the
    /// column.
    std::function<bool(const Line&, const Line&)> isLess{};
    std::function<QString(const Line&)> tip{}; ///< Returns the tooltip as rich text; empty for no tooltip.
    QString titleTip{};
    /// Returns the theme role of the text's colour; by default "text.primary" in the first column, "text.secondary" in other columns.
    std::function<QString(const Line&)> color{};
};

/// Table model for data items of the type `Line`; the columns define how items are shown and sorted. Items that compare
/// equal keep their order.
/// Threads: UI thread.
/// Cost: sorting calls isLess() n log n times.
template <typename Line> class ColumnModel : public QAbstractTableModel {
public:
    using Columns = std::vector<TableColumn<Line>>;

    explicit ColumnModel(Columns columns = {}, QObject* parent = nullptr)
        : QAbstractTableModel(parent)
        , m_columns(std::move(columns))
    {
    }

    void setColumns(Columns columns) { setAll(std::move(columns), std::move(m_lines)); }
    void setLines(std::vector<Line> lines) { setAll(std::move(m_columns), std::move(lines)); }
    void setAll(Columns columns, std::vector<Line> lines)
    {
        beginResetModel();
        m_columns = std::move(columns);
        std::swap(m_lines, lines);
        arrange();
        endResetModel();
        discard(std::move(lines), lines.size());
    }
    /// Sets a filter: only items that `isShown` accepts are shown; an empty function shows all items.
    void setShown(std::function<bool(const Line&)> isShown)
    {
        beginResetModel();
        m_isShown = std::move(isShown);
        arrange();
        endResetModel();
    }
    /// Repaints all cells, e.g. after the time format changed.
    void refreshCells()
    {
        if (!m_order.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
    void setFirstOrder(Qt::SortOrder order) { m_firstOrder = order; } ///< Sets the sort order of the first click on a title of numbers.
    void setTitle(int column, const QString& title)
    {
        m_columns[std::size_t(column)].title = title;
        emit headerDataChanged(Qt::Horizontal, column, column);
    }

    const std::vector<Line>& lines() const { return m_lines; }
    const Line& line(int row) const { return m_lines[placeOf(row)]; }
    std::size_t placeOf(int row) const { return m_order[std::size_t(row)]; } ///< Index in lines() of the item that a row shows.
    /// Returns the first row with an item that satisfies `is`; -1 if there is none.
    template <typename Is> int findRow(const Is& is) const
    {
        const auto found = std::ranges::find_if(m_order, [&](std::size_t place) { return is(m_lines[place]); });
        return found == m_order.end() ? -1 : int(found - m_order.begin());
    }
    int sortedColumn() const { return m_sorted; } ///< Index of the sort column; -1 if the rows are in the order of lines().
    bool isDescending() const { return m_isDescending; }

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_order.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_columns.size()); }

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override
    {
        if (!index.isValid())
            return {};
        const TableColumn<Line>& column = m_columns[std::size_t(index.column())];
        const Line& it = line(index.row());
        switch (role) {
        case Qt::DisplayRole: return column.text(it);
        case Qt::TextAlignmentRole: return alignment(column);
        case Qt::ForegroundRole:
            return theme().color(column.color              ? column.color(it)
                                     : index.column() == 0 ? QStringLiteral("text.primary")
                                                           : QStringLiteral("text.secondary"));
        case Qt::ToolTipRole: return column.tip ? QVariant(column.tip(it)) : QVariant();
        default: return {};
        }
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const TableColumn<Line>& column = m_columns[std::size_t(section)];
        switch (role) {
        case Qt::DisplayRole: return column.title;
        case Qt::TextAlignmentRole: return alignment(column);
        case Qt::ToolTipRole: return column.titleTip.isEmpty() ? QVariant() : column.titleTip;
        case Qt::InitialSortOrderRole: return int(column.isNumber ? m_firstOrder : Qt::AscendingOrder);
        default: return {};
        }
    }

    void sort(int column, Qt::SortOrder order) override
    {
        beginResetModel();
        m_sorted = std::clamp(column, -1, columnCount() - 1);
        m_isDescending = order == Qt::DescendingOrder;
        arrange();
        endResetModel();
    }

private:
    static int alignment(const TableColumn<Line>& column)
    {
        return int(Qt::AlignVCenter | (column.isNumber ? Qt::AlignRight : Qt::AlignLeft));
    }

    void arrange()
    {
        m_order.clear();
        for (std::size_t place = 0; place < m_lines.size(); ++place)
            if (!m_isShown || m_isShown(m_lines[place]))
                m_order.push_back(place);
        const auto* const isLess = m_sorted >= 0 && m_sorted < columnCount() ? &m_columns[std::size_t(m_sorted)].isLess : nullptr;
        if (!isLess || !*isLess)
            return;
        std::ranges::stable_sort(m_order, [&](std::size_t a, std::size_t b) {
            return m_isDescending ? (*isLess)(m_lines[b], m_lines[a]) : (*isLess)(m_lines[a], m_lines[b]);
        });
    }

    Columns m_columns;
    std::vector<Line> m_lines;
    std::vector<std::size_t> m_order; ///< Indexes in m_lines of the shown items, in display order.
    std::function<bool(const Line&)> m_isShown;
    Qt::SortOrder m_firstOrder = Qt::DescendingOrder;
    int m_sorted = -1;
    bool m_isDescending = false;
};

} // namespace helio
