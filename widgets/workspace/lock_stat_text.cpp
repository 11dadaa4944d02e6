#include "widgets/workspace/lock_stat_text.h"

#include "widgets/workspace/view_context.h"

#include <utility>

namespace helio {

LockStatText& LockStatText::of(ViewContext& context)
{
    auto* known = context.findChild<LockStatText*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new LockStatText(&context);
}

void LockStatText::begin(const QString& path)
{
    const bool isSame = path == m_path; // If the same file is read again, the old contents are kept until the new ones are set.
    if (isSame && path.isEmpty())
        return;
    m_path = path;
    if (!isSame)
        m_text.reset();
    emit changed();
}

void LockStatText::set(std::shared_ptr<const ReadLockStat> text)
{
    m_text = std::move(text);
    emit changed();
}

} // namespace helio
