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

/// State of a vCPU, from the traces of its guest and its host together.
enum class VcpuState : std::uint8_t {
    GuestUser,
    GuestKernel,
    Guest, ///< In the guest, whose activity is not recorded.
    GuestIdle,
    Hypervisor, ///< The value is the reason of the exit.
    Preempted, ///< The value is the text of what had the CPU.
    WaitCpu, ///< Waits for a CPU after it slept. The value is the text of what had the CPU.
    Halted, ///< The guest has nothing to do.
    Waiting, ///< Waits until the hypervisor has done something for it.
    Unknown,
};
const StateSet& vcpuStates();

/// The state of a guest's thread that its own trace shows as running while its vCPU did not run.
StateKind stolenState();

/// Copies the texts of a row's values from its store into a sink, each text once.
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

/// Writes the states of one vCPU. The host's trace says whether the vCPU had a CPU and was in the guest, and the guest's trace what it did
/// there. Reads in time order, and holds a few thousand intervals of each trace.
class VcpuRow {
public:
    /// `hasGuest`: true if a guest's trace says what the vCPU did there. The caller keeps the other arguments alive.
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
    std::size_t m_next = 0; ///< Index of the first wait that may end after the current time.
};

} // namespace helio::machine_rows
