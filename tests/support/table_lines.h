#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <QStringList>

namespace helio::test {

/// Returns the rows at the top level of a table, a line each, with the displayed texts of the cells separated by '|'.
inline QStringList linesOf(const QAbstractItemModel& table)
{
    QStringList lines;
    for (int row = 0; row < table.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < table.columnCount(); ++column)
            cells << table.index(row, column).data().toString();
        lines << cells.join('|');
    }
    return lines;
}

} // namespace helio::test
