#include "widgets/docks/legend/legend_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind legendDock;
const ViewKind legendDock{.id = "legend",
                          .title = "Legend",
                          .area = ViewKind::Area::RightBottom,
                          .order = 2,
                          .menuOrder = 5,
                          .shortcut = "Ctrl+5",
                          .tip = "Colours and their meaning",
                          .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new LegendView(context, parent); },
                          .icon = "legend"};

} // namespace helio
