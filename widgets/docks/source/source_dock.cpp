#include "widgets/docks/source/source_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind sourceDock;
const ViewKind sourceDock{"source",
                          "Source",
                          ViewKind::Place::Bottom,
                          3,
                          10,
                          "",
                          "The lines and instructions of a function, with their share",
                          [](ViewContext& context, QWidget* parent) -> QWidget* { return new SourceView(context, parent); }};

} // namespace helio
