#include "widgets/compare/side_frame.h"

#include "core/query/messages.h"
#include "widgets/shell/icons.h"
#include "widgets/theme/themes.h"

#include <QFontMetrics>
#include <QToolButton>
#include <QVBoxLayout>

namespace helio {

namespace {

constexpr int BadgeHeight = 20;
constexpr int Lines = 12; ///< Of the badge's tooltip.

} // namespace

SideFrame::SideFrame(Side side, QWidget* content, bool hasHeader, QWidget* parent)
    : QWidget(parent)
    , m_side(side)
    , m_hasHeader(hasHeader)
    , m_badge(new QToolButton(this))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(RailWidth, hasHeader ? HeaderHeight : 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(content);
    m_badge->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_badge->hide();
    connect(m_badge, &QToolButton::clicked, this, &SideFrame::messagesRequested);
    const auto dress = [this] {
        m_badge->setIcon(themedIcon("warning", "severity.warning"));
        m_badge->setFont(fonts().small());
        placeBadge();
        update();
    };
    connect(&Themes::instance(), &Themes::changed, this, dress);
    dress();
}

void SideFrame::setTitle(const QString& title, const QString& remark)
{
    m_title = title;
    m_remark = remark;
    setAccessibleName(tr("%1: %2").arg(letterOf(m_side), title));
    placeBadge();
    update();
}

void SideFrame::setTimeline(std::shared_ptr<const Timeline> timeline)
{
    if (!timeline) {
        m_job.cancel();
        return showDamages({});
    }
    m_job.post([this, timeline](std::stop_token) -> LatestJob::Delivery {
        QStringList found;
        for (const Message& message : damages(*timeline))
            if (message.severity != Diagnostic::Severity::Info)
                found << QString::fromStdString(message.text);
        return [this, found] { showDamages(found); };
    });
}

void SideFrame::showDamages(const QStringList& damages)
{
    m_badge->setVisible(m_hasHeader && !damages.isEmpty());
    m_badge->setText(damages.size() == 1 ? tr("1 problem") : tr("%1 problems").arg(damages.size()));
    m_badge->setAccessibleName(tr("%1: %2").arg(letterOf(m_side), m_badge->text()));
    QStringList lines = damages.mid(0, Lines);
    if (damages.size() > Lines)
        lines << QStringLiteral("\u2026");
    m_badge->setToolTip((lines << tr("Click: the messages of %1").arg(letterOf(m_side))).join(u'\n'));
    placeBadge();
}

void SideFrame::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeBadge();
}

QRect SideFrame::titleRect() const
{
    const QRect room = QRect(RailWidth, 0, width() - RailWidth, HeaderHeight).adjusted(10 + BadgeSize + 10, 0, -12, 0);
    return QFontMetrics(fonts().group()).boundingRect(room, Qt::AlignVCenter | Qt::AlignLeft, m_title);
}

QRect SideFrame::remarkRect() const
{
    QRect room(0, 0, width() - 12, HeaderHeight);
    room.setLeft(titleRect().right() + 12);
    return QFontMetrics(fonts().small()).boundingRect(room, Qt::AlignVCenter | Qt::AlignLeft, m_remark);
}

/// After the words, as far as there is room.
void SideFrame::placeBadge()
{
    const int after = (m_remark.isEmpty() ? titleRect() : remarkRect()).right() + 12;
    const int wide = m_badge->sizeHint().width();
    m_badge->setGeometry(std::clamp(after, RailWidth, std::max(RailWidth, width() - wide - 4)), (HeaderHeight - BadgeHeight) / 2, wide,
                         BadgeHeight);
}

void SideFrame::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.header"));
    painter.fillRect(0, 0, RailWidth, height(), theme().color(sideRole(m_side)));
    if (!m_hasHeader)
        return;
    const QRect line(RailWidth, 0, width() - RailWidth, HeaderHeight);
    painter.fillRect(line.adjusted(0, line.height() - 1, 0, 0), theme().color("line.strong"));
    paintBadge(painter, QPointF(line.left() + 10, (HeaderHeight - BadgeSize) / 2.0), m_side);
    painter.setFont(fonts().group());
    painter.setPen(theme().color("text.primary"));
    const auto draw = [&](QRect place, const QString& text) {
        place.setRight(width() - 12);
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, text);
    };
    draw(titleRect(), m_title);
    painter.setFont(fonts().small());
    painter.setPen(theme().color("text.secondary"));
    draw(remarkRect(), m_remark);
}

} // namespace helio
