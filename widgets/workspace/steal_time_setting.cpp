#include "widgets/workspace/steal_time_setting.h"

#include "widgets/workspace/view_context.h"

namespace helio {

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
