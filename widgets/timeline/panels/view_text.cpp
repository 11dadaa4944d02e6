#include "widgets/timeline/panels/view_text.h"

#include "core/query/rows/views.h"

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

} // namespace helio
