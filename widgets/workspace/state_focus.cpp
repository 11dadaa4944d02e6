#include "widgets/workspace/state_focus.h"

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

} // namespace helio
