#include "core/io/mapped_file.h"
#include "core/store/file/cast_entries.h"
#include "core/store/file/xxh3.h"
#include "core/store/sampling/sample_blocks.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace helio {
namespace {

/// Samples in blocks, in a mapped file or in memory.
class BlockSamples final : public SampleSet {
public:
    /// Makes a set of samples in memory.
    explicit BlockSamples(SampleSnapshot picture)
        : m_picture(std::move(picture))
        , m_blocks(m_picture.blocks)
    {
        addUp();
    }

    /// Makes a set that reads the samples of a mapped file in place.
    BlockSamples(std::vector<SampleKind> kinds, std::span<const SampleBlockEntry> blocks, std::span<const std::byte> data,
                 std::shared_ptr<const MappedFile> file, std::size_t stackNodes)
        : m_blocks(blocks)
        , m_mapped(data)
        , m_file(std::move(file))
    {
        m_picture.kinds = std::move(kinds);
        m_picture.stackNodes = stackNodes;
        addUp();
    }

    std::span<const SampleKind> kinds() const override { return m_picture.kinds; }
    std::uint64_t count() const override { return m_count; }
    std::span<const std::uint64_t> countByKind() const override { return m_countByKind; }
    bool isDamaged() const override { return m_isDamaged.load(std::memory_order_relaxed); }

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
        // unsigned, because the difference of two times may exceed a signed number
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
            && decodeSamples(bytes, block.count, SampleKindId(block.kind), m_picture.stackNodes, out))
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

    SampleSnapshot m_picture; ///< Kinds and number of stack nodes; blocks and data only if the samples are in memory.
    std::span<const SampleBlockEntry> m_blocks;
    std::span<const std::byte> m_mapped;
    std::shared_ptr<const MappedFile> m_file; ///< nullptr if the samples are in memory.
    std::uint64_t m_count = 0;
    std::vector<std::uint64_t> m_countByKind;
    mutable std::atomic<bool> m_isDamaged{false};
};

} // namespace

std::shared_ptr<const SampleSet> makeSampleSet(SampleSnapshot picture) { return std::make_shared<BlockSamples>(std::move(picture)); }

std::shared_ptr<const SampleSet> openSamples(const SampleSections& sections, std::size_t stackNodes)
{
    std::vector<SampleKind> kinds;
    std::span<const SampleBlockEntry> blocks;
    if (!decodeKinds(sections.kinds, kinds) || !castEntries(sections.blocks, blocks))
        return nullptr;
    for (const SampleBlockEntry& block : blocks)
        if (block.kind >= kinds.size() || block.count == 0 || block.count > SampleBlockSamples)
            return nullptr;
    return std::make_shared<BlockSamples>(std::move(kinds), blocks, sections.data, sections.file, stackNodes);
}

} // namespace helio
