#pragma once

#include <QStringList>

#include <functional>
#include <initializer_list>

class QAbstractItemDelegate;
class QAbstractItemModel;
class QModelIndex;
class QObject;
class QPainter;
class QStyleOptionViewItem;
class QTreeView;
class QTreeWidget;
class QTreeWidgetItem;

namespace helio {

/// Styles a table in a dock: flat lines without branches, the dock's background, the theme's colours and fonts; follows theme changes. Its
/// lines can be copied: see makeCopyable().
void styleTable(QTreeView& table);

/// Shows a model in a table that it styles. `name`: accessible name of the table. `delegate`: nullptr for the delegate of Qt.
void showModel(QTreeView& table, QAbstractItemModel& model, const QString& name, QAbstractItemDelegate* delegate = nullptr);

/// Sets the widths of the first columns, in pixels.
void setColumnWidths(QTreeView& table, std::initializer_list<int> widths);

/// Calls `go` with each cell that the user clicks or activates with the keyboard, as long as `receiver` exists.
void onChosen(QTreeView& table, QObject* receiver, const std::function<void(const QModelIndex&)>& go);

/// Gives a table of items its columns: the first one gets the width that the numbers in the others leave.
void setItemColumns(QTreeWidget& table, const QStringList& titles);

/// Adds a line to a table with setItemColumns().
QTreeWidgetItem* addItemLine(QTreeWidget& table, const QStringList& texts);

/// Makes column titles sort on a click, at first by this column. A chevron shows the sorted column and direction. The model's
/// InitialSortOrderRole gives the order of a column's first click.
void makeSortable(QTreeView& table, int column, Qt::SortOrder order);

/// Gives a column all the width that the other columns leave, at least `least` pixels: below that the table scrolls horizontally.
void stretchColumn(QTreeView& table, int column, int least);

/// Paints the background of a selected or hovered line. For delegates.
void paintLineGround(QPainter& painter, const QStyleOptionViewItem& option);

} // namespace helio
