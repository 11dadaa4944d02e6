#pragma once

#include <QModelIndex>
#include <QString>

class QAbstractItemView;
class QMenu;

namespace helio {

/// A model that writes its own comma-separated values, as the command line does: times in ns, not as shown.
class CsvModel {
public:
    virtual ~CsvModel() = default;

    virtual QString csv() const = 0; ///< All rows that are listed, in their order.
};

/// The selected lines of a table, or the current one: as shown, cells parted by tabs, digits plain. Empty if there is none.
QString copiedLines(const QAbstractItemView& table);

/// All lines of a table with the titles of its columns, as comma-separated values: those of a CsvModel, else as shown and in the order
/// shown, digits plain.
QString tableCsv(const QAbstractItemView& table);

/// Actions that copy a cell, lines and the whole table.
void addCopyActions(QMenu& menu, QAbstractItemView& table, const QModelIndex& cell);

/// From now on Ctrl+C copies the selected lines, and a right click offers addCopyActions(). A table with a context menu of its own
/// (Qt::CustomContextMenu) adds these actions itself.
void makeCopyable(QAbstractItemView& table);

} // namespace helio
