#include "widgets/compare/difference_pages.h"

#include "widgets/compare/flame/difference_graph_view.h"
#include "widgets/compare/functions/difference_functions_view.h"
#include "widgets/compare/functions/difference_source_view.h"
#include "widgets/controls/dock_area.h"

namespace helio {

DifferencePages addDifferencePages(DockArea& dock, CompareContext& context)
{
    auto* model = new DifferenceModel(context);
    const DifferencePages pages{model, new DifferenceGraphView(*model)};
    dock.addPage(QStringLiteral("difference"), DockArea::tr("Differential flame graph"), pages.graph);
    dock.addPage(QStringLiteral("functions"), DockArea::tr("Functions"), new DifferenceFunctionsView(*model));
    dock.addPage(QStringLiteral("source"), DockArea::tr("Source"), new DifferenceSourceView(*model));
    QObject::connect(model, &DifferenceModel::sourceRequested, &dock, [&dock] {
        dock.show();
        dock.setCurrent(QStringLiteral("source"));
    });
    return pages;
}

} // namespace helio
