#include "widgets/compare/difference_pages.h"

#include "widgets/compare/difference_functions_view.h"
#include "widgets/shell/dock_area.h"

namespace helio {

DifferenceModel& addDifferencePages(DockArea& dock, CompareContext& context)
{
    auto* model = new DifferenceModel(context);
    dock.addPage(QStringLiteral("functions"), DockArea::tr("Functions"), new DifferenceFunctionsView(*model));
    return *model;
}

} // namespace helio
