#pragma once

#include "core/query/rows/arrows.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

struct InterTraceLink;

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
