#include "core/correlators/machines/vcpu_states.h"

namespace helio::machine_rows {

using enum StateCategory;
using enum BarPattern;
using namespace StateFlag;

const StateSet& vcpuStates()
{
    static const StateSet set{
        "vcpu",
        {
            {"guest-user",
             OnCpuUser,
             {"vm.running", "In the guest, user space", "in guest", 16, Plain, 0, 0, Labelled | InHeader, "Thread", ""}},
            {"guest-kernel",
             OnCpuKernel,
             {"vm.running", "In the guest's kernel", "in guest's kernel", 14, Plain, 1, 0, Labelled, "Thread", ""}},
            {"guest", OnCpu, {"vm.running", "In the guest", "in guest", 16, Plain, 2, 0, Labelled, "Thread", ""}},
            {"guest-idle", Rests, {"vm.halted", "In the guest, which is idle", "guest idle", 4, Plain, 20, 0, Labelled, "Thread", ""}},
            {"hypervisor",
             OnCpuKernel,
             {"vm.hypervisor", "In the hypervisor", "in hypervisor", 11, Plain, 3, 1, Labelled | InHeader, "Exit", "for"}},
            {"preempted",
             Preempted,
             {"vm.preempted", "vCPU preempted", "preempted", 8, CutCorner, 10, 3, Labelled | InHeader, "Taken by", "by"}},
            {"wait-cpu",
             WaitsForCpu,
             {"thread.wait-cpu", "Waits for a CPU", "waits for CPU", 8, Plain, 11, 2, InHeader, "CPU had by", "for"}},
            {"halted", Rests, {"vm.halted", "Halted: the guest has nothing to do", "halted", 2, Line, 101, 0, InHeader, "Exit", ""}},
            {"waiting", Waits, {"vm.waiting", "Waits on the host", "waits on host", 6, Plain, 9, 2, InHeader, "Exit", "for"}},
            {"unknown", Unknown, {"vm.unknown", "Unknown", "unknown", 5, Hatched, 100, 0, 0}},
        },
        "Virtual CPUs",
    };
    return set;
}

StateKind stolenState()
{
    return {
        "stolen", Preempted, {"vm.preempted", "Stolen: its vCPU did not run", "stolen", 16, Hatched, 12, 3, InHeader, "Taken by", "by"}};
}

} // namespace helio::machine_rows
