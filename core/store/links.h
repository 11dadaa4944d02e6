#pragma once

#include "core/store/track.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

/// Number of a kind of links in its store, below MostLinkKinds. Those with a name mean the same in every store, and are asked about; what
/// an analysis has beside them is numbered from FirstOwn on as it declares them.
enum class LinkKind : std::uint8_t {
    Wakeup,
    Sched, ///< From the thread that left a CPU to the next on it.
    Migration, ///< Between the rows of CPUs.
    Packet,
    FirstOwn,
};

/// Link masks are 32-bit words.
constexpr std::size_t MostLinkKinds = 32;

enum class LinkLine : std::uint8_t { Solid, Dashed, Dotted };

/// What a kind of links is called, where it is shown and how it is drawn: declared by the analysis that makes them.
struct LinkKindInfo {
    std::string id; ///< "wakeup": in answers; unique in its store, and the same kind wherever it has that id. Empty: there is no such kind.
    std::string title; ///< "Wake-up": for tooltips.
    std::string detail{}; ///< What Link::detail is: "Thread". Empty: just a detail.
    std::vector<std::string> views{}; ///< Whose panels show it: "control-flow". None: all of them.
    std::string color{}; ///< As in StateStyle.
    LinkLine line = LinkLine::Solid;
    std::uint8_t width = 2; ///< In half pixels.
    bool hasOpenHead = false;
    bool isHiddenFirst = false; ///< Shown only where a person asks for all kinds.
    bool operator==(const LinkKindInfo&) const = default;
};

/// The CPU of a link that has none.
constexpr std::int32_t NoCpu = -1;

/// An arrow from one track to another (or from nowhere: NoTrack).
struct Link {
    LinkKind kind = LinkKind::Wakeup;
    TrackId from = NoTrack; ///< Wakeup: the waker; the CPU's track where that was no thread: an interrupt, or the idle thread.
    TrackId to = NoTrack;
    HostTimestamp fromTime;
    HostTimestamp toTime;
    std::uint32_t cpu = 0; ///< Wakeup: that of the waking event. Sched: the CPU. Migration: the CPU left (from and to are CPU tracks).
    StringId detail{}; ///< Interrupt context of a wake-up...
    std::int32_t targetCpu = NoCpu; ///< Wakeup: as recorded. sched_waking comes before a CPU is chosen: it has the one used before.
    std::int32_t ranOn = NoCpu; ///< Wakeup: where the woken thread then ran; NoCpu: it was not seen to run.
    bool operator==(const Link&) const = default;
};

/// Which links are asked for: bit n of `kinds` for LinkKind n, and at which of their ends the track is.
struct LinkChoice {
    std::uint32_t kinds = ~0u;
    bool isFrom = true;
    bool isTo = true;
};
constexpr std::uint32_t bitOf(LinkKind kind) { return 1u << static_cast<unsigned>(kind); }

} // namespace helio
