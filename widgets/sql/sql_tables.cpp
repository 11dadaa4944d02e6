#include "widgets/sql/sql_tables.h"

#include "widgets/controls/icons.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/popup.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScreen>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr QSize PopupSize(420, 380);

} // namespace

SqlTables::SqlTables(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_filter(new QLineEdit)
    , m_tree(new QTreeWidget)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->setSpacing(8);
    layout->addWidget(m_filter);
    layout->addWidget(m_tree, 1);
    resize(PopupSize);
    m_filter->setPlaceholderText(tr("Filter tables and columns"));
    m_filter->setAccessibleName(tr("Filter tables and columns"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    styleTable(*m_tree);
    m_tree->setRootIsDecorated(true);
    m_tree->setIndentation(16);
    m_tree->setHeaderLabels({tr("Name"), tr("Type")});
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_tree->setAccessibleName(tr("Tables and columns"));
    connect(m_filter, &QLineEdit::textChanged, this, &SqlTables::applyFilter);
    connect(m_tree, &QTreeWidget::itemActivated, this, &SqlTables::choose);
}

void SqlTables::setSchema(const std::shared_ptr<const sql::Schema>& schema)
{
    m_tree->clear();
    if (!schema)
        return;
    for (const sql::SchemaTable& table : schema->tables) {
        auto* item = new QTreeWidgetItem(m_tree, {text(table.name), table.isView ? tr("view") : tr("table")});
        for (const sql::SchemaColumn& column : table.columns) {
            auto* child = new QTreeWidgetItem(item, {text(column.name), text(column.type).toLower()});
            const QString help = text(sql::describeColumn(table.name, column.name));
            child->setToolTip(0, help.toHtmlEscaped());
            child->setData(0, Qt::AccessibleDescriptionRole, help);
        }
    }
    applyFilter();
}

void SqlTables::popup(const QPoint& globalPos)
{
    const QRect room = (parentWidget() ? parentWidget()->screen() : screen())->availableGeometry();
    QPoint place = globalPos - QPoint(width(), height());
    place.setX(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - width())));
    place.setY(std::clamp(place.y(), room.top(), std::max(room.top(), room.bottom() - height())));
    move(place);
    show();
    m_filter->setFocus(Qt::PopupFocusReason);
    m_filter->selectAll();
}

int SqlTables::shownTables() const
{
    int shown = 0;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        shown += !m_tree->topLevelItem(i)->isHidden();
    return shown;
}

/// Lists the tables whose name or columns contain the text of the filter.
void SqlTables::applyFilter()
{
    const QString wanted = m_filter->text().trimmed();
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem* table = m_tree->topLevelItem(i);
        const bool isNamed = table->text(0).contains(wanted, Qt::CaseInsensitive);
        bool hasColumn = false;
        for (int j = 0; j < table->childCount(); ++j) {
            const bool isColumn = table->child(j)->text(0).contains(wanted, Qt::CaseInsensitive);
            hasColumn |= isColumn;
            table->child(j)->setHidden(!isNamed && !isColumn);
        }
        table->setHidden(!isNamed && !hasColumn);
        table->setExpanded(!wanted.isEmpty() && hasColumn && !isNamed);
    }
}

void SqlTables::choose(QTreeWidgetItem* item)
{
    if (!item)
        return;
    hide();
    emit chosen(item->text(0));
}

bool SqlTables::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_filter || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down: m_tree->setFocus(Qt::OtherFocusReason); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
            if (!m_tree->topLevelItem(i)->isHidden()) {
                choose(m_tree->topLevelItem(i));
                break;
            }
        return true;
    default: return false;
    }
}

void SqlTables::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.raised"));
    painter.setPen(theme().color("line.strong"));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace helio
