#include "core/analyses/sampling/sampling.h"

namespace helio {
namespace {

/// The analysis of samples. It adds no rows: samples are shown on the rows that other analyses add for the same threads and CPUs.
class SamplingAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "sampling"; }
    int version() const override { return 3; }
    std::span<const TrackView> views() const override { return {}; }
    bool appliesTo(const Trace& trace) const override { return trace.samples() != nullptr; }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<sampling::Sampling>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis samplingAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<SamplingAnalysis>(); }};

} // namespace helio
