#pragma once

namespace helio {

class CompareContext;
class DifferenceGraphView;
class DifferenceModel;
class DockArea;

/// Result of addDifferencePages(). Ownership: the context owns the model, the dock owns the views.
struct DifferencePages {
    DifferenceModel* model = nullptr;
    DifferenceGraphView* graph = nullptr;
};

/// Adds the pages that compare the samples of both sides to the dock.
DifferencePages addDifferencePages(DockArea& dock, CompareContext& context);

} // namespace helio
