#include "widgets/docks/statistics/statistics_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind statisticsDock;
const ViewKind statisticsDock{.id = "statistics",
                              .title = "Statistics",
                              .area = ViewKind::Area::RightBottom,
                              .order = 1,
                              .menuOrder = 4,
                              .shortcut = "Ctrl+4",
                              .tip = "Time by state for each thread",
                              .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new StatisticsView(context, parent); },
                              .icon = "list"};

} // namespace helio
