#pragma once

#include "core/store/track.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

/// Number of a kind of links in its store, below MostLinkKinds. The named kinds mean the same in every store. Kinds that an analysis
/// declares itself are numbered from FirstOwn.
enum class LinkKind : std::uint8_t {
    Wakeup,
    Sched, ///< From the thread that left a CPU to the thread that got it.
    Migration, ///< Between the tracks of two CPUs.
    Packet,
    FirstOwn,
};

/// Limit on the kinds of links of a store: kinds are kept as bits of 32-bit masks.
constexpr std::size_t MostLinkKinds = 32;

enum class LinkLine : std::uint8_t { Solid, Dashed, Dotted };

/// Name, views and look of a kind of links, declared by the analysis that records them.
struct LinkKindInfo {
    std::string id; ///< Name in output, e.g. "wakeup". Unique in its store; the same id means the same kind in all stores. Empty if the
                    ///< kind is not in use.
    std::string title; ///< Title for tooltips, e.g. "Wake-up".
    std::string detail{}; ///< Title of Link::detail, e.g. "Thread"; empty if it has no title.
    std::vector<std::string> views{}; ///< Ids of the views that show these links, e.g. "control-flow"; empty for all views.
    std::string color{}; ///< Has the format of StateStyle::color.
    LinkLine line = LinkLine::Solid;
    std::uint8_t width = 2; ///< In half pixels.
    bool hasOpenHead = false;
    bool isHiddenByDefault = false; ///< True if the links are hidden until the user asks for all kinds.
    bool operator==(const LinkKindInfo&) const = default;
};

/// CPU number if there is no CPU, or if it is unknown.
constexpr std::int32_t NoCpu = -1;

/// An arrow from one track and time to another. `from` or `to` is NoTrack if that end is unknown.
struct Link {
    LinkKind kind = LinkKind::Wakeup;
    TrackId from = NoTrack; ///< Wakeup: the waker, or the track of its CPU if an interrupt or the idle thread woke.
    TrackId to = NoTrack;
    HostTimestamp fromTime;
    HostTimestamp toTime;
    std::uint32_t cpu = 0; ///< Wakeup: CPU of the waking event. Sched: the CPU. Migration: the CPU that was left (`from` and `to` are CPU
                           ///< tracks).
    StringId detail{}; ///< Text about the link, e.g. the interrupt context of a wake-up; its title is LinkKindInfo::detail.
    std::int32_t targetCpu = NoCpu; ///< Wakeup: target CPU as recorded. sched_waking precedes the choice of a CPU, so it records the CPU
                                    ///< used before.
    std::int32_t ranOn = NoCpu; ///< Wakeup: CPU on which the woken thread then ran; NoCpu if it was not seen to run.
    bool operator==(const Link&) const = default;
};

/// Filter for links that touch a track: their kinds (bit n for LinkKind n), and whether the track may be at their `from` or `to` end.
struct LinkFilter {
    std::uint32_t kinds = ~0u;
    bool isFrom = true;
    bool isTo = true;
};
constexpr std::uint32_t bitOf(LinkKind kind) { return 1u << static_cast<unsigned>(kind); }

} // namespace helio
