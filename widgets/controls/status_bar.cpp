#include "widgets/controls/status_bar.h"

#include "widgets/controls/folding_layout.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/value_label.h"
#include "widgets/theme/themes.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace helio {

using namespace std::chrono_literals;

class StatusBar::Bar : public QWidget {
public:
    Bar() { setFixedSize(110, 4); }
    void setShare(double share)
    {
        m_share = std::clamp(share, 0.0, 1.0);
        update();
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color("line.strong"));
        painter.drawRoundedRect(rect(), 2, 2);
        painter.setBrush(theme().color("accent.fill"));
        painter.drawRoundedRect(QRectF(0, 0, width() * m_share, height()), 2, 2);
    }

    double m_share = 0;
};

StatusBar::StatusBar(QWidget* parent)
    : QWidget(parent)
    , m_remark(new ElidingLabel(0))
    , m_progress(new QWidget)
    , m_what(new ElidingLabel(0))
    , m_rest(new ElidingLabel(0))
    , m_bar(new Bar)
    , m_cancel(new QToolButton)
    , m_warnings(new QToolButton)
    , m_fact(new QToolButton)
    , m_show(new QTimer(this))
    , m_hide(new QTimer(this))
    , m_quiet(new QTimer(this))
{
    setFixedHeight(24);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 8, 0);
    layout->setSpacing(6);
    // The bar may become narrower than its fields, because fit() hides fields without room.
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    m_window = addField(tr("Visible"));
    m_span = addField(tr("Duration"));
    m_selected = addField(tr("Selected"));
    m_cursor = addField(tr("Cursor"));
    m_note = addField(tr("Note"));
    m_noteName = m_names.back();
    for (QLabel* label : {m_noteName, m_note})
        label->hide();
    layout->addWidget(m_remark);
    layout->addStretch(1);

    auto* line = new QHBoxLayout(m_progress);
    line->setContentsMargins(0, 0, 8, 0);
    line->setSpacing(8);
    for (QWidget* part :
         {static_cast<QWidget*>(m_what), static_cast<QWidget*>(m_rest), static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_cancel)})
        line->addWidget(part);
    layout->addWidget(m_progress);
    layout->addWidget(m_fact);
    layout->addWidget(m_warnings);

    m_cancel->setFixedSize(18, 18);
    m_cancel->setAccessibleName(tr("Stop"));
    for (QToolButton* button : {m_warnings, m_fact})
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fact->hide();
    m_warnings->setToolTip(tr("Show the messages"));
    m_progress->setAccessibleName(tr("Work in progress"));
    for (QTimer* timer : {m_show, m_hide, m_quiet})
        timer->setSingleShot(true);
    connect(m_show, &QTimer::timeout, this, [this] {
        m_progress->show();
        m_hide->start(500ms);
    });
    connect(m_hide, &QTimer::timeout, this, [this] { m_progress->setVisible(m_show->property("wanted").toBool()); });
    connect(m_quiet, &QTimer::timeout, m_remark, &QLabel::clear);
    connect(m_cancel, &QToolButton::clicked, this, &StatusBar::cancelWork);
    connect(m_warnings, &QToolButton::clicked, this, &StatusBar::warningsClicked);
    connect(m_fact, &QToolButton::clicked, this, &StatusBar::factClicked);
    connect(&Themes::instance(), &Themes::changed, this, &StatusBar::updateLook);
    m_progress->hide();
    updateLook();
    setWarnings(0);
}

QLabel* StatusBar::addField(const QString& name)
{
    auto* line = static_cast<QHBoxLayout*>(layout());
    if (!m_names.isEmpty())
        line->addSpacing(14);
    auto* label = new QLabel;
    hideFromScreenReaders(*label); // They read the name as part of the value.
    label->setText(name);
    auto* value = new QLabel;
    setValueName(*value, name);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_names << label;
    line->addWidget(label);
    line->addWidget(value);
    label->setBuddy(value);
    return value;
}

void StatusBar::setWindow(const QString& text) { m_window->setText(text); }
void StatusBar::setSpan(const QString& text) { m_span->setText(text); }
void StatusBar::setCursorTime(const QString& text) { m_cursor->setText(text); }

void StatusBar::setSelected(const QString& text) { m_selected->setText(text.isEmpty() ? QStringLiteral("\u2013") : text); }

void StatusBar::say(const QString& text)
{
    m_remark->setText(text);
    m_quiet->start(6s);
}

void StatusBar::setNote(const QString& name, const QString& text)
{
    m_noteName->setText(name);
    m_note->setText(text);
    setValueName(*m_note, name);
    for (QLabel* label : {m_noteName, m_note})
        label->setVisible(!text.isEmpty());
}

