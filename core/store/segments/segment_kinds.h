#pragma once

#include "core/store/segments.h"

#include <vector>

namespace helio {

/// The kinds of segments of a sink, each id once.
class SegmentKinds {
public:
    /// Implements SegmentSink::addKind().
    Result<SegmentKindId> add(const SegmentKind& kind);
    const std::vector<SegmentKind>& all() const { return m_all; }

private:
    std::vector<SegmentKind> m_all;
};

} // namespace helio
