#include "core/analyses/kernel/event_kinds.h"
#include "core/analyses/kernel/machine.h"
#include "core/analyses/kernel/requirements.h"
#include "core/analysis/analysis.h"

namespace helio {
namespace {

std::unique_ptr<Analysis> make(const Trace& trace, StateSink& sink) { return std::make_unique<kernel::Machine>(trace, sink); }

} // namespace

constexpr TrackView Views[] = {{"control-flow", "Control flow"}, {"resources", "Resources"}};
extern const AnalysisKind kernelAnalysis{"kernel", 13, kernel::isKernelTrace, make, kernel::missing, Views};

} // namespace helio
