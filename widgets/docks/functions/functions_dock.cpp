#include "widgets/docks/functions/functions_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind functionsDock;
const ViewKind functionsDock{"functions",
                             "Functions",
                             ViewKind::Place::Bottom,
                             2,
                             9,
                             "Ctrl+9",
                             "The functions of the samples, as a table",
                             [](ViewContext& context, QWidget* parent) -> QWidget* { return new FunctionsView(context, parent); }};

} // namespace helio
