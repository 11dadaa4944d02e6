#include "widgets/docks/search/search_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind searchDock;
const ViewKind searchDock{.id = "search",
                          .title = "Search",
                          .place = ViewKind::Place::Bottom,
                          .order = 10,
                          .menuOrder = 7,
                          .shortcut = "Ctrl+7",
                          .tip = "Search results",
                          .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new SearchView(context, parent); },
                          .hasContent = isNeverShownUnasked};

} // namespace helio
