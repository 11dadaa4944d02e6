#pragma once

#include "core/correlation/relation.h"
#include "core/correlators/machines/vcpu_states.h"
#include "core/store/store.h"
#include "core/virtualization/absences.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>

namespace helio::machine_rows {

/// Texts of another store's values in a sink, each turned once.
class TakenTexts {
public:
    TakenTexts(const Timeline& timeline, TrackRef row, StateSink& sink)
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

/// Writes what one vCPU did: its host's half says whether it had a CPU and was in the guest, and its guest's what it did there. In the
/// order of time; some thousand intervals of each are held.
class VcpuRow {
public:
    /// `hasGuest`: a guest's trace says what it did. The rest outlives it.
    VcpuRow(const Timeline& timeline, const VcpuBinding& vcpu, bool hasGuest, const Absences& of, const VcpuAbsences& absences, TrackId row,
            StateSink& sink);

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
    const Absences& m_of;
    const VcpuAbsences& m_absences;
    TrackId m_row;
    StateSink& m_sink;
    machines::RowCursor m_thread;
    machines::RowCursor m_modes;
    machines::RowCursor m_guest;
    TakenTexts m_reasons;
    TakenTexts m_guestTexts;
    std::size_t m_next = 0; ///< The first absence that did not end yet.
};

} // namespace helio::machine_rows
