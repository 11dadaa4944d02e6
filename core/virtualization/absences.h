#pragma once

#include "core/virtualization/takers.h"

#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Who had the CPU for a part of the time that a vCPU wanted it.
struct Taken {
    std::uint32_t taker = 0; ///< Its number among Absences::takers().
    Duration total{};
    Timestamp first{}; ///< When it had it first.
    std::uint32_t count = 0; ///< How often it got it.
};

/// A stretch in which a vCPU could have run, and had no CPU.
struct Absence {
    TimeRange range{};
    bool isPreempted = false; ///< It was taken off the CPU; else it waits for one after it slept.
    std::uint32_t firstTaken = 0;
    std::uint32_t taken = 0; ///< So many of VcpuAbsences::taken, who had it longest first. They add up to the range.
    std::int32_t cpu = -1; ///< That it was taken off, or waits for; -1: not known.
};

/// Those of one vCPU, in order; they do not overlap.
struct VcpuAbsences {
    std::vector<Absence> all;
    std::vector<Taken> taken;

    std::span<const Taken> takenIn(const Absence& it) const { return std::span(taken).subspan(it.firstTaken, it.taken); }
};

/// Where vCPUs did not run though they could have, and who ran instead. Of a machine in a machine that is also so where the outer one's
/// vCPU does not run. Found once, when it is asked for. One thread; timeline and machines outlive it. Memory: some 100 bytes for each.
class Absences {
public:
    /// In the window alone: those that reach out of it are cut.
    Absences(const Timeline& timeline, const std::vector<Machine>& all, TimeRange window, std::stop_token stop = {});

    /// Fewer, once it is stopped. Cost: some 2 us for each, where the thread stays on its CPU.
    const VcpuAbsences& of(std::uint32_t machine, std::uint32_t vcpu);
    const std::vector<Taker>& takers() const { return m_takers.all(); }
    /// Who had the CPU in an absence, for people: the longest first, of many only some.
    std::string textOf(const VcpuAbsences& absences, const Absence& it) const; ///< By the ids of rows.
    std::string wordsOf(const VcpuAbsences& absences, const Absence& it) const; ///< By what machines are called.
    std::string wordsOf(const Taker& it) const; ///< The same of one.

private:
    void find(std::uint32_t machine, const VcpuBinding& vcpu, VcpuAbsences& found);
    void addOuter(std::uint32_t machine, const VcpuBinding& vcpu, TimeRange onCpu, VcpuAbsences& found);
    void add(std::uint32_t machine, const VcpuBinding& vcpu, TimeRange whole, TimeRange range, bool isPreempted, VcpuAbsences& found);

    const Timeline& m_timeline;
    const std::vector<Machine>& m_machines;
    TimeRange m_window;
    std::stop_token m_stop;
    machines::Takers m_takers;
    std::map<std::pair<std::uint32_t, std::uint32_t>, VcpuAbsences> m_found;
};

} // namespace helio
