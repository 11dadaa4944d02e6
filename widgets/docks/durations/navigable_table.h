#pragma once

#include "core/virtualization/steal_tables.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/line_delegate.h"

#include <vector>

namespace helio {

/// A cell of a NavigableTable; a click on it may go to a row and time.
struct NavigableCell {
    QString text;
    qint64 number = -1; ///< Sort key; -1 to sort by `text`.
    LongestLoss place{}; ///< Target of a click; none if its row is invalid.
};

/// A table with cells that go to a row and time on a click. Lines keep their original order until the user sorts them.
/// Threads: UI thread.
class NavigableTable : public ColumnModel<std::vector<NavigableCell>> {
public:
    using Cell = NavigableCell;
    struct Column {
        QString title;
        bool isNumber = false;
    };

    void setLines(const std::vector<Column>& columns, std::vector<std::vector<Cell>> lines);
    const Cell& cell(const QModelIndex& index) const { return cellIn(line(index.row()), std::size_t(index.column())); }

private:
    static const Cell& cellIn(const std::vector<Cell>& line, std::size_t column);
};

/// Long cells are elided in the middle, because their ends tell them apart.
constexpr LineMetrics NavigableLineMetrics{19, 8, -1, -1, 420, Qt::ElideMiddle};

} // namespace helio
