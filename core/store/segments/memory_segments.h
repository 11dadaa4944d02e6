#pragma once

#include "core/store/segments/segment_kinds.h"

#include <memory>
#include <vector>

namespace helio {

/// Segments in plain vectors, asked by plain loops: the model that segments in blocks are tested against.
class MemorySegments final : public SegmentSink {
public:
    Result<SegmentKindId> addKind(const SegmentKind& kind) override { return m_kinds.add(kind); }
    void add(const HostSegment& segment) override;

    /// The segments so far; null where there are no kinds.
    std::shared_ptr<const SegmentSet> picture() const;

private:
    SegmentKinds m_kinds;
    std::vector<HostSegment> m_segments; ///< As they were added.
};

} // namespace helio
