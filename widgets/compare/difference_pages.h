#pragma once

namespace helio {

class CompareContext;
class DifferenceModel;
class DockArea;

/// Fills the dock with what compares the samples of both sides. The model goes with the context.
DifferenceModel& addDifferencePages(DockArea& dock, CompareContext& context);

} // namespace helio
