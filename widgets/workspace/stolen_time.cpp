#include "widgets/workspace/stolen_time.h"

#include "widgets/workspace/view_context.h"

namespace helio {

StolenTime& StolenTime::of(ViewContext& context)
{
    auto* known = context.findChild<StolenTime*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new StolenTime(&context);
}

void StolenTime::setCounted(bool isCounted)
{
    if (isCounted == m_isCounted)
        return;
    m_isCounted = isCounted;
    emit changed();
}

} // namespace helio
