#include "widgets/workspace/result_panels.h"

#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <algorithm>

namespace helio {

ShownCommand makeSqlCommand(const QString& query)
{
    // A statement that begins with a comment must not be taken for an option.
    const QString argument = query.trimmed();
    return {QStringList{QStringLiteral("sql"), argument.startsWith(u'-') ? u' ' + argument : argument}, {}, {}};
}

ResultPanels& ResultPanels::of(ViewContext& context)
{
    auto* known = context.findChild<ResultPanels*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new ResultPanels(&context);
}

const ResultPanel* ResultPanels::find(const QString& id) const
{
    const auto found = std::ranges::find(m_panels, id, &ResultPanel::id);
    return found == m_panels.end() ? nullptr : &*found;
}

void ResultPanels::set(std::vector<ResultPanel> panels)
{
    m_panels = std::move(panels);
    emit changed();
}

void ResultPanels::setMark(Mark mark)
{
    if (mark == m_mark)
        return;
    m_mark = std::move(mark);
    emit markChanged();
}

void ResultPanels::setValues(Values values)
{
    if (values == m_values)
        return;
    m_values = std::move(values);
    emit valuesChanged();
}

} // namespace helio
