#pragma once

#include "core/store/track.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

/// Kind of a link: its number in the store, below MostLinkKinds. The named kinds mean the same in every store. Kinds that an analysis
/// declares itself are numbered from FirstOwn.
enum class LinkKind : std::uint8_t {
    Wakeup,
    Sched, ///< Context switch: from the thread that left a CPU to the thread that got the CPU.
    Migration, ///< Link of a migrated thread, between the tracks of the two CPUs.
    Packet,
    FirstOwn,
};

/// Maximum number of link kinds in a store: sets of kinds are 32-bit masks.
constexpr std::size_t MostLinkKinds = 32;

enum class LinkLine : std::uint8_t { Solid, Dashed, Dotted };

/// Name, views and style of a kind of links, declared by the analysis that records the links.
struct LinkKindInfo {
    /// Name of the kind in output, for example "wakeup". Unique in its store; the same id means the same kind in all stores. Empty if the
    /// kind is not in use.
    std::string id;
    std::string title; ///< Title for tooltips, e.g. "Wake-up".
    std::string detail{}; ///< Title of Link::detail, for example "Thread"; empty if the detail has no title.
    std::vector<std::string> views{}; ///< Ids of the views that show links of this kind, for example "control-flow"; empty: all views.
    std::string color{}; ///< Colour of the arrows, in the format of StateStyle::color.
    LinkLine line = LinkLine::Solid;
    std::uint8_t width = 2; ///< Width of the arrows in half pixels.
    bool hasOpenHead = false;
    bool isHiddenByDefault = false; ///< True if the links are hidden until the user asks for all kinds.
    bool operator==(const LinkKindInfo&) const = default;
};

/// Value of a CPU number if there is no CPU or the CPU is unknown.
constexpr std::int32_t NoCpu = -1;

/// An arrow from one track and time to another track and time. `from` or `to` is NoTrack if that end is unknown.
struct Link {
    LinkKind kind = LinkKind::Wakeup;
    TrackId from = NoTrack; ///< For a wake-up: the waker, or the track of the CPU if an interrupt or the idle thread woke the thread.
    TrackId to = NoTrack;
    HostTimestamp fromTime;
    HostTimestamp toTime;
    /// CPU of the link. Wakeup: the CPU of the waking event. Sched: the CPU that switched threads. Migration: the CPU that the thread
    /// left (`from` and `to` are CPU tracks).
    std::uint32_t cpu = 0;
    StringId detail{}; ///< Text about the link, e.g. the interrupt context of a wake-up; its title is LinkKindInfo::detail.
    /// For a wake-up: CPU recorded in the waking event; NoCpu if none is recorded. In sched_waking, this is the CPU on which the thread ran
    /// last, because the kernel chooses the new CPU only after this event.
    std::int32_t targetCpu = NoCpu;
    std::int32_t ranOn = NoCpu; ///< Wakeup: CPU on which the woken thread ran next; NoCpu if no run is recorded.
    bool operator==(const Link&) const = default;
};

/// Filter for the links of one track. `kinds`: accepted kinds, bit n for LinkKind n. `acceptsOutgoing`: accepts links that begin at the
/// track. `acceptsIncoming`: accepts links that end at the track.
struct LinkFilter {
    std::uint32_t kinds = ~0u;
    bool acceptsOutgoing = true;
    bool acceptsIncoming = true;
};
constexpr std::uint32_t bitOf(LinkKind kind) { return 1u << static_cast<unsigned>(kind); }

} // namespace helio
