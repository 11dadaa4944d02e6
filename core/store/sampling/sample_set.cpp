#include "core/io/mapped_file.h"
#include "core/store/file/xxh3.h"
#include "core/store/sampling/sample_blocks.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace helio {
namespace {

/// Samples in blocks, wherever those lie.
class BlockSamples final : public SampleSet {
public:
    /// Of what is in memory.
    explicit BlockSamples(SamplePicture picture)
        : m_picture(std::move(picture))
        , m_nodes(m_picture.nodes)
        , m_blocks(m_picture.blocks)
    {
        addUp();
    }

    /// Read in place.
    BlockSamples(std::vector<SampleKind> kinds, std::span<const StackNode> nodes, std::span<const SampleBlockEntry> blocks,
                 std::span<const std::byte> data, std::shared_ptr<const MappedFile> file)
        : m_nodes(nodes)
        , m_blocks(blocks)
        , m_mapped(data)
        , m_file(std::move(file))
    {
        m_picture.kinds = std::move(kinds);
        addUp();
    }

    std::span<const SampleKind> kinds() const override { return m_picture.kinds; }
    std::uint64_t count() const override { return m_count; }
    std::span<const std::uint64_t> countByKind() const override { return m_countByKind; }
    bool isDamaged() const override { return m_isDamaged.load(std::memory_order_relaxed); }
    std::span<const StackNode> nodes() const override { return m_nodes; }

    void visit(SampleKindId kind, HostRange range, const std::function<void(std::span<const HostSample>)>& take,
               std::stop_token stop) const override
    {
        if (static_cast<std::size_t>(kind) >= m_picture.kinds.size() || range.isEmpty())
            return;
        const bool isOffCpu = m_picture.kinds[static_cast<std::size_t>(kind)].origin == SampleKind::Origin::OffCpu;
        const std::int64_t begin = nanoseconds(range.begin);
        const std::int64_t end = nanoseconds(range.end);
        std::vector<HostSample> samples;
        for (const SampleBlockEntry& block : m_blocks) {
            if (stop.stop_requested())
                return;
            if (block.kind != static_cast<std::uint8_t>(kind) || block.end < begin || block.begin >= end)
                continue;
            if (!load(block, samples))
                continue;
            std::erase_if(samples, [&](const HostSample& s) { return !isIn(s, range, isOffCpu); });
            if (!samples.empty())
                take(samples);
        }
    }

private:
    static bool isIn(const HostSample& sample, HostRange range, bool isOffCpu)
    {
        if (!isOffCpu || sample.time >= range.begin)
            return range.contains(sample.time) || (range.end == HostTimestamp::max() && sample.time == range.end);
        // Unsigned: the time between any two times fits.
        return sample.weight > static_cast<std::uint64_t>(nanoseconds(range.begin)) - static_cast<std::uint64_t>(nanoseconds(sample.time));
    }

    std::span<const std::byte> bytesOf(const SampleBlockEntry& block) const
    {
        if (m_file)
            return block.offset <= m_mapped.size() && block.bytes <= m_mapped.size() - block.offset
                ? m_mapped.subspan(block.offset, block.bytes)
                : std::span<const std::byte>();
        const std::uint64_t size = m_picture.data.size();
        return block.offset <= size && block.bytes <= size - block.offset ? std::span(m_picture.data.at(block.offset), block.bytes)
                                                                          : std::span<const std::byte>();
    }

    bool load(const SampleBlockEntry& block, std::vector<HostSample>& out) const
    {
        const auto bytes = bytesOf(block);
        if (bytes.size() == block.bytes && static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size())) == block.hash
            && decodeSamples(bytes, block.count, SampleKindId(block.kind), m_nodes.size(), out))
            return true;
        m_isDamaged.store(true, std::memory_order_relaxed);
        return false;
    }

    void addUp()
    {
        m_countByKind.resize(m_picture.kinds.size());
        for (const SampleBlockEntry& block : m_blocks)
            m_countByKind[block.kind] += block.count;
        for (const std::uint64_t count : m_countByKind)
            m_count += count;
    }

    SamplePicture m_picture; ///< Its kinds; the rest where it is in memory.
    std::span<const StackNode> m_nodes;
    std::span<const SampleBlockEntry> m_blocks;
    std::span<const std::byte> m_mapped;
    std::shared_ptr<const MappedFile> m_file; ///< Null: in memory.
    std::uint64_t m_count = 0;
    std::vector<std::uint64_t> m_countByKind;
    mutable std::atomic<bool> m_isDamaged{false};
};

/// The bytes as an array; nothing where they are none.
template <typename T> std::span<const T> arrayIn(std::span<const std::byte> bytes)
{
    if (bytes.size() % sizeof(T) != 0 || reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(T) != 0)
        return {};
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

bool isTree(std::span<const StackNode> nodes)
{
    for (std::size_t i = 1; i < nodes.size(); ++i)
        if (static_cast<std::size_t>(nodes[i].parent()) >= i)
            return false;
    return !nodes.empty() && nodes.size() <= MaxStackNodes;
}

} // namespace

std::shared_ptr<const SampleSet> makeSampleSet(SamplePicture picture) { return std::make_shared<BlockSamples>(std::move(picture)); }

std::shared_ptr<const SampleSet> openSamples(const SampleSections& sections)
{
    std::vector<SampleKind> kinds;
    const auto nodes = arrayIn<StackNode>(sections.nodes);
    const auto blocks = arrayIn<SampleBlockEntry>(sections.blocks);
    if (!decodeKinds(sections.kinds, kinds) || !isTree(nodes) || (blocks.empty() && !sections.blocks.empty()))
        return nullptr;
    for (const SampleBlockEntry& block : blocks)
        if (block.kind >= kinds.size() || block.count == 0 || block.count > SampleBlockSamples)
            return nullptr;
    return std::make_shared<BlockSamples>(std::move(kinds), nodes, blocks, sections.data, sections.file);
}

} // namespace helio
