#include "widgets/docks/why/cause_bar.h"

#include "core/waits/path/path.h"
#include "widgets/theme/themes.h"

#include <QPainter>

#include <cmath>
#include <utility>

namespace helio {

CauseBar::CauseBar(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void CauseBar::setParts(std::vector<Part> parts)
{
    m_parts = std::move(parts);
    update();
}

void CauseBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    Duration all{};
    for (const Part& part : m_parts)
        all += part.total;
    if (all <= Duration::zero())
        return;
    Duration before{};
    for (const Part& part : m_parts) {
        const int from = int(std::lround(double(before.count()) / double(all.count()) * width()));
        before += part.total;
        const int to = int(std::lround(double(before.count()) / double(all.count()) * width()));
        painter.fillRect(from, 0, to - from, height(), theme().lookOf(stateOf(part.kind)).color);
    }
}

} // namespace helio
