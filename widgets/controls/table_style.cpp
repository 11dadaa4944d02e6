#include "widgets/controls/table_style.h"

#include "widgets/controls/table_copy.h"
#include "widgets/theme/themes.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyleOptionViewItem>
#include <QTreeWidget>

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
    table.viewport()->setPalette(look); // The palette is set again, because the viewport does not inherit it when the style sheet changes.
    table.setFont(fonts().detail());
    table.header()->setFont(fonts().at(10.5, 500));
}

void alignNumbers(QTreeWidgetItem& line)
{
    for (int column = 1; column < line.columnCount(); ++column)
        line.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
}

/// Resizes a column when the table's viewport or other columns are resized.
/// Ownership: owned by the table.
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
    limitFittedColumns(*table.header());
}

void showModel(QTreeView& table, QAbstractItemModel& model, const QString& name, QAbstractItemDelegate* delegate)
{
    table.setModel(&model);
    if (delegate)
        table.setItemDelegate(delegate);
    styleTable(table);
    table.setAccessibleName(name);
}

void setColumnWidths(QTreeView& table, std::initializer_list<int> widths)
{
    for (int column = 0; const int width : widths)
        table.header()->resizeSection(column++, width);
}

void onChosen(QTreeView& table, QObject* receiver, const std::function<void(const QModelIndex&)>& go)
{
    for (const auto signal : {&QTreeView::clicked, &QTreeView::activated})
        QObject::connect(&table, signal, receiver, go);
}

void setItemColumns(QTreeWidget& table, const QStringList& titles)
{
    table.setRootIsDecorated(false);
    table.setUniformRowHeights(true);
    table.setHeaderLabels(titles);
    alignNumbers(*table.headerItem());
    table.header()->setStretchLastSection(false);
    table.header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.header()->setSectionResizeMode(0, QHeaderView::Stretch);
}

QTreeWidgetItem* addItemLine(QTreeWidget& table, const QStringList& texts)
{
    auto* line = new QTreeWidgetItem(&table, texts);
    alignNumbers(*line);
    return line;
}

void makeSortable(QTreeView& table, int column, Qt::SortOrder order)
{
    table.setSortingEnabled(true);
    table.sortByColumn(column, order);
}

void limitFittedColumns(QHeaderView& header)
{
    // The table connected itself first, so it has already fitted the column.
    QObject::connect(&header, &QHeaderView::sectionHandleDoubleClicked, &header, [&header](int column) {
        const int room = header.viewport()->width() - std::max(0, header.sectionViewportPosition(column));
        header.resizeSection(column, std::min(header.sectionSize(column), std::max(header.minimumSectionSize(), room)));
    });
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
