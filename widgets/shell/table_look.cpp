#include "widgets/shell/table_look.h"

#include "widgets/theme/themes.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyleOptionViewItem>
#include <QTreeView>

namespace helio {

namespace {

/// Titles, with an arrow beside the one that rows are in the order of: opposite to where its text is aligned, so that none lies over it.
class TitleHeader : public QHeaderView {
public:
    explicit TitleHeader(QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent)
    {
        setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        setSectionsMovable(true);
    }
    void setSorts(bool sorts) { m_sorts = sorts; }

private:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        painter->save();
        QHeaderView::paintSection(painter, rect, section);
        painter->restore();
        if (!m_sorts || section != sortIndicatorSection())
            return;
        constexpr qreal Margin = 9;
        const bool isTextRight = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
        const QPointF middle(isTextRight ? rect.left() + Margin : rect.right() + 1 - Margin, rect.center().y() + 0.5);
        const qreal down = sortIndicatorOrder() == Qt::DescendingOrder ? 1 : -1;
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme().color("text.secondary"));
        painter->drawPolygon(QPolygonF{middle + QPointF(-3.5, -2 * down), middle + QPointF(3.5, -2 * down), middle + QPointF(0, 2.5 * down)});
        painter->setRenderHint(QPainter::Antialiasing, false);
    }

    bool m_sorts = false;
};

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
    table.setHeader(new TitleHeader(&table));
    table.setUniformRowHeights(true);
    table.setRootIsDecorated(false);
    table.setMouseTracking(true);
    table.setFrameShape(QFrame::NoFrame);
    table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.header()->setStretchLastSection(false);
    QObject::connect(&Themes::instance(), &Themes::changed, &table, [&table] { updateLook(table); });
    updateLook(table);
}

void makeSortable(QTreeView& table, int column, Qt::SortOrder order)
{
    table.setSortingEnabled(true);
    table.sortByColumn(column, order);
    table.header()->setSortIndicatorShown(false); // Fusion's lies over titles that are aligned right.
    static_cast<TitleHeader*>(table.header())->setSorts(true);
}

void paintLineGround(QPainter& painter, const QStyleOptionViewItem& option)
{
    if (option.state & QStyle::State_Selected)
        painter.fillRect(option.rect, theme().color("surface.selected"));
    else if (option.state & QStyle::State_MouseOver)
        painter.fillRect(option.rect, theme().color("surface.hover"));
}

} // namespace helio
