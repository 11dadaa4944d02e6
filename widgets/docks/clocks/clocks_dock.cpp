#include "core/query/rows/facts.h"
#include "widgets/docks/clocks/clocks_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind clocksDock;
const ViewKind clocksDock{.id = "clocks",
                          .title = "Clocks",
                          .area = ViewKind::Area::Bottom,
                          .order = 8,
                          .menuOrder = 13,
                          .shortcut = "",
                          .tip = "Clocks of the hosts: how they were aligned, how accurately, and corrections",
                          .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new ClocksView(context, parent); },
                          .hasContent = [](const Timeline& timeline) { return hostFacts(timeline).size() > 1; }};

} // namespace helio
