#include "core/store/samples.h"

#include <array>

namespace helio {
namespace {

class NoSamples final : public SampleSet {
public:
    std::span<const SampleKind> kinds() const override { return {}; }
    std::uint64_t count() const override { return 0; }
    std::span<const std::uint64_t> countByKind() const override { return {}; }
    std::span<const StackNode> nodes() const override { return m_nodes; }
    void visit(SampleKindId, HostRange, const std::function<void(std::span<const HostSample>)>&, std::stop_token) const override {}

private:
    std::array<StackNode, 1> m_nodes;
};

} // namespace

const SampleSet& noSamples()
{
    static const NoSamples none;
    return none;
}

} // namespace helio
