#include "widgets/docks/search/search_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind searchDock;
const ViewKind searchDock{"search",
                          "Search",
                          ViewKind::Place::Bottom,
                          2,
                          7,
                          "Ctrl+7",
                          "What the search found",
                          [](ViewContext& context, QWidget* parent) -> QWidget* { return new SearchView(context, parent); }};

} // namespace helio
