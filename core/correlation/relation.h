#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/clock/clock_transform.h"
#include "core/correlation/cross_links.h"
#include "core/correlation/host_evidence.h"
#include "core/correlation/thread_numbers.h"
#include "core/store/store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio {

struct Timeline;
struct TrackView;
struct Transmissions; // core/correlation/transmissions.h

/// What a relation is asked about.
struct RelationQuestion {
    TrackRef row{}; ///< Not valid: no row in particular.
    TimeRange range{}; ///< Empty: all of the experiment.
    Duration patience{}; ///< After so long what is found till then will do. 0: the whole answer is wanted.
    bool operator==(const RelationQuestion&) const = default;
};

/// From the clock of one trace to the experiment's.
struct TraceClock {
    std::uint32_t trace = 0; ///< Index in the timeline.
    ClockTransform clock{};
    std::uint32_t reference = 0; ///< The trace that its clock was compared with: where that is another host's, both hosts are synchronized.
    std::optional<Diagnostic> note{}; ///< For whoever looks at times that were corrected so.
};

/// Rows that are shown with those of a trace. Their times are the experiment's.
struct RelationRows {
    std::uint32_t trace = 0; ///< Index in the timeline; at most one store of a relation for each.
    std::shared_ptr<const Store> store;
    bool areOfAll = false; ///< They are of all traces together: they only stand with those of this one.
};

/// A time of the experiment, as the stores of such rows have it.
constexpr HostTimestamp onAxis(Timestamp at) { return hostTime(nanoseconds(at)); }

/// What holds between traces: what one finds by looking at several of them at once. Kept in memory only.
struct Relation {
    std::vector<TraceClock> clocks{}; ///< Of those traces whose clocks it knows better.
    CrossLinks links{};
    std::vector<RelationRows> rows{};
    std::vector<Diagnostic> diagnostics{};
    std::shared_ptr<const ThreadNumbers> threads{}; ///< Threads that other traces of their hosts number otherwise; null: it looks for none.
    std::shared_ptr<const Transmissions> messages{}; ///< Null: it finds none.
    std::shared_ptr<const std::vector<ComparedHosts>> comparisons{}; ///< What they say of clocks; null: nothing.
    bool isPart = false; ///< Of what it asks for: the question's patience was at its end.
};

/// A kind of relation: packets between hosts, what clocks have in common, the path that a request took.
///
/// Immutable. Threads: all methods from any thread at once.
class RelationKind {
public:
    enum class When : std::uint8_t {
        Opened, ///< As soon as traces are opened, from what they say of themselves. There are no stores yet.
        Indexed, ///< Once, when nothing is left to be indexed. Of a trace that could not be read, stores and facts may be missing.
        Asked, ///< Only for who asks (core/query/related), each question by itself.
        Shown, ///< For who shows rows of its views, once, without a question (core/query/related).
    };

    virtual ~RelationKind() = default;

    virtual std::string_view id() const = 0; ///< "same-boot": unique among relations.
    virtual When when() const = 0;
    /// Whether it says something of hosts' clocks from their traces alone, without stores.
    virtual bool comparesHosts() const { return false; }
    /// The views that its rows are in. They live as long as the kind.
    virtual std::span<const TrackView> views() const;

    /// Whether the timeline has anything for it. Cost: little; it is asked whenever traces are opened.
    virtual bool appliesTo(const Timeline& timeline) const = 0;
    /// Of a timeline that it applies to. Tracks of its own rows are named by rowsOf() of core/experiment/timeline.h.
    /// Errors: Usage: the question is none for it; Cancelled, soon after `stop`. Requires: it does not ask itself the same
    /// (core/query/related).
    virtual Result<Relation> make(const Timeline& timeline, const RelationQuestion& question, std::stop_token stop) const = 0;

    /// The links of what make() found, at the times that the timeline's clocks give them: asked for anew whenever clocks have changed.
    /// As made: those that it has.
    virtual CrossLinks linksOn(const Timeline& timeline, const Relation& found) const;
};

/// An item of the shelf core/correlators.
struct BuiltinRelation {
    std::shared_ptr<const RelationKind> (*make)();
};

/// Every relation that was built in. Generated from the folders of core/correlators.
std::span<const BuiltinRelation* const> builtinRelations();

} // namespace helio
