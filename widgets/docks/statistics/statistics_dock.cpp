#include "widgets/docks/statistics/statistics_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind statisticsDock;
const ViewKind statisticsDock{"statistics",
                              "Statistics",
                              ViewKind::Place::RightBottom,
                              1,
                              4,
                              "Ctrl+4",
                              "Where the time of every thread went",
                              [](ViewContext& context, QWidget* parent) -> QWidget* { return new StatisticsView(context, parent); }};

} // namespace helio
