#pragma once

#include "core/correlation/correlator.h"
#include "core/store/states.h"
#include "core/store/store.h"
#include "core/virtualization/vcpu_waits.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>

namespace helio::machine_rows {

/// State of a vCPU, computed from the traces of its guest and its host.
enum class VcpuState : std::uint8_t {
    GuestUser,
    GuestKernel,
    Guest, ///< The vCPU runs the guest, but the guest's activity was not recorded.
    GuestIdle,
    Hypervisor, ///< The vCPU's thread runs the hypervisor after an exit from the guest; the value is the exit reason.
    Preempted, ///< The vCPU lost its CPU although it could continue; the value is the text of the CPU's occupant.
    WaitCpu, ///< The vCPU was woken and waits for a CPU; the value is the text of the CPU's occupant.
    Halted, ///< The guest is idle.
    Waiting, ///< The vCPU waits for the hypervisor to handle a request.
    Unknown,
};
const StateSet& vcpuStates();

/// State of a guest's thread while the guest's trace shows the thread as running, but its vCPU did not run.
StateKind stolenState();

/// Copies the value texts of a row from the row's store into a sink, each text once.
class CopiedTexts {
public:
    CopiedTexts(const Timeline& timeline, TrackRef row, StateSink& sink)
        : m_timeline(timeline)
        , m_row(row)
        , m_sink(sink)
    {
    }
    StringId of(std::uint32_t value);

private:
    const Timeline& m_timeline;
    TrackRef m_row;
    StateSink& m_sink;
    std::unordered_map<std::uint32_t, StringId> m_known;
};

/// Writes the states of one vCPU. The host's trace gives the times in which the vCPU had a CPU and was in the guest, and the guest's trace
/// the activity in these times.
/// Memory: a few thousand intervals of each trace at a time.
class VcpuRow {
public:
    /// `hasGuest`: true if the guest's trace is available.
    /// Ownership: the caller keeps the arguments alive while this object exists.
    VcpuRow(const Timeline& timeline, const VcpuBinding& vcpu, bool hasGuest, const VcpuWaitFinder& of, const VcpuWaitList& absences,
            TrackId row, StateSink& sink);

    void write(std::stop_token stop);

private:
    void writeThread(const Interval& it);
    void writePresent(TimeRange range, const Interval& thread);
    void writeOnCpu(TimeRange range);
    void writeGuest(TimeRange range);
    void writeGuestState(const Interval& it);
    void writeAway(TimeRange range);
    void set(Timestamp at, VcpuState state, StringId value = {});

    const Timeline& m_timeline;
    const bool m_hasGuest;
    const VcpuWaitFinder& m_of;
    const VcpuWaitList& m_absences;
    TrackId m_row;
    StateSink& m_sink;
    machines::RowCursor m_thread;
    machines::RowCursor m_modes;
    machines::RowCursor m_guest;
    CopiedTexts m_reasons;
    CopiedTexts m_guestTexts;
    std::size_t m_next = 0; ///< Index in m_absences, the list of the vCPU's waits, of the first wait that may end after the current time.
};

} // namespace helio::machine_rows
