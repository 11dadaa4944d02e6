#include "widgets/timeline/graph/time_panel.h"

#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/time_body.h"

#include <QCoreApplication>
#include <QMenu>
#include <QPainter>

#include <utility>

namespace helio {

TimePanel::TimePanel(TimeAxis& axis, std::string id, const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_id(std::move(id))
    , m_name(title)
    , m_header(new PanelHeader(axis, title, this))
{
    setObjectName(QString::fromStdString(m_id));
    connect(m_header, &PanelHeader::toggled, this, [this] { setCollapsed(!isCollapsed()); });
    connect(m_header, &PanelHeader::filterDone, this, [this] { body()->setFocus(); });
    connect(m_header, &PanelHeader::chipClicked, this, [this](const QString& text) {
        const QString before = focusState();
        setFocusState(before == text ? QString() : text);
        emit focusStateChosen(before, focusState());
    });
    connect(m_header, &PanelHeader::moreClicked, this, [this](const QPoint& at) {
        QMenu menu;
        m_header->addChoices(menu);
        fillMenu(menu);
        menu.exec(at);
    });
}

void TimePanel::adoptBody()
{
    body()->setAccessibleName(m_name);
    if (const auto* it = qobject_cast<TimeBody*>(body()))
        connect(it, &TimeBody::focusShown, this, &TimePanel::ensureVisibleRequested);
}

void TimePanel::setScrollMargin(int pixels)
{
    if (auto* it = qobject_cast<TimeBody*>(body()))
        it->setScrollMargin(pixels);
}

void TimePanel::fillMenu(QMenu& menu) { addMoves(menu); }

void TimePanel::addMoves(QMenu& menu)
{
    menu.addAction(tr("Move panel up"), this, [this] { emit moveRequested(-1); });
    menu.addAction(tr("Move panel down"), this, [this] { emit moveRequested(1); });
}

void TimePanel::setCollapsed(bool isCollapsed)
{
    m_header->setCollapsed(isCollapsed);
    showBody(!isCollapsed);
    emit heightChanged();
}

void TimePanel::beginAs(const TrackView& view)
{
    m_ownOrder = m_order = view.order;
    m_beginsCollapsed = view.beginsCollapsed;
    m_group = view.group;
    m_nameInGroup = QCoreApplication::translate("TrackView", view.nameInGroup.c_str());
    setCollapsed(m_beginsCollapsed);
}

void TimePanel::keepTitle(const QString& tip)
{
    m_needsTitle = true;
    m_header->setToolTip(tip);
}

void TimePanel::showBody(bool isShown) { body()->setVisible(isShown); }

PanelHeader* TimePanel::giveHeader(QWidget* above)
{
    m_header->setParent(above);
    place();
    emit heightChanged();
    return m_header;
}

void TimePanel::setWantedHeight(std::optional<int> height)
{
    m_wantedHeight = height;
    emit heightChanged();
}

void TimePanel::setVacant(bool isVacant)
{
    if (std::exchange(m_isVacant, isVacant) != isVacant)
        emit heightChanged();
}

void TimePanel::resizeEvent(QResizeEvent*) { place(); }

void TimePanel::place()
{
    const int top = headerHeight();
    if (top > 0)
        m_header->setGeometry(0, 0, width(), top);
    placeBody({0, top, width(), std::max(0, height() - top)});
    update();
}

void TimePanel::placeBody(const QRect& room) { body()->setGeometry(room); }

/// Fills the background with the colour of lines. It stays visible between the widgets of a body, as a line that separates them.
void TimePanel::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), theme().color("line.strong")); }

} // namespace helio
