#include "core/analyses/locks/futexes.h"
#include "core/analysis/analysis.h"
#include "core/analysis/track_view.h"

namespace helio {
namespace {

// The locks analysis describes the view.
const TrackView FutexViews[] = {{.id = std::string(locks::View)}};

class FutexesAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "futexes"; }
    int version() const override { return 3; }
    std::span<const TrackView> views() const override { return FutexViews; }
    bool appliesTo(const Trace& trace) const override { return locks::hasFutexes(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<locks::Futexes>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis futexesAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<FutexesAnalysis>(); }};

} // namespace helio
