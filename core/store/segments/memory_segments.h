#pragma once

#include "core/store/segments/segment_kinds.h"

#include <memory>
#include <vector>

namespace helio {

/// Keeps segments in plain vectors and queries them with plain loops: the model that block segments are tested against.
class MemorySegments final : public SegmentSink {
public:
    Result<SegmentKindId> addKind(const SegmentKind& kind) override { return m_kinds.add(kind); }
    void add(const HostSegment& segment) override;

    /// Returns the segments so far; nullptr if there are no kinds.
    std::shared_ptr<const SegmentSet> picture() const;

private:
    SegmentKinds m_kinds;
    std::vector<HostSegment> m_segments; ///< Segments in the order in which they were added.
};

} // namespace helio
