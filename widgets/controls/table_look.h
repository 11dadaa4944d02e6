#pragma once

#include <Qt>

class QPainter;
class QStyleOptionViewItem;
class QTreeView;

namespace helio {

/// A table in a dock: flat lines without branches, on the dock's ground, in the theme's colours and fonts; again whenever the theme
/// changes. Its lines can be copied: see makeCopyable().
void giveTableLook(QTreeView& table);

/// Its titles sort, at first by this column; a chevron beside the title says which and which way. The model says by InitialSortOrderRole
/// which order a column's first click means.
void makeSortable(QTreeView& table, int column, Qt::SortOrder order);

/// Gives a column all the room that the other columns leave, and never less than `least` pixels: then the table scrolls sideways.
void stretchColumn(QTreeView& table, int column, int least);

/// The ground of a chosen line, or of the one under the pointer: for delegates.
void paintLineGround(QPainter& painter, const QStyleOptionViewItem& option);

} // namespace helio
