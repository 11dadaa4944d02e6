#include "widgets/compare/side_frame.h"

#include "core/query/rows/messages.h"
#include "widgets/compare/side_names.h"
#include "widgets/controls/icons.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/panel_header.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace helio {

namespace {

constexpr int Lines = 12; ///< Maximum number of lines in the badge's tooltip.

} // namespace

SideFrame::SideFrame(Side side, QWidget* content, PanelHeader* header, QWidget* parent)
    : QWidget(parent)
    , m_side(side)
    , m_header(header)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(RailWidth, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(content);
    if (m_header)
        makeBadge();
    connect(&Themes::instance(), &Themes::changed, this, &SideFrame::style);
    style();
}

void SideFrame::makeBadge()
{
    m_badge = new QToolButton;
    m_badge->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_badge->hide();
    m_header->setNotice(m_badge);
    connect(m_badge, &QToolButton::clicked, this, &SideFrame::messagesRequested);
}

void SideFrame::style()
{
    if (m_header) {
        m_header->setBadge(badgePixmap(m_side, devicePixelRatioF()));
        m_badge->setIcon(themedIcon("warning", "severity.warning"));
        m_badge->setFont(fonts().small());
    }
    update();
}

void SideFrame::setTitle(const QString& title, const QString& remark)
{
    setAccessibleName(tr("%1: %2").arg(letterOf(m_side), title));
    if (m_header)
        m_header->setTitle(remark.isEmpty() ? title : tr("%1, %2").arg(title, remark));
}

void SideFrame::setTimeline(std::shared_ptr<const Timeline> timeline)
{
    if (!timeline) {
        m_job.cancel();
        return showDamages({});
    }
    m_job.post([this, timeline](std::stop_token) -> LatestTask::Delivery {
        QStringList found;
        for (const Message& message : damages(*timeline))
            if (message.severity != Diagnostic::Severity::Info)
                found << QString::fromStdString(message.text);
        return [this, found] { showDamages(found); };
    });
}

void SideFrame::showDamages(const QStringList& damages)
{
    if (!m_badge)
        return;
    m_badge->setText(damages.size() == 1 ? tr("1 problem") : tr("%1 problems").arg(damages.size()));
    m_badge->setAccessibleName(tr("%1: %2").arg(letterOf(m_side), m_badge->text()));
    QStringList lines = damages.mid(0, Lines);
    if (damages.size() > Lines)
        lines << QStringLiteral("\u2026");
    m_badge->setToolTip((lines << tr("Click to see the messages of %1").arg(letterOf(m_side))).join(u'\n'));
    m_badge->setVisible(!damages.isEmpty());
    m_header->setNotice(m_badge); // Sets the badge again, so that its width is updated.
}

void SideFrame::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.header"));
    painter.fillRect(0, 0, RailWidth, height(), theme().color(sideRole(m_side)));
}

} // namespace helio
