#include "widgets/controls/table_style.h"

#include "widgets/controls/table_copy.h"
#include "widgets/theme/themes.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyleOptionViewItem>
#include <QTreeView>

#include <algorithm>

namespace helio {

namespace {

void updateLook(QTreeView& table)
{
    QPalette look;
    look.setColor(QPalette::Base, theme().color("surface.panel"));
    look.setColor(QPalette::Highlight, theme().color("surface.selected"));
    look.setColor(QPalette::HighlightedText, theme().color("text.primary"));
    table.setPalette(look);
    table.viewport()->setPalette(look); // The viewport does not inherit the palette when the style sheet changes.
    table.setFont(fonts().detail());
    table.header()->setFont(fonts().at(10.5, 500));
}

/// Resizes a column with the table's viewport and the other columns. Ownership: belongs to the table.
class ColumnStretch : public QObject {
public:
    ColumnStretch(QTreeView& table, int column, int least)
        : QObject(&table)
        , m_table(table)
        , m_column(column)
        , m_least(least)
    {
        table.viewport()->installEventFilter(this);
        connect(table.header(), &QHeaderView::sectionResized, this, [this](int resized) {
            if (resized != m_column)
                fit();
        });
        connect(table.header(), &QHeaderView::sectionCountChanged, this, &ColumnStretch::fit);
        fit();
    }

private:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Resize)
            fit();
        return false;
    }
    void fit()
    {
        QHeaderView& header = *m_table.header();
        if (m_column >= header.count())
            return;
        const int others = header.length() - header.sectionSize(m_column);
        if (const int width = std::max(m_least, m_table.viewport()->width() - others); width != header.sectionSize(m_column))
            header.resizeSection(m_column, width);
    }

    QTreeView& m_table;
    int m_column;
    int m_least;
};

} // namespace

void styleTable(QTreeView& table)
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

void stretchColumn(QTreeView& table, int column, int least)
{
    table.header()->setSectionResizeMode(column, QHeaderView::Interactive);
    table.setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    new ColumnStretch(table, column, least);
}

void paintLineGround(QPainter& painter, const QStyleOptionViewItem& option)
{
    if (option.state & QStyle::State_Selected)
        painter.fillRect(option.rect, theme().color("surface.selected"));
    else if (option.state & QStyle::State_MouseOver)
        painter.fillRect(option.rect, theme().color("surface.hover"));
}

} // namespace helio
