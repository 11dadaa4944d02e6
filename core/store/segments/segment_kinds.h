#pragma once

#include "core/store/segments.h"

#include <vector>

namespace helio {

/// The kinds of segments that a sink was asked for, by their ids.
class SegmentKinds {
public:
    /// As SegmentSink::addKind().
    Result<SegmentKindId> add(const SegmentKind& kind);
    const std::vector<SegmentKind>& all() const { return m_all; }

private:
    std::vector<SegmentKind> m_all;
};

} // namespace helio
