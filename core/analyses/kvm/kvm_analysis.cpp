#include "core/analyses/kvm/vcpu_threads.h"
#include "core/analyses/kvm/vcpu_waits.h"
#include "core/analysis/analysis.h"
#include "core/analysis/track_view.h"

namespace helio {
namespace {

const TrackView Views[] = {{.id = std::string(kvm::ExitsView),
                            .title = "Exits of vCPUs",
                            .tip = "How often the vCPUs of each machine left their guest, by reason",
                            .shape = TrackView::Shape::Curves,
                            .beginsCollapsed = true,
                            .order = 15,
                            .one = "reason",
                            .many = "reasons",
                            .nothing = "No events were recorded that say when vCPUs left their guests. Record them on the host with: lttng "
                                       "enable-event -k kvm_x86_exit,kvm_x86_entry (perf: -e kvm:kvm_exit,kvm:kvm_entry)."}};

class KvmAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "kvm"; }
    int version() const override { return 5; }
    std::span<const std::string_view> needs() const override { return Needs; }
    std::span<const TrackView> views() const override { return Views; }
    bool appliesTo(const Trace& trace) const override { return kvm::hasExits(trace); }
    std::vector<MissingEvents> missing(const Trace& trace) const override { return kvm::missingOfWaits(trace); }
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
