#pragma once

#include <Qt>

class QPainter;
class QStyleOptionViewItem;
class QTreeView;

namespace helio {

/// Styles a table in a dock: flat lines without branches, the dock's background, the theme's colours and fonts; follows theme changes. Its
/// lines can be copied: see makeCopyable().
void styleTable(QTreeView& table);

/// Makes column titles sort on a click, at first by this column. A chevron shows the sorted column and direction. The model's
/// InitialSortOrderRole gives the order of a column's first click.
void makeSortable(QTreeView& table, int column, Qt::SortOrder order);

/// Gives a column all the width that the other columns leave, at least `least` pixels: below that the table scrolls horizontally.
void stretchColumn(QTreeView& table, int column, int least);

/// Paints the background of a selected or hovered line. For delegates.
void paintLineGround(QPainter& painter, const QStyleOptionViewItem& option);

} // namespace helio
