#include "widgets/compare/difference_ramp.h"

#include "widgets/compare/difference_dress.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace helio {

namespace {

constexpr int Height = 17;
constexpr int LeastCell = 24;
constexpr int Padding = 5;

QFont cellFont() { return fonts().at(9.5, 600); }

} // namespace

DifferenceRamp::DifferenceRamp(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Colours of change"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&Themes::instance(), &Themes::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void DifferenceRamp::setSteps(const DifferenceSteps& steps, const DifferenceUnit& unit)
{
    m_steps = steps;
    m_unit = unit;
    updateGeometry();
    update();
}

QString DifferenceRamp::nameOf(int step) const { return QString::fromStdString(m_steps.nameOf(step, m_unit)); }

QRect DifferenceRamp::cellOf(int step) const
{
    const QFont font = cellFont();
    int left = 0;
    for (int it = -4;; ++it) {
        const int width = std::max(LeastCell, int(knownWidth(font, nameOf(it))) + 2 * Padding);
        if (it == step)
            return {left, 0, width, Height};
        left += width + 1;
    }
}

QSize DifferenceRamp::sizeHint() const { return {cellOf(4).right() + 1, Height}; }

void DifferenceRamp::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(cellFont());
    for (int step = -4; step <= 4; ++step) {
        const QRect cell = cellOf(step);
        const QString role = DifferenceDress::roleName(step);
        painter.fillRect(cell, theme().color(role));
        painter.setPen(theme().color(role + QStringLiteral(".ink")));
        const QString name = nameOf(step);
        drawKnownText(painter, {cell.center().x() + 1 - knownWidth(painter.font(), name) / 2, centredBaseline(painter.font(), cell)}, name);
    }
}

bool DifferenceRamp::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int step = -4; step <= 4; ++step)
        if (cellOf(step).contains(help->pos()))
            QToolTip::showText(help->globalPos(), QString::fromStdString(m_steps.wordsOf(step, m_unit)), this);
    return true;
}

} // namespace helio
