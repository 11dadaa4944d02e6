#include "core/analyses/kvm/exit_counts.h"

#include "core/event_model/vcpu_modes.h"

#include <algorithm>
#include <iterator>

namespace helio::kvm {
namespace {

struct Named {
    std::int64_t number;
    const char* name;
};

/// Names of Intel's basic exit reasons (SDM, volume 3, appendix C), as in arch/x86/include/uapi/asm/vmx.h; ascending.
constexpr Named IntelNames[] = {
    {0, "EXCEPTION_NMI"},
    {1, "EXTERNAL_INTERRUPT"},
    {2, "TRIPLE_FAULT"},
    {3, "INIT_SIGNAL"},
    {4, "SIPI_SIGNAL"},
    {5, "IO_SMI"},
    {6, "OTHER_SMI"},
    {7, "INTERRUPT_WINDOW"},
    {8, "NMI_WINDOW"},
    {9, "TASK_SWITCH"},
    {10, "CPUID"},
    {11, "GETSEC"},
    {12, "HLT"},
    {13, "INVD"},
    {14, "INVLPG"},
    {15, "RDPMC"},
    {16, "RDTSC"},
    {17, "RSM"},
    {18, "VMCALL"},
    {19, "VMCLEAR"},
    {20, "VMLAUNCH"},
    {21, "VMPTRLD"},
    {22, "VMPTRST"},
    {23, "VMREAD"},
    {24, "VMRESUME"},
    {25, "VMWRITE"},
    {26, "VMOFF"},
    {27, "VMON"},
    {28, "CR_ACCESS"},
    {29, "DR_ACCESS"},
    {30, "IO_INSTRUCTION"},
    {31, "MSR_READ"},
    {32, "MSR_WRITE"},
    {33, "INVALID_STATE"},
    {34, "MSR_LOAD_FAIL"},
    {36, "MWAIT_INSTRUCTION"},
    {37, "MONITOR_TRAP_FLAG"},
    {39, "MONITOR_INSTRUCTION"},
    {40, "PAUSE_INSTRUCTION"},
    {41, "MCE_DURING_VMENTRY"},
    {43, "TPR_BELOW_THRESHOLD"},
    {44, "APIC_ACCESS"},
    {45, "EOI_INDUCED"},
    {46, "GDTR_IDTR"},
    {47, "LDTR_TR"},
    {48, "EPT_VIOLATION"},
    {49, "EPT_MISCONFIG"},
    {50, "INVEPT"},
    {51, "RDTSCP"},
    {52, "PREEMPTION_TIMER"},
    {53, "INVVPID"},
    {54, "WBINVD"},
    {55, "XSETBV"},
    {56, "APIC_WRITE"},
    {57, "RDRAND"},
    {58, "INVPCID"},
    {59, "VMFUNC"},
    {60, "ENCLS"},
    {61, "RDSEED"},
    {62, "PML_FULL"},
    {63, "XSAVES"},
    {64, "XRSTORS"},
    {67, "UMWAIT"},
    {68, "TPAUSE"},
    {74, "BUS_LOCK"},
    {75, "NOTIFY"},
};

/// Names of AMD's exit codes (APM, volume 2, appendix C); ascending.
constexpr Named AmdNames[] = {
    {0x60, "INTR"},
    {0x61, "NMI"},
    {0x62, "SMI"},
    {0x63, "INIT"},
    {0x64, "VINTR"},
    {0x65, "CR0_SEL_WRITE"},
    {0x66, "IDTR_READ"},
    {0x67, "GDTR_READ"},
    {0x68, "LDTR_READ"},
    {0x69, "TR_READ"},
    {0x6a, "IDTR_WRITE"},
    {0x6b, "GDTR_WRITE"},
    {0x6c, "LDTR_WRITE"},
    {0x6d, "TR_WRITE"},
    {0x6e, "RDTSC"},
    {0x6f, "RDPMC"},
    {0x70, "PUSHF"},
    {0x71, "POPF"},
    {0x72, "CPUID"},
    {0x73, "RSM"},
    {0x74, "IRET"},
    {0x75, "SWINT"},
    {0x76, "INVD"},
    {0x77, "PAUSE"},
    {0x78, "HLT"},
    {0x79, "INVLPG"},
    {0x7a, "INVLPGA"},
    {0x7b, "IOIO"},
    {0x7c, "MSR"},
    {0x7d, "TASK_SWITCH"},
    {0x7e, "FERR_FREEZE"},
    {0x7f, "SHUTDOWN"},
    {0x80, "VMRUN"},
    {0x81, "VMMCALL"},
    {0x82, "VMLOAD"},
    {0x83, "VMSAVE"},
    {0x84, "STGI"},
    {0x85, "CLGI"},
    {0x86, "SKINIT"},
    {0x87, "RDTSCP"},
    {0x88, "ICEBP"},
    {0x89, "WBINVD"},
    {0x8a, "MONITOR"},
    {0x8b, "MWAIT"},
    {0x8c, "MWAIT_CONDITIONAL"},
    {0x8d, "XSETBV"},
    {0x8e, "RDPRU"},
    {0x8f, "EFER_WRITE_TRAP"},
    {0xa2, "INVPCID"},
    {0xa5, "BUSLOCK"},
    {0xa6, "IDLE_HLT"},
    {0x400, "NPF"},
    {0x401, "AVIC_INCOMPLETE_IPI"},
    {0x402, "AVIC_NOACCEL"},
    {0x403, "VMGEXIT"},
};

/// Ranges of AMD exit codes in which each register or exception has its own code. The code minus the first code of its range is the
/// number of the register or exception.
constexpr struct {
    std::int64_t first;
    std::int64_t last;
    const char* name;
} AmdRanges[] = {{0x00, 0x0f, "CR_READ"},  {0x10, 0x1f, "CR_WRITE"}, {0x20, 0x2f, "DR_READ"},
                 {0x30, 0x3f, "DR_WRITE"}, {0x40, 0x5f, "EXCP"},     {0x90, 0x9f, "CR_WRITE_TRAP"}};

template <std::size_t Count> std::string nameIn(const Named (&names)[Count], std::int64_t number)
{
    const auto found = std::ranges::lower_bound(names, number, {}, &Named::number);
    return found != std::end(names) && found->number == number ? found->name : std::string();
}

std::string amdName(std::int64_t number)
{
    for (const auto& range : AmdRanges)
        if (range.first <= number && number <= range.last)
            return range.name + std::to_string(number - range.first);
    return nameIn(AmdNames, number);
}

} // namespace

std::string exitText(Isa isa, std::int64_t reason)
{
    constexpr std::int64_t Basic = 0xffff; // Bits of Intel's basic exit reason. Higher bits flag failed entries and exits from enclaves.
    const std::int64_t number = isa == Isa::Intel ? reason & Basic : reason;
    const std::string name = isa == Isa::Intel ? nameIn(IntelNames, number) : amdName(number);
    return (name.empty() ? "(" : name + " (") + std::to_string(number) + ')';
}

void ExitCounts::count(HostTimestamp at, std::int32_t pid, StringId reason, std::string_view words)
{
    Counter& counter = counterOf(pid, reason, words);
    ++counter.exits;
    if (counter.series)
        m_sink.counters().addInteger(*counter.series, at, counter.exits);
}

ExitCounts::Counter& ExitCounts::counterOf(std::int32_t pid, StringId reason, std::string_view words)
{
    const auto [found, isNew] = m_counters.try_emplace({pid, reason});
    if (!isNew)
        return found->second;
    const std::string what(words.empty() ? "exit" : words);
    CounterSeries series{std::string(ExitsView), "pid:" + std::to_string(pid) + '/' + what, what};
    series.kind = CounterSeries::Kind::Accumulating;
    series.track = rowOf(pid);
    if (const auto added = m_sink.counters().addSeries(series)) {
        found->second.series = *added;
        m_sink.counters().addInteger(*added, m_begin, 0);
    }
    return found->second;
}

TrackId ExitCounts::rowOf(std::int32_t pid)
{
    const auto [found, isNew] = m_rows.try_emplace(pid, NoTrack);
    if (!isNew)
        return found->second;
    const std::string_view name = nameOf(pid);
    Track row;
    row.kind = VcpuProcessKind;
    row.key = "pid:" + std::to_string(pid);
    row.label = std::string(name.empty() ? "process" : name) + '-' + std::to_string(pid);
    row.pid = pid;
    row.sortKey = pid;
    return found->second = m_sink.addTrack(std::move(row));
}

std::string_view ExitCounts::nameOf(std::int32_t pid) const
{
    for (const TrackId it : m_kernel.tracksOf(TrackRole::Thread, pid))
        if (const Track& track = m_kernel.tracks()[static_cast<std::size_t>(it)]; !track.label.empty())
            return track.label;
    return {};
}

} // namespace helio::kvm
