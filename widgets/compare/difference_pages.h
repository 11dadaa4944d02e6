#pragma once

namespace helio {

class CompareContext;
class DifferenceGraphView;
class DifferenceModel;
class DockArea;

/// What was added. The model goes with the context, the views with the dock.
struct DifferencePages {
    DifferenceModel* model = nullptr;
    DifferenceGraphView* graph = nullptr;
};

/// Fills the dock with what compares the samples of both sides.
DifferencePages addDifferencePages(DockArea& dock, CompareContext& context);

} // namespace helio
