#pragma once

#include "core/query/rows/arrows.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

class LinkParts;

/// One of a store's links as an arrow.
Arrow arrowOf(const Timeline& timeline, StoreIndex store, const Link& link);

/// All arrows of some kinds that overlap a window, by (fromTime, store), in little memory however many they are. One
/// thread; the timeline outlives it.
class ArrowWalk {
public:
    ArrowWalk(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::stop_token stop = {});
    ~ArrowWalk();

    /// Steps to the next (at first: the first) arrow. False: the end, or stopped.
    bool next();

    // Of the current one.
    const Link& link() const; ///< In its trace's own time.
    StoreIndex store() const;
    Arrow arrow() const;

private:
    struct StoreLinks;
    void choose();

    const Timeline& m_timeline;
    std::stop_token m_stop;
    std::vector<StoreLinks> m_stores;
    std::size_t m_current = 0;
    bool m_isStarted = false;
};

} // namespace helio
