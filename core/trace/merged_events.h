#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <span>
#include <vector>

namespace helio {

/// All streams of one trace in one order: by (time, stream index), which is babeltrace2's order too. Within a stream the file's order
/// stands, also where its times go back. Losses come where their gap ends. One thread.
class MergedEvents {
public:
    explicit MergedEvents(const Trace& trace, std::span<const StreamPosition> from = {});
    ~MergedEvents();

    /// Steps to the next event. False: the end.
    bool next();

    const EventView& event() const { return m_event; }

    /// Cheap; true when takeLosses() would give any.
    bool hasLosses() const { return m_hasLosses; }

    /// Losses met since the last call, gaps that end at or before the current event (at the end: all).
    std::vector<Loss> takeLosses();

    /// Where to go on so that the current event comes first.
    std::vector<StreamPosition> positions() const;

    std::vector<Diagnostic> diagnostics() const;

private:
    struct Source;
    EventView m_event;
    bool m_hasLosses = false;
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace helio
