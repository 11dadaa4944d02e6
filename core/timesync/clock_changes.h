#pragma once

#include "core/base/result.h"
#include "core/experiment/timeline.h"

#include <cstdint>

namespace helio {

/// What a person can change about the clocks of an experiment, one change a function: each takes what was decided so far, and gives what is
/// decided then, for Experiment::setClocks(). Hosts are places in Timeline::hosts, and are named in the choice by their ids.
///
/// The timeline says where the clocks are that nobody decided about; it need not have the choice yet, but for the reference. A host's
/// offset is the reference's time less its own, in the middle of its traces: above 0 where its clock is behind. Changes of the reference
/// host's own clock give the choice back as it was: the others are moved against it. Cost: little, all of them.

/// What was decided about the host. Null: nothing; it is aligned by what relations find.
const GivenClock* givenOf(const Timeline& timeline, const ClockChoice& choice, std::uint32_t host);
/// Whether the choice has the host's clock on the reference's by hand (givenOf() with a line), or its times raw (one without).
bool isSetByHand(const Timeline& timeline, const ClockChoice& choice, std::uint32_t host);

/// From the host's clock to the reference's, as the choice has it, or as it was found: the single line. As it is, where nothing is known.
ClockLine lineOf(const Timeline& timeline, const ClockChoice& choice, std::uint32_t host);
Duration offsetOf(const Timeline& timeline, const ClockChoice& choice, std::uint32_t host);

/// Its clock showed `at` when the reference's showed `is`; the drift stays.
ClockChoice withMoment(const Timeline& timeline, ClockChoice choice, std::uint32_t host, HostTimestamp at, Timestamp is);
/// The same with the middle of its traces.
ClockChoice withOffset(const Timeline& timeline, ClockChoice choice, std::uint32_t host, Duration offset);
/// All of its times are so much later than the choice has them: what dragging does.
ClockChoice shifted(const Timeline& timeline, ClockChoice choice, std::uint32_t host, Duration later);
/// The reference's clock goes on by so much more (ClockLine::gain) while its own goes on by 1; the offset stays.
ClockChoice withGain(const Timeline& timeline, ClockChoice choice, std::uint32_t host, std::int64_t gain);
/// Its times stay as they were recorded.
ClockChoice withRawTimes(const Timeline& timeline, ClockChoice choice, std::uint32_t host);
/// It is aligned by what relations find; what was decided about it is forgotten.
ClockChoice asFound(const Timeline& timeline, ClockChoice choice, std::uint32_t host);

/// All times are on this host's clock. Clocks set by hand stay where they are beside each other.
ClockChoice withReference(const Timeline& timeline, ClockChoice choice, std::uint32_t host);

/// And all that the other one says, which has its hosts' clocks on its own reference's: what reading a file does. Hosts that are not here
/// are left out; where its reference is not, the others are seen from one of them. NotFound, with their names: none is here.
Result<ClockChoice> withAll(const Timeline& timeline, ClockChoice choice, const ClockChoice& more);

/// What a choice says, on the clock of a host that is here, if that of its own reference is not: the timeline's, or any other. Nothing: it
/// relates none that are here.
std::optional<ClockChoice> onClockThatIsHere(const Timeline& timeline, const ClockChoice& more);

/// Where a moment of a timeline is on another one of the same traces, when the time axis is another host's: seen from the clock that is the
/// reference there. The same where the reference is the same.
Timestamp movedTo(const Timeline& timeline, const Timeline& from, Timestamp at);

} // namespace helio
