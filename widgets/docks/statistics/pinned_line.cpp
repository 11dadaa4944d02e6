#include "widgets/docks/statistics/pinned_line.h"

#include "widgets/theme/themes.h"

#include <QAbstractItemDelegate>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyleOptionViewItem>
#include <QTreeView>

namespace helio {

PinnedLine::PinnedLine(QTreeView& table)
    : QWidget(table.viewport())
    , m_table(table)
{
    setCursor(Qt::PointingHandCursor);
    setToolTip(tr("The selected row, which is out of view. Click to go there"));
    hide();
    table.viewport()->installEventFilter(this);
    connect(table.verticalScrollBar(), &QScrollBar::valueChanged, this, &PinnedLine::place);
    connect(table.selectionModel(), &QItemSelectionModel::selectionChanged, this, &PinnedLine::place);
    connect(table.header(), &QHeaderView::sectionResized, this, qOverload<>(&QWidget::update));
}

void PinnedLine::place()
{
    const QModelIndexList selected = m_table.selectionModel()->selectedRows();
    m_line = selected.isEmpty() ? QModelIndex() : selected.front();
    const QRect line = m_line.isValid() ? m_table.visualRect(m_line) : QRect();
    const QRect all = m_table.viewport()->rect();
    const bool isInView = line.top() >= all.top() && line.bottom() <= all.bottom();
    setVisible(m_line.isValid() && !isInView && all.height() > 2 * line.height());
    if (isHidden())
        return;
    m_isBelow = line.bottom() > all.bottom();
    const int height = line.height() + 1;
    setGeometry(0, m_isBelow ? all.bottom() + 1 - height : 0, all.width(), height);
    update();
}

void PinnedLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.panel"));
    if (!m_line.isValid())
        return;
    QStyleOptionViewItem option;
    option.initFrom(&m_table);
    option.widget = &m_table;
    option.font = m_table.font();
    option.state |= QStyle::State_Selected;
    option.state &= ~QStyle::State_MouseOver;
    const QHeaderView& header = *m_table.header();
    for (int column = 0; column < header.count(); ++column) {
        option.rect = QRect(header.sectionViewportPosition(column), m_isBelow ? 1 : 0, header.sectionSize(column), height() - 1);
        m_table.itemDelegate()->paint(&painter, option, m_line.sibling(m_line.row(), column));
    }
    painter.fillRect(0, m_isBelow ? 0 : height() - 1, width(), 1, theme().color("line.strong"));
}

void PinnedLine::mousePressEvent(QMouseEvent*) { m_table.scrollTo(m_line, QAbstractItemView::PositionAtCenter); }

bool PinnedLine::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

} // namespace helio
