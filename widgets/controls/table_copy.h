#pragma once

#include <QModelIndex>
#include <QString>

class QAbstractItemView;
class QMenu;

namespace helio {

/// A model that writes its own comma-separated values, in the command line's format: times in ns, not as shown.
class CsvModel {
public:
    virtual ~CsvModel() = default;

    virtual QString csv() const = 0; ///< All listed rows, in their order.
};

/// Returns a cell of comma-separated values, in quotes if RFC 4180 demands them.
QString csvQuoted(QString cell);

/// Returns the selected lines of a table, or the current line: text as shown, cells separated by tabs, plain digits. Empty if there is no
/// line.
QString copiedLines(const QAbstractItemView& table);

/// Returns all lines of a table with its column titles as comma-separated values: CsvModel::csv() if the model has it, else text and
/// order as shown, with plain digits.
QString tableCsv(const QAbstractItemView& table);

/// Adds actions that copy a cell, lines and the whole table.
void addCopyActions(QMenu& menu, QAbstractItemView& table, const QModelIndex& cell);

/// Makes Ctrl+C copy the selected lines and a right click offer addCopyActions(). A table with its own context menu (Qt::CustomContextMenu)
/// must add these actions itself.
void makeCopyable(QAbstractItemView& table);

} // namespace helio
