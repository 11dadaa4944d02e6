#pragma once

#include "core/correlation/inter_trace_links.h"
#include "core/query/rows/rows.h"
#include "core/store/links.h"

#include <initializer_list>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// Index into Timeline::relations.
enum class RelationIndex : std::uint32_t {};
constexpr RelationIndex NoRelation{0xffffffff};

/// A link of a store or of a correlator, with both ends on the experiment's time.
struct Arrow {
    LinkKind kind = LinkKind::Wakeup;
    TrackRef from; ///< Track at the beginning. For a wake-up: the waker, or the CPU if an interrupt or the idle thread woke (Link::from).
    TrackRef to;
    Timestamp fromTime;
    Timestamp toTime;
    std::uint32_t cpu = 0;
    std::string detail;
    std::int32_t targetCpu = NoCpu;
    std::int32_t ranOn = NoCpu;
    StoreIndex store{}; ///< Store that has the link; meaningless if `relation` is set.
    RelationIndex relation = NoRelation;
    std::uint32_t message = NoMessage; ///< InterTraceLink::message; NoMessage if the link has none.
    bool operator==(const Arrow&) const = default;
};

/// Kinds of links, by their ids. An id means the same kind in all stores.
struct LinkIds {
    std::vector<std::string> ids;
    /// View that the links are wanted for. A store may have several kinds with one id: the same links, with ends that different views have
    /// rows for. The kind made for this view is chosen. Empty: the kind made for all views.
    std::string view;

    LinkIds() = default;
    LinkIds(std::initializer_list<std::string> these)
        : ids(these)
    {
    }
    bool isEmpty() const { return ids.empty(); }
    bool operator==(const LinkIds&) const = default;
};

/// Returns the kinds that a view shows, of those that the stores have; kinds that are hidden at first only if `all`.
LinkIds linkKindsInView(const Timeline& timeline, std::string_view view, bool all = true);

/// Returns the name and style of the arrow's kind. It has no id if the arrow's store or correlator does not exist or does not describe the
/// kind.
const LinkKindInfo& kindOf(const Timeline& timeline, const Arrow& arrow);

/// Returns which of a store's or correlator's `own` kinds are among `kinds`: bit n for LinkKind n.
std::uint32_t linkMask(std::span<const LinkKindInfo> own, const LinkIds& kinds);

/// Returns the arrows of the given kinds that overlap the window, by fromTime, at most `limit` of them (0: all). `total` is set to their
/// number. With a limit, the answer is empty if there are more than 200,000: too many for any picture.
std::vector<Arrow> arrows(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::size_t limit = 0,
                          std::uint64_t* total = nullptr, std::stop_token stop = {});

/// Ends of an arrow that may touch a track.
struct ArrowEnds {
    bool isFrom = true;
    bool isTo = true;
};

/// Returns the next or previous arrow of the given kinds that touches the track, from `at` exclusive; searches the track's store and all
/// correlators. Count 0 or 1.
std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, const LinkIds& kinds, ArrowEnds ends = {});
std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, const LinkIds& kinds, ArrowEnds ends = {});

/// Returns the next or previous arrow that touches the track, from the track's store alone. `choice` has the LinkKind numbers that mean the
/// same in every store. Count 0 or 1.
std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkFilter choice);
std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkFilter choice);

/// True if, in the track's store, the links with the number `known` belong to one of `kinds`.
bool hasLinkKind(const Timeline& timeline, TrackRef track, const LinkIds& kinds, LinkKind known);

/// Returns a store's link as an arrow, with its times on the experiment's clock.
Arrow arrowOf(const Timeline& timeline, StoreIndex store, const Link& link);
/// Returns a correlator's link as an arrow. If the link has no detail, the text of its message is used.
Arrow arrowOf(const Timeline& timeline, RelationIndex relation, const InterTraceLink& link);

/// Walks all arrows of the given kinds that overlap a window, by fromTime. Arrows of the same time come in the order of the stores, then of
/// the correlators.
/// Threads: to be used by one thread; the timeline outlives the walk.
/// Cost: little memory, however many arrows there are.
class ArrowWalk {
public:
    ArrowWalk(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::stop_token stop = {});
    ~ArrowWalk();

    /// Steps to the next arrow, at first to the first one. Returns false at the end, or if stopped.
    bool next();

    /// Returns the current arrow.
    Arrow arrow() const;

    /// Hands out the links of one store or correlator, one by one.
    class Source;

private:
    void choose();

    std::stop_token m_stop;
    std::vector<std::unique_ptr<Source>> m_sources;
    std::size_t m_current = 0;
    bool m_isStarted = false;
};

} // namespace helio
