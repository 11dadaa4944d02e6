#pragma once

#include "core/virtualization/steal_breakdown.h"
#include "core/virtualization/vcpu_preemption.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Content of Details for one state of a row; computed on another thread.
struct StateDetails {
    TrackRef track;
    Row row;
    QString host; ///< Name of the host; empty if the experiment has one host.
    StateKind state;
    QString value; ///< Value of the state, e.g. the system call, handler or thread.
    TimeRange range; ///< Complete interval of the state, not clipped to the visible range.
    struct Neighbour {
        StateKind state;
        QString value;
        TimeRange range;
    };
    std::optional<Neighbour> before;
    std::optional<Neighbour> after;
    /// Line with a fact about the state, e.g. its CPU, its cause or the event that ended it.
    struct Fact {
        QString name;
        QString value; ///< Text of the fact; if empty, the time `at` is shown.
        TrackRef row; ///< Row that the value names, which a click selects; invalid if none.
        Timestamp at; ///< Time that a click on the fact goes to.
    };
    std::vector<Fact> facts;
    /// Event that started the state of a row of an analysis.
    struct StartEvent {
        QString event; ///< Name of the event, e.g. "mpi:barrier_begin".
        QString thread; ///< Name and TID of the event's thread, or its TID.
        TrackRef row; ///< Row of the thread; not valid if no states of the thread were recorded.
    };
    std::optional<StartEvent> start; ///< nullopt for rows of threads and CPUs, or if the event is not known.
    /// Culprits that had the CPU while the row's vCPU waited for it; without steal time, what ran inside the guest
    /// (StealBreakdown::isInside).
    StealBreakdown taken;
    std::optional<VcpuPreemption> preemption; ///< Circumstances, if a vCPU was preempted in this state; else nullopt.
};

/// Returns details of the state of a track at a time; nullopt if the track has no state there.
/// Cost: a few ms, for a few queries and reading an event again.
std::optional<StateDetails> stateDetails(std::shared_ptr<const Timeline> timeline, TrackRef track, Timestamp at, std::stop_token stop = {});

} // namespace helio
