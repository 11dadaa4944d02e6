#include "widgets/workspace/context_settings.h"

#include "widgets/workspace/view_context.h"

namespace helio {

StateFocus& StateFocus::of(ViewContext& context)
{
    auto* known = context.findChild<StateFocus*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new StateFocus(&context);
}

void StateFocus::setLegend(const QString& legend)
{
    if (legend == m_legend)
        return;
    m_legend = legend;
    emit changed();
}

StealTimeSetting& StealTimeSetting::of(ViewContext& context)
{
    auto* known = context.findChild<StealTimeSetting*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new StealTimeSetting(&context);
}

void StealTimeSetting::setCounted(bool isCounted)
{
    if (isCounted == m_isCounted)
        return;
    m_isCounted = isCounted;
    emit changed();
}

} // namespace helio
