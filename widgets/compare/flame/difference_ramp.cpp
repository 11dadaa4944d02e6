#include "widgets/compare/flame/difference_ramp.h"

#include "widgets/compare/difference/difference_style.h"
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

QRect cellAt(int step, const DifferenceSteps& steps, const DifferenceUnit& unit)
{
    const QFont font = cellFont();
    int left = 0;
    for (int it = -4;; ++it) {
        const int width = std::max(LeastCell, int(cachedTextWidth(font, QString::fromStdString(steps.nameOf(it, unit)))) + 2 * Padding);
        if (it == step)
            return {left, 0, width, Height};
        left += width + 1;
    }
}

} // namespace

int paintDifferenceRamp(QPainter* painter, QPoint topLeft, const DifferenceSteps& steps, const DifferenceUnit& unit)
{
    for (int step = -4; painter && step <= 4; ++step) {
        const QRect cell = cellAt(step, steps, unit).translated(topLeft);
        const QString role = DifferenceStyle::roleName(step);
        painter->setFont(cellFont());
        painter->fillRect(cell, theme().color(role));
        painter->setPen(theme().color(role + QStringLiteral(".ink")));
        const QString name = QString::fromStdString(steps.nameOf(step, unit));
        drawCachedText(*painter,
                       {cell.center().x() + 1 - cachedTextWidth(painter->font(), name) / 2, centredBaseline(painter->font(), cell)}, name);
    }
    return cellAt(4, steps, unit).right() + 1;
}

DifferenceRamp::DifferenceRamp(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Colour scale of changes"));
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

QSize DifferenceRamp::sizeHint() const { return {paintDifferenceRamp(nullptr, {}, m_steps, m_unit), Height}; }

void DifferenceRamp::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintDifferenceRamp(&painter, {}, m_steps, m_unit);
}

bool DifferenceRamp::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int step = -4; step <= 4; ++step)
        if (cellAt(step, m_steps, m_unit).contains(help->pos()))
            QToolTip::showText(help->globalPos(), QString::fromStdString(m_steps.wordsOf(step, m_unit)), this);
    return true;
}

} // namespace helio