void StatusBar::setFact(const QString& name, const QString& text, const QString& tip, bool isDoubtful)
{
    m_isFactDoubtful = isDoubtful;
    m_fact->setVisible(!text.isEmpty());
    m_fact->setText(tr("%1: %2").arg(name, text));
    m_fact->setToolTip(tip);
    m_fact->setAccessibleName(m_fact->text());
    updateLook();
}

void StatusBar::setWarnings(int count, int errors)
{
    const int warnings = count - errors;
    QStringList parts;
    if (errors > 0)
        parts << (errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors));
    if (warnings > 0 || errors == 0)
        parts << (warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings));
    m_hasErrors = errors > 0;
    m_warnings->setVisible(count > 0);
    m_warnings->setText(parts.join(QStringLiteral(", ")));
    updateLook();
    m_warnings->setAccessibleName(m_warnings->text());
}

void StatusBar::showProgress(const QString& what, double share, const QString& rest, std::function<void()> cancel)
{
    m_cancelWork = std::move(cancel);
    m_cancel->setToolTip(tr("Stop: %1").arg(what));
    m_what->setText(what);
    m_rest->setText(rest);
    m_bar->setVisible(share >= 0);
    m_bar->setShare(share);
    m_show->setProperty("wanted", true);
    if (!m_progress->isVisible() && !m_show->isActive())
        m_show->start(300ms);
}

void StatusBar::cancelWork()
{
    if (const auto cancel = m_cancelWork) // Copied, because stopping may show other work.
        cancel();
}

void StatusBar::endProgress()
{
    m_cancelWork = nullptr;
    m_show->setProperty("wanted", false);
    m_show->stop();
    if (!m_hide->isActive())
        m_progress->hide();
}

void StatusBar::updateLook()
{
    QPalette names = palette();
    names.setColor(QPalette::WindowText, theme().color("text.secondary"));
    for (QLabel* label : m_names) {
        label->setFont(fonts().small());
        label->setPalette(names);
    }
    for (QLabel* value : {m_window, m_span, m_selected, m_cursor, m_note})
        value->setFont(fonts().at(11, 500));
    for (QLabel* label : {m_what, m_rest, m_remark}) {
        label->setFont(fonts().small());
        label->setPalette(names);
    }
    m_cancel->setIcon(QIcon(iconPixmap("close", theme().color("text.secondary"), 16, 2)));
    const QColor severity = theme().color(m_hasErrors ? "severity.error" : "severity.warning");
    m_warnings->setIcon(QIcon(iconPixmap(m_hasErrors ? "error" : "warning", severity, 16, 2)));
    m_warnings->setFont(fonts().at(11, 500));
    QPalette warning = palette();
    warning.setColor(QPalette::ButtonText, severity);
    m_warnings->setPalette(warning);
    m_fact->setIcon(QIcon(m_isFactDoubtful ? iconPixmap("warning", theme().color("severity.warning"), 16, 2)
                                           : iconPixmap("check", theme().color("severity.good"), 16, 2)));
    m_fact->setFont(fonts().at(11, 500));
    update();
}

bool StatusBar::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest) {
        fit();
        update(); // The separators between the fields are painted again, because the fields have moved.
    }
    return QWidget::event(event);
}

void StatusBar::resizeEvent(QResizeEvent*) { fit(); }

/// Hides the fields at the left for which there is no room.
void StatusBar::fit()
{
    if (std::exchange(m_isFitting, true))
        return;
    const std::pair<QLabel*, QLabel*> fields[] = {{m_names[1], m_span}, {m_names[0], m_window}, {m_names[2], m_selected}};
    for (const auto& [name, value] : fields)
        for (QLabel* label : {name, value})
            label->show();
    for (const auto& [name, value] : fields) {
        layout()->invalidate();
        if (layout()->minimumSize().width() <= width())
            break;
        for (QLabel* label : {name, value})
            label->hide();
    }
    layout()->activate();
    // Hiding and showing the fields has requested a layout, which would call fit() again, and so on without an end.
    QCoreApplication::removePostedEvents(this, QEvent::LayoutRequest);
    m_isFitting = false;
}

void StatusBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.header"));
    painter.fillRect(0, 0, width(), 1, theme().color("line.subtle"));
    painter.setPen(theme().color("line.subtle"));
    for (QLabel* label : m_names.mid(1))
        if (label->isVisible())
            painter.drawLine(label->x() - 11, 7, label->x() - 11, 17);
}

} // namespace helio
