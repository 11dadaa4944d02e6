#pragma once

#include <cstdint>

namespace helio {

struct Timeline;

/// What a recording has to show: what a window brings to the front of it.
enum class RecordingKind {
    States, ///< Scheduler events: what every thread did, along time.
    Samples, ///< No scheduler events, but samples: where time went.
    Untimed, ///< Samples without a time, as folded stacks: nothing is along time.
    Events, ///< Neither: events alone.
};

/// Known from what the traces declare, before they are read. Some µs.
RecordingKind recordingKind(const Timeline& timeline);

/// Whether the trace is of some threads or CPUs alone, and nothing is known of others.
bool isOfPart(const Timeline& timeline, std::uint32_t trace);

/// Whether every trace is of threads that were asked for, such as a program and those it starts, and of no others.
bool isOfSomeThreads(const Timeline& timeline);

} // namespace helio
