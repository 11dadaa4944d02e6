#include "core/store/segments.h"

namespace helio {
namespace {

class NoSegments final : public SegmentSet {
public:
    std::span<const SegmentKind> kinds() const override { return {}; }
    SegmentSum sum(SegmentKindId) const override { return {}; }
    bool isDamaged() const override { return false; }
    void visit(SegmentKindId, HostRange, const Take&, std::stop_token) const override { }
    std::vector<HostSegment> longest(SegmentKindId, HostRange, std::size_t, std::stop_token) const override { return {}; }
    SegmentHistogram spread(SegmentKindId, HostRange, std::stop_token) const override { return {}; }
    SegmentColumns spans(SegmentKindId, HostRange, Duration, std::stop_token) const override { return {}; }
    std::optional<HostSegment> next(const HostSegment&) const override { return {}; }
    std::optional<HostSegment> previous(const HostSegment&) const override { return {}; }
};

class DroppedSegments final : public SegmentSink {
public:
    Result<SegmentKindId> addKind(const SegmentKind&) override { return SegmentKindId{}; }
    void add(const HostSegment&) override { }
};

} // namespace

const SegmentSet& noSegments()
{
    static const NoSegments none;
    return none;
}

SegmentSink& droppedSegments()
{
    static DroppedSegments sink; // The sink is stateless, so any thread may use it.
    return sink;
}

} // namespace helio
