#include "widgets/docks/findings/findings_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind findingsDock;
const ViewKind findingsDock{.id = "findings",
                            .title = "What stands out",
                            .area = ViewKind::Area::RightTop,
                            .order = 0,
                            .menuOrder = 1,
                            .shortcut = "",
                            .tip = "What took most time, ranked, each with its evidence",
                            .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new FindingsView(context, parent); },
                            .icon = "eye"};

} // namespace helio
