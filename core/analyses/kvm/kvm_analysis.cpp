#include "core/analyses/kvm/vcpu_threads.h"
#include "core/analysis/analysis.h"

namespace helio {
namespace {

class KvmAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "kvm"; }
    int version() const override { return 1; }
    std::span<const std::string_view> needs() const override { return Needs; }
    std::span<const TrackView> views() const override { return {}; }
    bool appliesTo(const Trace& trace) const override { return kvm::hasExits(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<kvm::VcpuThreads>(input.trace, *input.needed[0], sink);
    }

private:
    static constexpr std::string_view Needs[] = {"kernel"};
};

} // namespace

extern const BuiltinAnalysis kvmAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<KvmAnalysis>(); }};

} // namespace helio
