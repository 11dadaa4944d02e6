#pragma once

#include "core/query/rows/arrows.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

struct CrossLink;

/// One of a store's links as an arrow, and one of a relation's.
Arrow arrowOf(const Timeline& timeline, StoreIndex store, const Link& link);
/// A message's says what it is, where its link does not.
Arrow arrowOf(const Timeline& timeline, RelationIndex relation, const CrossLink& link);

/// All arrows of some kinds that overlap a window, by fromTime; of those at one time, the stores' in their order, then the relations'. In
/// little memory however many they are. One thread; the timeline outlives it.
class ArrowWalk {
public:
    ArrowWalk(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::stop_token stop = {});
    ~ArrowWalk();

    /// Steps to the next (at first: the first) arrow. False: the end, or stopped.
    bool next();

    /// The current one.
    Arrow arrow() const;

    /// Hands out the links of one store or relation, one by one.
    class Source;

private:
    void choose();

    std::stop_token m_stop;
    std::vector<std::unique_ptr<Source>> m_sources;
    std::size_t m_current = 0;
    bool m_isStarted = false;
};

} // namespace helio
