#include "widgets/docks/source/source_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind sourceDock;
const ViewKind sourceDock{.id = "source",
                          .title = "Source",
                          .area = ViewKind::Area::Bottom,
                          .order = 7,
                          .menuOrder = 10,
                          .shortcut = "",
                          .tip = "Source lines and instructions of a function with their samples",
                          .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new SourceView(context, parent); },
                          .hasContent = isNeverShownUnasked};

} // namespace helio
