#include "widgets/controls/notice_bar.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/theme/themes.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace helio {

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel)
    , m_what(makeLabel({}, 11.5, 400, "text.primary"))
    , m_links(makeLabel({}, 11.5, 400, "text.link"))
    , m_close(new QToolButton)
{
    setFixedHeight(26);
    setAccessibleName(tr("Notice"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 8, 1);
    layout->setSpacing(8);
    layout->addWidget(m_icon);
    layout->addWidget(m_what, 1);
    layout->addWidget(m_links);
    layout->addWidget(m_close);
    m_what->setTextFormat(Qt::PlainText);
    m_what->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_what->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setFixedSize(18, 18);
    m_close->setToolTip(tr("Dismiss; Messages keeps it"));
    m_close->setAccessibleName(tr("Dismiss notice"));
    connect(m_links, &QLabel::linkActivated, this, &NoticeBar::linkActivated);
    connect(m_close, &QToolButton::clicked, this, [this] {
        hide();
        emit closed();
    });
    connect(&Themes::instance(), &Themes::changed, this, &NoticeBar::updateLook);
    updateLook();
    hide();
}

void NoticeBar::setTask()
{
    m_isTask = true;
    m_close->setToolTip(tr("Cancel"));
    m_close->setAccessibleName(m_close->toolTip());
    updateLook();
}

void NoticeBar::setNotice(const QString& text, const QList<QPair<QString, QString>>& links)
{
    if (text == m_text && links == m_wanted)
        return;
    m_text = text;
    m_wanted = links;
    m_what->setToolTip(text.toHtmlEscaped());
    updateLook();
    setVisible(!text.isEmpty());
}

void NoticeBar::setCloseTip(const QString& tip) { m_close->setToolTip(tip); }

void NoticeBar::elide() { m_what->setText(m_what->fontMetrics().elidedText(m_text, Qt::ElideMiddle, m_what->width())); }

void NoticeBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    elide();
}

void NoticeBar::updateLook()
{
    QStringList links;
    for (const auto& [reference, words] : m_wanted)
        links << linkText(reference, words);
    setTextWithLinks(*m_links, links.join(QStringLiteral("&nbsp;&nbsp; ")));
    const char* const role = m_isTask ? "severity.info" : "severity.error";
    m_icon->setPixmap(iconPixmap(m_isTask ? "info" : "error", theme().color(role), 14, devicePixelRatioF()));
    m_close->setIcon(QIcon(iconPixmap("close", theme().color("text.secondary"), 16, 2)));
    layout()->activate();
    elide();
    update();
}

void NoticeBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.header"));
    painter.fillRect(0, 0, 3, height(), theme().color("severity.error"));
    painter.fillRect(0, height() - 1, width(), 1, theme().color("line.subtle"));
}

} // namespace helio
