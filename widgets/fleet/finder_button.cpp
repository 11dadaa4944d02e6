#include "widgets/fleet/finder_button.h"

#include "widgets/fleet/finding_color.h"
#include "widgets/paint/focus_ring.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QPainter>

#include <algorithm>

namespace helio {

namespace {

constexpr int SwatchSize = 9;
constexpr int NameLeft = 20;
constexpr int BarHeight = 5;

} // namespace

FinderButton::FinderButton(QWidget* parent)
    : QAbstractButton(parent)
{
    setCheckable(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void FinderButton::setFinder(const QString& title, const std::string& color, std::size_t traces, std::size_t most)
{
    setText(title);
    m_color = color;
    m_traces = traces;
    m_most = std::max<std::size_t>(1, most);
    setAccessibleName(traces == 1 ? tr("%1: 1 trace").arg(title) : tr("%1: %2 traces").arg(title, countText(qint64(traces))));
    setToolTip(tr("List the traces with this finding; again for all"));
    update();
}

void FinderButton::enterEvent(QEnterEvent*) { update(); }
void FinderButton::leaveEvent(QEvent*) { update(); }

void FinderButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (isChecked() || underMouse()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color(isChecked() ? "surface.selected" : "surface.hover"));
        painter.drawRoundedRect(rect(), 4, 4);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    const QColor color = findingColor(m_color);
    painter.fillRect(4, 6, SwatchSize, SwatchSize, color);
    const QString count = countText(qint64(m_traces));
    painter.setFont(fonts().at(11.5, 600));
    const int countWidth = int(tabularWidth(painter.font(), count)) + 6;
    painter.setPen(theme().color("text.primary"));
    drawTabular(painter, QRectF(width() - countWidth - 4, 2, countWidth, 16), Qt::AlignRight, count);
    painter.setFont(fonts().detail());
    painter.drawText(QRect(NameLeft, 2, width() - NameLeft - countWidth - 8, 16), Qt::AlignLeft | Qt::AlignVCenter,
                     elidedLabel(painter.font(), text(), width() - NameLeft - countWidth - 8));
    const QRect bar(NameLeft, height() - BarHeight - 2, width() - NameLeft - 4, BarHeight);
    painter.fillRect(bar, theme().color("line.subtle"));
    painter.fillRect(bar.left(), bar.top(), std::max(2, int(double(bar.width()) * double(m_traces) / double(m_most))), BarHeight, color);
    if (hasFocus())
        paintFocusRing(painter, rect(), 0);
}

} // namespace helio
