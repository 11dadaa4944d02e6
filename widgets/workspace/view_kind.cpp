#include "widgets/workspace/view_kind.h"

#include <algorithm>

namespace helio {

const ViewKind* warningsView()
{
    const auto all = builtinViews();
    const auto found = std::ranges::find(all, true, &ViewKind::listsWarnings);
    return found == all.end() ? nullptr : *found;
}

} // namespace helio
