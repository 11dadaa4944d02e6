#pragma once

#include <QStringList>

#include <functional>
#include <initializer_list>

class QAbstractItemDelegate;
class QAbstractItemModel;
class QHeaderView;
class QModelIndex;
class QObject;
class QPainter;
class QStyleOptionViewItem;
class QTreeView;
class QTreeWidget;
class QTreeWidgetItem;

namespace helio {

/// Styles a table in a dock: flat lines without branches, the background of the dock, colours and fonts of the theme, whose changes it
/// follows. Its lines can be copied (see makeCopyable()).
void styleTable(QTreeView& table);

/// Sets the model of a table, and styles the table. `name`: accessible name of the table. `delegate`: nullptr for Qt's default delegate.
void showModel(QTreeView& table, QAbstractItemModel& model, const QString& name, QAbstractItemDelegate* delegate = nullptr);

/// Sets the widths of the first columns, in pixels.
void setColumnWidths(QTreeView& table, std::initializer_list<int> widths);

/// Calls `go` with each cell that the user clicks, or activates with the keyboard, until `receiver` is destroyed.
void onChosen(QTreeView& table, QObject* receiver, const std::function<void(const QModelIndex&)>& go);

/// Sets the columns of a table of items. The first column gets the width that the other columns, which are numbers, leave.
void setItemColumns(QTreeWidget& table, const QStringList& titles);

/// Adds a line to a table that was set up by setItemColumns().
QTreeWidgetItem* addItemLine(QTreeWidget& table, const QStringList& texts);

/// Makes a table sort by a column when its title is clicked; initially by `column` and `order`. A chevron shows the sort column and the
/// order. The model's InitialSortOrderRole is the order of the first click on a column.
void makeSortable(QTreeView& table, int column, Qt::SortOrder order);

/// Limits the width of a column whose edge the user double-clicks to fit its text: the edge stays inside of the table, where the user can
/// drag it back. To be called once a table, after its header is set.
void limitFittedColumns(QHeaderView& header);

/// Stretches a column to the width that the other columns leave, at least `least` pixels; a narrower table scrolls horizontally.
void stretchColumn(QTreeView& table, int column, int least);

/// Paints the background of a selected or hovered line. To be called by delegates.
void paintLineGround(QPainter& painter, const QStyleOptionViewItem& option);

} // namespace helio
