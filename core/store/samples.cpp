#include "core/store/samples.h"

#include <array>

namespace helio {
namespace {

class NoSamples final : public SampleSet {
public:
    std::span<const SampleKind> kinds() const override { return {}; }
    std::uint64_t count() const override { return 0; }
    std::span<const std::uint64_t> countByKind() const override { return {}; }
    bool isDamaged() const override { return false; }
    std::span<const StackNode> nodes() const override { return m_nodes; }
    void visit(SampleKindId, HostRange, const std::function<void(std::span<const HostSample>)>&, std::stop_token) const override {}

private:
    std::array<StackNode, 1> m_nodes;
};

class DroppedSamples final : public SampleSink {
public:
    SampleKindId addKind(SampleKind) override { return {}; }
    StackId stack(StackId, StackFrame) override { return NoStack; }
    void add(const HostSample&) override {}
};

} // namespace

SampleSink& droppedSamples()
{
    static DroppedSamples sink; // Has no state: any thread may use it.
    return sink;
}

const SampleSet& noSamples()
{
    static const NoSamples none;
    return none;
}

} // namespace helio
