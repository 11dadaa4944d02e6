#include "core/analyses/kernel/event_kinds.h"
#include "core/analyses/kernel/kernel_state_machine.h"
#include "core/analyses/kernel/missing_events.h"
#include "core/analysis/analysis.h"

namespace helio {
namespace {

const TrackView KernelViews[] = {
    {.id = "control-flow",
     .title = "Control flow",
     .tip = "Processes and threads",
     .isBasic = true,
     .order = 20,
     .counted = TrackRole::Thread,
     .one = "thread",
     .many = "threads",
     .share = "CPU %",
     .number = "TID",
     .canHideIdleRows = true,
     .runs = {{.id = "syscall",
               .title = "System calls",
               .nameTitle = "System call",
               .rowKind = "thread",
               .firsts = {"running-syscall", "in-syscall"},
               .ends = {"running-user", "between-syscalls"},
               .hasSingleValue = true,
               .between = {"interrupted", "page-fault"}},
              {.id = "page-fault",
               .title = "Page faults",
               .nameTitle = "Thread",
               .rowKind = "thread",
               .firsts = {"page-fault"},
               .ends = {"running", "running-user", "running-syscall", "running-kernel"},
               .between = {"interrupted"},
               .nothing = "the kernel's events tell when a page fault begins, not when it ends"},
              {.id = "preemption", .title = "Preemptions", .nameTitle = "Thread", .rowKind = "thread", .firsts = {"preempted"}}},
     .nothing = "No scheduler events were recorded, so threads have no states. The Events dock lists what there is."},
    {.id = "resources",
     .title = "Resources",
     .tip = "CPUs and interrupts",
     .isBasic = true,
     .order = 10,
     .counted = TrackRole::Cpu,
     .one = "CPU",
     .many = "CPUs",
     .share = "busy",
     .runs = {{.id = "irq", .title = "Interrupts", .nameTitle = "Interrupt", .rowKind = "irq", .firsts = {"active"}, .isOfCpu = true},
              {.id = "softirq",
               .title = "Soft interrupts",
               .nameTitle = "Soft interrupt",
               .rowKind = "softirq",
               .firsts = {"active"},
               .isOfCpu = true}},
     .nothing = "No kernel events were recorded that say what the CPUs did."},
};

class KernelAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "kernel"; }
    int version() const override { return 23; }
    std::span<const TrackView> views() const override { return KernelViews; }
    bool appliesTo(const Trace& trace) const override { return kernel::isKernelTrace(trace); }
    std::vector<MissingEvents> missing(const Trace& trace) const override { return kernel::missing(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<kernel::KernelStateMachine>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis kernelAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<KernelAnalysis>(); }};

} // namespace helio
