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

/// Correlation, as an index into Timeline::relations.
enum class RelationIndex : std::uint32_t {};
constexpr RelationIndex NoRelation{0xffffffff};

/// A link of a store or of a correlator; the times of both ends are on the experiment's clock.
struct Arrow {
    LinkKind kind = LinkKind::Wakeup;
    /// Track at which the arrow begins. For a wake-up: the waker, or the CPU if an interrupt or the idle thread was the waker (Link::from).
    TrackRef from;
    TrackRef to;
    Timestamp fromTime;
    Timestamp toTime;
    std::uint32_t cpu = 0;
    std::string detail;
    std::int32_t targetCpu = NoCpu;
    std::int32_t ranOn = NoCpu;
    /// Store that contains the link. Meaningless if `relation` is not NoRelation, because a correlator then contains the link.
    StoreIndex store{};
    RelationIndex relation = NoRelation;
    /// Value of InterTraceLink::message: the message that the link represents; NoMessage if it represents none.
    std::uint32_t message = NoMessage;
    bool operator==(const Arrow&) const = default;
};

/// Set of link kinds, by their ids. An id means the same kind in all stores.
struct LinkIds {
    std::vector<std::string> ids;
    /// View that requests the links. A store may contain the same links once for each view, as several kinds with one id; the
    /// links of each kind then begin and end on rows of its view. Queries choose the kind for `view`; if `view` is empty, the kind
    /// made for all views.
    std::string view;

    LinkIds() = default;
    LinkIds(std::initializer_list<std::string> these)
        : ids(these)
    {
    }
    bool isEmpty() const { return ids.empty(); }
    bool operator==(const LinkIds&) const = default;
};

/// Returns the link kinds of the stores that a view shows. Kinds that are hidden by default are included only if `all` is true.
LinkIds linkKindsInView(const Timeline& timeline, std::string_view view, bool all = true);

/// Returns the name and style of the arrow's kind. The result has an empty id if the arrow's store or correlator does not exist or does not
/// describe the kind.
const LinkKindInfo& kindOf(const Timeline& timeline, const Arrow& arrow);

/// Returns a bit mask of the kinds in `own` (the kinds of a store or correlator) that are also in `kinds`: bit n for LinkKind n.
std::uint32_t linkMask(std::span<const LinkKindInfo> own, const LinkIds& kinds);

/// Returns the arrows of the given kinds that overlap `window`, sorted by fromTime, at most `limit` arrows (0: all). Sets `total` to the
/// number of all such arrows. With a limit, returns no arrows if there are more than 200,000, which are too many to draw.
std::vector<Arrow> arrows(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::size_t limit = 0,
                          std::uint64_t* total = nullptr, std::stop_token stop = {});

/// Ends of an arrow to search on a track: the beginning, the end, or both.
struct ArrowEnds {
    bool isFrom = true;
    bool isTo = true;
};

/// Returns the nearest arrow of the given kinds that touches the track after (nextArrow) or before (previousArrow) `at`, exclusive.
/// Searches the track's store and all correlators. The result has 0 or 1 elements.
std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, const LinkIds& kinds, ArrowEnds ends = {});
std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, const LinkIds& kinds, ArrowEnds ends = {});

/// Returns the nearest arrow of the track's store that touches the track after (nextArrow) or before (previousArrow) `at`. `choice` selects
/// LinkKind numbers, which must mean the same in every store. The result has 0 or 1 elements.
std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkFilter choice);
std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkFilter choice);

/// True if LinkKind number `known` of the track's store is one of `kinds`.
bool hasLinkKind(const Timeline& timeline, TrackRef track, const LinkIds& kinds, LinkKind known);

/// Returns a store's link as an arrow, with its times on the experiment's clock.
Arrow arrowOf(const Timeline& timeline, StoreIndex store, const Link& link);
/// Returns a correlator's link as an arrow. If the link has no detail, the text of its message is used.
Arrow arrowOf(const Timeline& timeline, RelationIndex relation, const InterTraceLink& link);

/// Iterates over all arrows of the given kinds that overlap a time range, sorted by fromTime. Arrows with equal times come in the order of
/// the stores, followed by the correlators.
/// Ownership: the timeline must outlive the walk.
/// Threads: to be used by one thread at a time.
/// Memory: little, however many arrows there are.
class ArrowWalk {
public:
    ArrowWalk(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::stop_token stop = {});
    ~ArrowWalk();

    /// Moves to the next arrow; the first call moves to the first arrow. Returns false at the end, or if stopped.
    bool next();

    /// Returns the arrow to which the last call of next() moved. Requires: this call returned true.
    Arrow arrow() const;

    /// Iterator over the links of one store or correlator.
    class Source;

private:
    void choose();

    std::stop_token m_stop;
    std::vector<std::unique_ptr<Source>> m_sources;
    std::size_t m_current = 0;
    bool m_isStarted = false;
};

} // namespace helio
