#include "widgets/views/statistics/statistics_view.h"
#include "widgets/views/view_kind.h"

namespace helio {

extern const ViewKind statisticsDock;
const ViewKind statisticsDock{"statistics", "Statistics", ViewKind::Place::RightBottom, 1,
                              [](ViewContext& context, QWidget* parent) -> QWidget* { return new StatisticsView(context, parent); }};

} // namespace helio
