#include "core/waits/path/path_states.h"

namespace helio {

using enum StateCategory;
using enum BarPattern;
using namespace StateFlag;

// All states count for shares of rows, because any segment is time on the path.
const StateSet& pathStates()
{
    constexpr std::uint8_t Said = Labelled | InHeader;
    static const StateSet set{
        "path",
        {
            {"running", OnCpu, {"path.running", "Running", "running", 16, Plain, 0, 0, Said, "Doing", ""}},
            {"interrupted", OnCpu, {"path.interrupted", "Interrupted", "interrupted", 12, Plain, 1, 1, 0, "By", "by"}},
            {"page-fault", OnCpu, {"path.running", "Page fault", "page fault", 16, Plain, 2, 0, Labelled, "In", "in"}},
            {"wait-cpu", OnCpu, {"path.wait-cpu", "Waits for a CPU", "waits for CPU", 8, Plain, 11, 2, Said, "CPU", ""}},
            {"preempted", OnCpu, {"path.preempted", "Preempted", "preempted", 8, CutCorner, 10, 3, Said, "CPU", ""}},
            {"stolen", OnCpu, {"path.preempted", "Stolen: its vCPU did not run", "stolen", 8, Hatched, 9, 3, Labelled, "Taken", ""}},
            {"disk", OnCpu, {"path.disk", "Waits for a disk", "disk", 10, Plain, 5, 3, Said, "Wait", ""}},
            {"network", OnCpu, {"path.network", "Waits for the network", "network", 10, Plain, 6, 2, Said, "Connection", ""}},
            {"timer", OnCpu, {"path.timer", "Sleeps until a timer", "timer", 4, Plain, 12, 0, Said, "In", "in"}},
            {"lock", OnCpu, {"path.lock", "Waits for a lock", "lock", 10, Plain, 7, 2, Said, "Wait", ""}},
            {"pipe", OnCpu, {"path.lock", "Waits for a pipe or socket", "pipe", 10, Plain, 8, 1, Labelled, "Wait", ""}},
            {"process", OnCpu, {"path.lock", "Waits for a process or a signal", "process", 10, Plain, 8, 1, Labelled, "Wait", ""}},
            {"ipi", OnCpu, {"path.ipi", "Waits for another CPU", "IPI", 10, Plain, 8, 1, Labelled, "Wait", ""}},
            {"input", OnCpu, {"path.ipi", "Waits for input", "input", 10, Plain, 8, 0, Labelled, "Wait", ""}},
            {"blocked", OnCpu, {"path.unknown", "Waits: for what was not recorded", "blocked", 10, Plain, 8, 1, Said, "Wait", ""}},
            {"unknown", Unknown, {"path.unknown", "Unknown", "unknown", 5, Hatched, 13, 0, Labelled, "Why", ""}},
        },
        "Critical path",
    };
    return set;
}

} // namespace helio
