#include "widgets/docks/flame_graph/flame_graph_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind flameGraphDock;
const ViewKind flameGraphDock{"flame_graph",
                              "Flame graph",
                              ViewKind::Place::Bottom,
                              1,
                              8,
                              "Ctrl+8",
                              "Where the time of samples or calls went",
                              [](ViewContext& context, QWidget* parent) -> QWidget* { return new FlameGraphView(context, parent); }};

} // namespace helio
