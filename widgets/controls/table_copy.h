#pragma once

#include <QModelIndex>
#include <QString>

#include <functional>

class QAbstractItemView;
class QMenu;

namespace helio {

/// Interface of models that write their own CSV, in the format of the command line: times are numbers of ns, not formatted texts.
class CsvModel {
public:
    virtual ~CsvModel() = default;

    virtual QString csv() const = 0; ///< Returns all listed rows as CSV, in their order.
};

/// Returns a cell of CSV, in quotes if RFC 4180 requires them.
QString csvQuoted(QString cell);

/// Returns the selected lines of a table, or the current line if none is selected, as shown: cells are separated by tabs, digits are not
/// grouped. Empty if there is no line.
QString copiedLines(const QAbstractItemView& table);

/// Returns all lines of a table as CSV with column titles: CsvModel::csv() if the model implements it; otherwise the cells as shown,
/// without digit grouping.
QString tableCsv(const QAbstractItemView& table);

/// Adds actions to copy a cell, the selected lines and the whole table.
void addCopyActions(QMenu& menu, QAbstractItemView& table, const QModelIndex& cell);

/// Makes Ctrl+C copy the selected lines, and a right click show addCopyActions(). A table with a context menu of its own
/// (Qt::CustomContextMenu) must add these actions itself.
void makeCopyable(QAbstractItemView& table);

/// Sets a function that adds further actions to the menu of makeCopyable(), above the others. `cell` is the clicked cell; not valid below
/// the lines. Requires: makeCopyable() was called.
void setFurtherActions(QAbstractItemView& table, std::function<void(QMenu& menu, const QModelIndex& cell)> add);

} // namespace helio
