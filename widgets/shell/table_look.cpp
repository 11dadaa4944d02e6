#include "widgets/shell/table_look.h"

#include "widgets/shell/table_copy.h"
#include "widgets/theme/themes.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyleOptionViewItem>
#include <QTreeView>

namespace helio {

namespace {

void updateLook(QTreeView& table)
{
    QPalette look;
    look.setColor(QPalette::Base, theme().color("surface.panel"));
    look.setColor(QPalette::Highlight, theme().color("surface.selected"));
    look.setColor(QPalette::HighlightedText, theme().color("text.primary"));
    table.setPalette(look);
    table.viewport()->setPalette(look); // Which does not follow by itself when the style sheet changes.
    table.setFont(fonts().detail());
    table.header()->setFont(fonts().at(10.5, 500));
}

} // namespace

void giveTableLook(QTreeView& table)
{
    table.setUniformRowHeights(true);
    table.setRootIsDecorated(false);
    table.setMouseTracking(true);
    table.setFrameShape(QFrame::NoFrame);
    table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.header()->setStretchLastSection(false);
    QObject::connect(&Themes::instance(), &Themes::changed, &table, [&table] { updateLook(table); });
    updateLook(table);
    makeCopyable(table);
}

void makeSortable(QTreeView& table, int column, Qt::SortOrder order)
{
    table.setSortingEnabled(true);
    table.sortByColumn(column, order);
}

void paintLineGround(QPainter& painter, const QStyleOptionViewItem& option)
{
    if (option.state & QStyle::State_Selected)
        painter.fillRect(option.rect, theme().color("surface.selected"));
    else if (option.state & QStyle::State_MouseOver)
        painter.fillRect(option.rect, theme().color("surface.hover"));
}

} // namespace helio
