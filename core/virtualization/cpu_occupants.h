#pragma once

#include "core/virtualization/bindings.h"
#include "core/virtualization/row_cursor.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// An occupant of a physical CPU: a thread, vCPU or interrupt that used the CPU while a vCPU waited for it.
struct CpuOccupant {
    enum class Kind : std::uint8_t {
        Vcpu, ///< A vCPU of another virtual machine.
        Sibling, ///< Another vCPU of the same virtual machine.
        Own, ///< Another thread of the virtual machine's process, or a kernel thread that does the machine's I/O.
        Thread,
        KernelThread,
        Interrupt, ///< An interrupt that was handled while the CPU had no thread.
        Idle, ///< No occupant: the CPU was idle, but the vCPU still waited, because the host had not moved it to this CPU yet.
        Unknown,
    };
    Kind kind = Kind::Unknown;
    std::string name; ///< Name in output files, for example "vm:b/vcpu:0 hog (177)" or "kworker/1:0 (21)".
    TrackRef row{}; ///< Row of the occupant's thread on the host; not valid if the occupant is not a thread.
    TrackRef guestThread{}; ///< Row of the guest's thread that ran on the occupant's vCPU; not valid if there is none.
    std::int32_t machine = -1; ///< Index of the virtual machine if the occupant is a vCPU; else -1.
    std::int32_t vcpu = -1; ///< Index into VirtualMachine::vcpus if the occupant is a vCPU; else -1.
    std::string inside{}; ///< Activity of the occupant's vCPU, for example "hog (177)", "idle" or "hypervisor"; empty if unknown.
};
std::string_view wordOf(CpuOccupant::Kind kind);

/// Returns the name of a vCPU as views show it, for example "vCPU 0 of web".
std::string vcpuTitle(const VirtualMachine& machine, const VcpuBinding& vcpu);
/// Returns the occupant's name as views show it, for example "vCPU 0 of b: hog (177)" or "kworker/1:0 (21)".
std::string occupantText(const std::vector<VirtualMachine>& all, const CpuOccupant& it);

/// Returns a thread's name as views show it: "comm (tid)".
std::string threadText(const Track& thread);

namespace machines {

/// Finds the occupants of the CPUs of hosts.
/// Ownership: the timeline and the machines outlive the object.
/// Threads: to be used by one thread.
/// Memory: a few thousand intervals for each CPU that was queried.
class CpuOccupants {
public:
    /// Attribution of a vCPU's time to the guest's thread. Always: all time in which the vCPU has the CPU. OnlyInTheGuest: only time in
    /// guest mode; time in the hypervisor is attributed to the vCPU without a thread.
    enum class Inside : std::uint8_t { Always, OnlyInTheGuest };

    CpuOccupants(const Timeline& timeline, const std::vector<VirtualMachine>& all, Inside inside = Inside::Always);

    /// Returns all occupants found so far, indexed by occupant number.
    const std::vector<CpuOccupant>& all() const { return m_all; }

    /// Returns the CPU on which a host's thread ran just before the wait if `isLeft` is true, or just after it if `isLeft` is false.
    /// If that CPU is unknown, returns the CPU at the other end of the wait; nullopt if both are unknown.
    std::optional<std::int32_t> findCpuAroundWait(TrackRef thread, TimeRange wait, bool isLeft);

    /// Returns the CPU on which a host's thread is at a time; nullopt if it is on no CPU or if the CPU is unknown.
    std::optional<std::int32_t> cpuOf(TrackRef thread, Timestamp at);

    /// Receives consecutive parts of a range, each with the number of the CPU's occupant.
    using Take = std::function<void(TimeRange, std::uint32_t occupant)>;
    void each(std::uint32_t machine, std::int32_t cpu, TimeRange range, const Take& take);

    /// Returns the occupant number that stands for an unknown occupant.
    std::uint32_t unknown() { return addOccupant({CpuOccupant::Kind::Unknown, "unknown"}); }

private:
    /// Identifies a vCPU by the indexes of its machine and of the vCPU.
    struct VcpuIndex {
        std::uint32_t machine;
        std::uint32_t vcpu;
    };

    RowCursor& cursor(TrackRef row);
    TrackRef cpuTrack(std::uint32_t trace, TrackRole role, std::int32_t cpu);
    const std::vector<std::int32_t>& cpusOf(std::uint32_t trace);
    bool has(std::uint32_t trace, std::int32_t cpu, TrackRef thread, Timestamp at);
    void takeThread(std::uint32_t machine, TrackRef thread, TimeRange range, const Take& take);
    void takeVcpu(std::uint32_t machine, VcpuIndex place, TrackRef thread, TimeRange range, const Take& take);
    void takeGuest(const VcpuBinding& vcpu, TimeRange range, const std::function<void(TimeRange, const std::string&, TrackRef)>& put);
    void takeWithoutThread(std::uint32_t trace, std::int32_t cpu, bool isIdle, TimeRange range, const Take& take);
    CpuOccupant::Kind kindOf(const VirtualMachine& machine, const Track& thread) const;
    std::uint32_t addOccupant(CpuOccupant it);

    const Timeline& m_timeline;
    const std::vector<VirtualMachine>& m_machines;
    const Inside m_inside;
    std::map<TrackRef, RowCursor> m_cursors;
    std::map<TrackRef, VcpuIndex> m_vcpus; ///< Machine and vCPU index of each vCPU, keyed by the host's thread that runs the vCPU.
    std::map<TrackRef, std::int32_t> m_lastCpu; ///< Last known CPU of each host thread.
    std::map<std::tuple<std::uint32_t, TrackRole, std::int32_t>, TrackRef> m_cpuTracks;
    std::map<std::uint32_t, std::vector<std::int32_t>> m_cpus; ///< CPU numbers of each host trace, keyed by trace.
    std::vector<CpuOccupant> m_all;
    std::map<std::tuple<CpuOccupant::Kind, TrackRef, TrackRef, std::string>, std::uint32_t> m_numbers;
};

} // namespace machines
} // namespace helio
