#include "core/analysis/analysis.h"

namespace helio {
namespace {

bool appliesTo(const Trace&) { return false; }
std::unique_ptr<Analysis> make(const Trace&, StateSink&) { return nullptr; }
std::vector<Requirement> missing(const Trace&) { return {}; }

} // namespace

extern const AnalysisKind kernelAnalysis{"kernel", 1, appliesTo, make, missing};

} // namespace helio
