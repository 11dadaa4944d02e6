#include "core/store/segments/segment_kinds.h"

#include "core/store/segments/segment_blocks.h"

#include <algorithm>

namespace helio {

Result<SegmentKindId> SegmentKinds::add(const SegmentKind& kind)
{
    const auto known = std::ranges::find(m_all, kind.id, &SegmentKind::id);
    const auto id = SegmentKindId(static_cast<std::uint8_t>(known - m_all.begin()));
    if (known != m_all.end())
        return id;
    if (m_all.size() == MaxSegmentKinds)
        return Error{Error::Kind::Unsupported, "segments \"" + kind.id + "\": there are as many kinds as a store can hold"};
    m_all.push_back(kind);
    return id;
}

} // namespace helio
