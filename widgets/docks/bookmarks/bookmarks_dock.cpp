#include "widgets/docks/bookmarks/bookmarks_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind bookmarksDock;
const ViewKind bookmarksDock{"bookmarks",
                             "Bookmarks",
                             ViewKind::Place::RightTop,
                             2,
                             2,
                             "Ctrl+2",
                             "The places marked",
                             [](ViewContext& context, QWidget* parent) -> QWidget* { return new BookmarksView(context, parent); }};

} // namespace helio
