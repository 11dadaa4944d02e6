#include "widgets/docks/bookmarks/bookmarks_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind bookmarksDock;
const ViewKind bookmarksDock{.id = "bookmarks",
                             .title = "Bookmarks",
                             .area = ViewKind::Area::Header,
                             .order = 1,
                             .menuOrder = 2,
                             .shortcut = "Ctrl+2",
                             .tip = "Bookmarked times and ranges",
                             .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new BookmarksView(context, parent); },
                             .icon = "bookmark"};

} // namespace helio
