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

/// Who had a physical CPU while a vCPU did not get it.
struct Taker {
    enum class Kind : std::uint8_t {
        Vcpu, ///< Of another machine,
        Sibling, ///< or of the same.
        Own, ///< Another thread of the machine's own process, or one of the kernel's that works for it: its I/O.
        Thread,
        KernelThread,
        Interrupt, ///< Without a thread.
        Idle, ///< Nobody: the vCPU had not been moved yet.
        Unknown,
    };
    Kind kind = Kind::Unknown;
    std::string name; ///< For files: "vm:b/vcpu:0 hog (177)", "kworker/1:0 (21)".
    TrackRef row{}; ///< The host's thread, where it is one.
    TrackRef guestThread{}; ///< The thread that a vCPU ran.
    std::int32_t machine = -1; ///< Of a vCPU: its machine's place among all,
    std::int32_t vcpu = -1; ///< its own place in it,
    std::string inside{}; ///< and what it ran: "hog (177)", "idle", "hypervisor". Empty: not known.
};
std::string_view wordOf(Taker::Kind kind);

/// "vCPU 0 of web".
std::string vcpuTitle(const Machine& machine, const VcpuBinding& vcpu);
/// For people: "vCPU 0 of b: hog (177)", "kworker/1:0 (21)".
std::string takerWords(const std::vector<Machine>& all, const Taker& it);

/// A thread as people know it: "comm (tid)".
std::string threadText(const Track& thread);

namespace machines {

/// Finds who had CPUs of hosts. One thread; timeline and machines outlive it. Memory: some thousand intervals for each CPU asked about.
class Takers {
public:
    /// Whether what a guest's thread has is all of the time that its vCPU had the CPU, or only that in the guest: the hypervisor's part
    /// of it is then the vCPU's alone.
    enum class Inside : std::uint8_t { Always, OnlyInTheGuest };

    Takers(const Timeline& timeline, const std::vector<Machine>& all, Inside inside = Inside::Always);

    /// Each, by its number.
    const std::vector<Taker>& all() const { return m_all; }

    /// The CPU that a host's thread had right before it, or that it gets right behind it. Nothing: not known.
    std::optional<std::int32_t> cpuAround(TrackRef thread, TimeRange wait, bool isLeft);

    /// The CPU that a host's thread has then. Nothing: none, or not known.
    std::optional<std::int32_t> cpuOf(TrackRef thread, Timestamp at);

    /// Hands over who had a CPU of the machine's host in that time, in order, without gaps.
    using Take = std::function<void(TimeRange, std::uint32_t taker)>;
    void each(std::uint32_t machine, std::int32_t cpu, TimeRange range, const Take& take);

    /// For what nobody knows.
    std::uint32_t unknown() { return taker({Taker::Kind::Unknown, "unknown"}); }

private:
    /// A vCPU: its machine's place, and its own in it.
    struct Place {
        std::uint32_t machine;
        std::uint32_t vcpu;
    };

    RowCursor& cursor(TrackRef row);
    TrackRef cpuTrack(std::uint32_t trace, TrackRole role, std::int32_t cpu);
    const std::vector<std::int32_t>& cpusOf(std::uint32_t trace);
    bool has(std::uint32_t trace, std::int32_t cpu, TrackRef thread, Timestamp at);
    void takeThread(std::uint32_t machine, TrackRef thread, TimeRange range, const Take& take);
    void takeVcpu(std::uint32_t machine, Place place, TrackRef thread, TimeRange range, const Take& take);
    void takeGuest(const VcpuBinding& vcpu, TimeRange range, const std::function<void(TimeRange, const std::string&, TrackRef)>& put);
    void takeNobody(std::uint32_t trace, std::int32_t cpu, bool isIdle, TimeRange range, const Take& take);
    Taker::Kind kindOf(const Machine& machine, const Track& thread) const;
    std::uint32_t taker(Taker it);

    const Timeline& m_timeline;
    const std::vector<Machine>& m_machines;
    const Inside m_inside;
    std::map<TrackRef, RowCursor> m_cursors;
    std::map<TrackRef, Place> m_vcpus; ///< By the host's thread.
    std::map<TrackRef, std::int32_t> m_lastCpu; ///< By the host's thread.
    std::map<std::tuple<std::uint32_t, TrackRole, std::int32_t>, TrackRef> m_cpuTracks;
    std::map<std::uint32_t, std::vector<std::int32_t>> m_cpus; ///< By trace.
    std::vector<Taker> m_all;
    std::map<std::tuple<Taker::Kind, TrackRef, TrackRef, std::string>, std::uint32_t> m_numbers;
};

} // namespace machines
} // namespace helio
