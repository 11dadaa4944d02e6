#include "widgets/docks/durations/hits_strip.h"

#include "core/query/rows/duration_distribution.h"
#include "widgets/theme/themes.h"

#include <QPainter>

#include <cmath>

namespace helio {

HitsStrip::HitsStrip(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
{
    setMinimumSize(60, 18);
    connect(&context.hits(), &SearchHits::changed, this, qOverload<>(&QWidget::update));
    connect(&context.hits(), &SearchHits::currentChanged, this, qOverload<>(&QWidget::update));
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void HitsStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const TimeRange full = m_context.time().full();
    if (full.isEmpty())
        return;
    const auto x = [&](Timestamp at) {
        return std::round(double(lengthOf({full.begin, at}).count()) / double(lengthOf(full).count()) * (width() - 2));
    };
    painter.fillRect(QRectF(0, height() / 2, width(), 1), theme().color("line.strong"));
    const QRectF tick(0, (height() - 14) / 2, 1, 14);
    double last = -1;
    const auto& hits = m_context.hits();
    for (const EventHit& hit : hits.hits())
        if (const double at = x(hit.time); at > last) {
            painter.fillRect(tick.translated(at, 0), theme().color("mark.hit"));
            last = at;
        }
    if (hits.current())
        painter.fillRect(tick.translated(x(hits.hits()[*hits.current()].time), 0).adjusted(0, 0, 1, 0), theme().color("accent.line"));
}

} // namespace helio
