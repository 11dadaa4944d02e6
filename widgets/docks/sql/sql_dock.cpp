#include "widgets/docks/sql/sql_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind sqlDock;
const ViewKind sqlDock{.id = "sql",
                       .title = "SQL",
                       .area = ViewKind::Area::Bottom,
                       .order = 15,
                       .menuOrder = 18,
                       .shortcut = "",
                       .tip = "Query the recording in SQL, and show results in the timeline",
                       .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new SqlView(context, parent); },
                       .hasContent = isNeverShownUnasked};

} // namespace helio
