#include "widgets/docks/legend/legend_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind legendDock;
const ViewKind legendDock{"legend",
                          "Legend",
                          ViewKind::Place::RightBottom,
                          2,
                          5,
                          "Ctrl+5",
                          "What the colours mean",
                          [](ViewContext& context, QWidget* parent) -> QWidget* { return new LegendView(context, parent); }};

} // namespace helio
