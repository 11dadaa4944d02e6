#include "widgets/controls/table_copy.h"

#include "widgets/controls/copy_text.h"

#include <QAbstractItemView>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <functional>
#include <vector>

namespace helio {

namespace {

const QHeaderView* headerOf(const QAbstractItemView& table)
{
    if (const auto* tree = qobject_cast<const QTreeView*>(&table))
        return tree->header();
    const auto* grid = qobject_cast<const QTableView*>(&table);
    return grid ? grid->horizontalHeader() : nullptr;
}

/// Returns the indexes of the shown columns, from left to right.
std::vector<int> columnsOf(const QAbstractItemView& table)
{
    std::vector<int> columns;
    const QHeaderView* header = headerOf(table);
    const int count = table.model() ? table.model()->columnCount() : 0;
    for (int i = 0; i < count; ++i) {
        const int column = header ? header->logicalIndex(i) : i;
        if (!header || !header->isSectionHidden(column))
            columns.push_back(column);
    }
    return columns;
}

QString joined(const std::vector<int>& columns, QChar between, const std::function<QString(int)>& cell)
{
    QStringList cells;
    for (const int column : columns)
        cells << cell(column);
    return cells.join(between);
}

/// Appends the children of `parent` as lines; each is followed by its own children.
void addLines(const QModelIndex& parent, const QAbstractItemModel& model, const std::vector<int>& columns, QString& csv)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        csv += joined(columns, u',', [&](int column) { return csvQuoted(plainText(model.index(row, column, parent).data().toString())); })
            + u'\n';
        addLines(model.index(row, 0, parent), model, columns, csv);
    }
}

const QString CopyKeysName = QStringLiteral("copyKeys");

class CopyKeys : public QObject {
public:
    explicit CopyKeys(QAbstractItemView& table)
        : QObject(&table)
        , m_table(table)
    {
        table.installEventFilter(this);
        table.viewport()->installEventFilter(this);
        setObjectName(CopyKeysName);
    }

    void setFurtherActions(std::function<void(QMenu&, const QModelIndex&)> add) { m_add = std::move(add); }

private:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
            if (const QString lines = copiedLines(m_table); !lines.isEmpty()) {
                copyText(lines);
                event->accept();
            }
            return true;
        }
        if (watched != m_table.viewport() || event->type() != QEvent::ContextMenu || m_table.contextMenuPolicy() != Qt::DefaultContextMenu)
            return false;
        const auto* click = static_cast<QContextMenuEvent*>(event);
        auto* menu = new QMenu(&m_table);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        const QModelIndex cell = m_table.indexAt(click->pos());
        if (m_add)
            m_add(*menu, cell);
        if (!menu->isEmpty())
            menu->addSeparator();
        addCopyActions(*menu, m_table, cell);
        menu->popup(click->globalPos());
        return true;
    }

    QAbstractItemView& m_table;
    std::function<void(QMenu&, const QModelIndex&)> m_add; ///< Adds further actions to the menu; empty if there are none.
};

} // namespace

QString csvQuoted(QString cell)
{
    const bool isPlain = std::ranges::none_of(cell, [](QChar c) { return c == u',' || c == u'"' || c == u'\n' || c == u'\r'; });
    return isPlain ? cell : u'"' + cell.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString copiedLines(const QAbstractItemView& table)
{
    if (!table.selectionModel())
        return {};
    QModelIndexList lines;
    for (const QModelIndex& cell : table.selectionModel()->selectedIndexes())
        if (const QModelIndex line = cell.siblingAtColumn(0); !lines.contains(line))
            lines << line;
    if (lines.isEmpty() && table.currentIndex().isValid())
        lines << table.currentIndex().siblingAtColumn(0);
    std::ranges::sort(lines,
                      [&](const QModelIndex& a, const QModelIndex& b) { return table.visualRect(a).top() < table.visualRect(b).top(); });
    const std::vector<int> columns = columnsOf(table);
    QStringList texts;
    for (const QModelIndex& line : lines)
        texts << joined(columns, u'\t', [&](int column) { return line.siblingAtColumn(column).data().toString(); });
    return texts.join(u'\n');
}

QString tableCsv(const QAbstractItemView& table)
{
    if (!table.model())
        return {};
    const QAbstractItemModel& model = *table.model();
    if (const auto* own = dynamic_cast<const CsvModel*>(&model))
        return own->csv();
    const std::vector<int> columns = columnsOf(table);
    QString csv =
        joined(columns, u',', [&](int column) { return csvQuoted(plainText(model.headerData(column, Qt::Horizontal).toString())); })
        + u'\n';
    addLines({}, model, columns, csv);
    return csv;
}

void addCopyActions(QMenu& menu, QAbstractItemView& table, const QModelIndex& cell)
{
    const QString lines = copiedLines(table);
    const auto count = lines.isEmpty() ? 0 : lines.count(u'\n') + 1;
    QAction* copy = menu.addAction(count > 1 ? QMenu::tr("Copy rows") : QMenu::tr("Copy row"), &table, [lines] { copyText(lines); });
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut); // The menu only shows the shortcut: the table handles the key itself.
    copy->setEnabled(count > 0);
    const QString text = cell.isValid() ? cell.data().toString() : QString();
    menu.addAction(QMenu::tr("Copy cell"), &table, [text] { copyText(text); })->setEnabled(!text.isEmpty());
    menu.addAction(QMenu::tr("Copy table as CSV"), &table, [&table] { copyText(tableCsv(table)); });
}

void makeCopyable(QAbstractItemView& table) { new CopyKeys(table); }

void setFurtherActions(QAbstractItemView& table, std::function<void(QMenu& menu, const QModelIndex& cell)> add)
{
    if (auto* keys = static_cast<CopyKeys*>(table.findChild<QObject*>(CopyKeysName, Qt::FindDirectChildrenOnly)))
        keys->setFurtherActions(std::move(add));
}

} // namespace helio
