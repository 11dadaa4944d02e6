#include "widgets/timeline/panels/view_text.h"

#include "core/query/rows/rows.h"
#include "core/query/rows/views.h"
#include "widgets/time/qt_text.h"

#include <algorithm>

namespace helio {

bool explainsEmptyPanel(const Timeline& timeline, std::string_view view)
{
    if (isBuiltinView(view))
        return false;
    const auto isMeant = [&](const TrackView& it) {
        return it.id == view && !it.isBasic && !it.isAttributeView && !it.beginsCollapsed && !it.nothing.empty();
    };
    const auto views = offeredViews(timeline);
    const auto ofStates = viewsOfStates(timeline);
    return std::ranges::any_of(views, isMeant) && std::ranges::find(ofStates, view) != ofStates.end();
}

QString shownName(const Row& row)
{
    const QString label = text(row.label);
    if (row.tid >= 0 && (label == QString::number(row.tid) || (row.label == row.id && row.id.starts_with("tid:"))))
        return QCoreApplication::translate("GraphRows", "Thread");
    const bool isProcess = row.label == row.id && row.id.starts_with("pid:");
    return isProcess ? QCoreApplication::translate("GraphRows", "Process %1").arg(label.mid(4)) : label;
}

} // namespace helio
