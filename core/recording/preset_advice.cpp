#include "core/recording/preset_advice.h"

#include <algorithm>
#include <array>
#include <vector>

namespace helio {
namespace {

struct KnownCommand {
    std::string command;
    RecordableData data;
};

/// Returns the commands that record data, the longest first.
const std::vector<KnownCommand>& knownCommands()
{
    static const std::vector<KnownCommand> commands = [] {
        std::vector<KnownCommand> all;
        for (int data = 0; data <= int(RecordableData::PidNamespaces); ++data)
            for (int tracer = 0; tracer <= int(Tracer::Other); ++tracer)
                if (std::string command = recordingCommand(RecordableData(data), Tracer(tracer)); !command.empty())
                    all.push_back({std::move(command), RecordableData(data)});
        std::ranges::stable_sort(all, std::ranges::greater(), [](const KnownCommand& it) { return it.command.size(); });
        return all;
    }();
    return commands;
}

} // namespace

std::string presetFor(RecordableData data)
{
    using enum RecordableData;
    switch (data) {
    case ContextSwitches:
    case WakeUps:
    case Processes:
    case CpuFrequencies: return "sched";
    case SystemCalls:
    case Interrupts:
    case Softirqs:
    case WaitCauses:
    case Packets:
    case GuestScheduling: return "system";
    case SampledStates: return "off-cpu";
    case DiskRequests: return "disk";
    case VmExits:
    case VcpuScheduling:
    case VcpuHalts:
    case GuestInterrupts:
    case ExitsAndInterrupts: return "vm";
    case Locks: return "locks";
    case ResidentMemory: return "memory";
    case Samples: return "cpu";
    case FunctionCalls: return "calls";
    case HeapBlocks: return "heap";
    case None:
    case CpuCounters:
    case ThreadCounters:
    case MigrationCosts:
    case CpuTopology:
    case ProcessIds:
    case PidNamespaces: break;
    }
    return {};
}

std::string presetForMessage(std::string_view message)
{
    const auto contains = [&](const KnownCommand& it) { return message.find(it.command) != std::string_view::npos; };
    if (const auto found = std::ranges::find_if(knownCommands(), contains); found != knownCommands().end())
        return presetFor(found->data);
    constexpr std::array<std::string_view, 3> KernelEvents{"lttng enable-event -k", "perf record -a", "trace-cmd record -e"};
    const auto records = [&](std::string_view command) { return message.find(command) != std::string_view::npos; };
    return std::ranges::any_of(KernelEvents, records) ? "system" : std::string();
}

} // namespace helio
