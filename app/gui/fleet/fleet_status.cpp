#include "app/gui/fleet/fleet_status.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/folding_layout.h"
#include "widgets/controls/value_label.h"
#include "widgets/theme/themes.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QTimer>

namespace helio {

using namespace std::chrono_literals;

namespace {

/// A value with its name before it.
class StatusValue : public QWidget {
public:
    explicit StatusValue(const QString& name)
        : m_value(makeLabel({}, 11, 500, "text.primary"))
    {
        setObjectName(name);
        auto* line = new QHBoxLayout(this);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(6);
        auto* label = makeLabel(name, 11, 400, "text.secondary");
        hideFromScreenReaders(*label); // They read the name as part of the value.
        m_value->setTextFormat(Qt::PlainText);
        m_value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        setValueName(*m_value, name);
        line->addWidget(label);
        line->addWidget(m_value);
    }
    void setValue(const QString& value)
    {
        m_value->setText(value);
        setVisible(!value.isEmpty());
    }

private:
    QLabel* m_value;
};

} // namespace

FleetStatus::FleetStatus(QWidget* parent)
    : QWidget(parent)
    , m_values(new QHBoxLayout)
    , m_remark(new ElidingLabel(0))
    , m_quiet(new QTimer(this))
{
    setFixedHeight(24);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(12, 0, 12, 0);
    line->setSpacing(20);
    m_values->setSpacing(22);
    styleLabel(m_remark, 11, 400, "text.secondary");
    m_remark->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_remark->setTextFormat(Qt::PlainText);
    line->addLayout(m_values);
    line->addWidget(m_remark, 1);
    m_quiet->setSingleShot(true);
    connect(m_quiet, &QTimer::timeout, this, [this] { m_remark->setText(m_state); });
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void FleetStatus::setValue(const QString& name, const QString& value)
{
    for (int i = 0; i < m_values->count(); ++i)
        if (auto* const it = static_cast<StatusValue*>(m_values->itemAt(i)->widget()); it->objectName() == name)
            return it->setValue(value);
    auto* added = new StatusValue(name);
    m_values->addWidget(added);
    added->setValue(value);
}

void FleetStatus::say(const QString& text)
{
    m_remark->setText(text);
    m_quiet->start(8s);
}

void FleetStatus::setState(const QString& text)
{
    m_state = text;
    if (!m_quiet->isActive())
        m_remark->setText(text);
}

QString FleetStatus::remark() const { return m_remark->text(); }

void FleetStatus::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.header"));
    painter.fillRect(0, 0, width(), 1, theme().color("line.subtle"));
    for (int i = 1; i < m_values->count(); ++i)
        if (const QWidget* const it = m_values->itemAt(i)->widget(); it->isVisible())
            painter.fillRect(it->x() - 11, 7, 1, 10, theme().color("line.strong"));
}

} // namespace helio
