#include "core/store/samples.h"

namespace helio {
namespace {

class NoSamples final : public SampleSet {
public:
    std::span<const SampleKind> kinds() const override { return {}; }
    std::uint64_t count() const override { return 0; }
    std::span<const std::uint64_t> countByKind() const override { return {}; }
    bool isDamaged() const override { return false; }
    void visit(SampleKindId, HostRange, const std::function<void(std::span<const HostSample>)>&, std::stop_token) const override { }
};

class DroppedSamples final : public SampleSink {
public:
    SampleKindId addKind(SampleKind) override { return {}; }
    void add(const HostSample&) override { }
};

} // namespace

SampleSink& droppedSamples()
{
    static DroppedSamples sink; // The sink is stateless, so any thread may use it.
    return sink;
}

const SampleSet& noSamples()
{
    static const NoSamples none;
    return none;
}

} // namespace helio
