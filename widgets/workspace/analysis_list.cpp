#include "widgets/workspace/analysis_list.h"

#include "widgets/workspace/view_context.h"

#include <algorithm>

namespace helio {

AnalysisList& AnalysisList::of(ViewContext& context)
{
    auto* known = context.findChild<AnalysisList*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new AnalysisList(&context);
}

const AnalysisEntry* AnalysisList::find(const QString& id) const
{
    const auto found = std::ranges::find(m_entries, id, &AnalysisEntry::id);
    return found != m_entries.end() ? &*found : nullptr;
}

void AnalysisList::set(std::vector<AnalysisEntry> entries, std::vector<AnalysisProblem> problems)
{
    if (entries == m_entries && problems == m_problems)
        return;
    m_entries = std::move(entries);
    m_problems = std::move(problems);
    emit changed();
}

} // namespace helio
