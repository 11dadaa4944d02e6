#include "core/store/sampling/sample_blocks.h"

#include "core/io/mapped_file.h"
#include "core/store/file/byte_codec.h"
#include "core/store/file/xxh3.h"
#include "core/store/numbered_samples.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

namespace helio {
namespace {

/// Packs the mode and the booleans of a sample into a byte.
std::uint8_t flagsOf(const HostSample& sample)
{
    return static_cast<std::uint8_t>(static_cast<unsigned>(sample.mode) | (sample.isUnwound ? 0x10u : 0u) | (sample.isCut ? 0x20u : 0u)
                                     | (sample.isIdle ? 0x40u : 0u));
}

bool takeFlags(std::uint8_t flags, HostSample& sample)
{
    sample.mode = CodeMode(flags & 0xf);
    sample.isUnwound = flags & 0x10;
    sample.isCut = flags & 0x20;
    sample.isIdle = flags & 0x40;
    return sample.mode <= CodeMode::GuestUser && !(flags & 0x80);
}

/// Returns a - b modulo 2^64, so that the difference of any two numbers can be stored.
std::int64_t difference(std::uint64_t a, std::uint64_t b) { return static_cast<std::int64_t>(a - b); }
std::uint64_t sum(std::uint64_t a, std::int64_t b) { return a + static_cast<std::uint64_t>(b); }

/// Sample set that reads blocks from a mapped file or from memory.
class BlockSamples final : public SampleSet {
public:
    /// Makes a sample set over samples in memory.
    explicit BlockSamples(SampleSnapshot picture)
        : m_picture(std::move(picture))
        , m_blocks(m_picture.blocks)
    {
        addUp();
    }

    /// Makes a sample set that reads the samples of a mapped file in place.
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
        visitBlocks(
            kind, {.range = range},
            [&](std::uint64_t, std::vector<HostSample>& samples) {
                std::erase_if(samples, [&](const HostSample& s) { return !isIn(s, range, isOffCpu); });
                if (!samples.empty())
                    take(samples);
            },
            stop);
    }

    /// Calls take(number of the first sample, samples) for each block that overlaps the selection. `take` may change the samples.
    template <typename Take>
    void visitBlocks(SampleKindId kind, const SampleSelection& selection, const Take& take, const std::stop_token& stop) const
    {
        const std::int64_t begin = nanoseconds(selection.range.begin);
        const std::int64_t end = nanoseconds(selection.range.end);
        std::uint64_t next = 0; // Number of the first sample of the next block.
        std::vector<HostSample> samples;
        for (const SampleBlockEntry& block : m_blocks) {
            if (stop.stop_requested())
                return;
            if (block.kind != static_cast<std::uint8_t>(kind))
                continue;
            const std::uint64_t first = next;
            next += block.count;
            if (block.end < begin || block.begin >= end || next <= selection.first || first > selection.last)
                continue;
            if (load(block, samples))
                take(first, samples);
        }
    }

private:
    static bool isIn(const HostSample& sample, HostRange range, bool isOffCpu)
    {
        if (!isOffCpu || sample.time >= range.begin)
            return range.contains(sample.time) || (range.end == HostTimestamp::max() && sample.time == range.end);
        // Subtract unsigned numbers, because the difference of two times may overflow a signed number.
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
        if (m_file && !bytes.empty() && !m_file->require(static_cast<std::uint64_t>(bytes.data() - m_file->bytes().data()), bytes.size()))
            return false; // The samples are on another machine that cannot be reached.
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

    SampleSnapshot m_picture; ///< Kinds of samples and number of stack nodes; also the blocks and their bytes if the samples are in memory.
    std::span<const SampleBlockEntry> m_blocks;
    std::span<const std::byte> m_mapped;
    std::shared_ptr<const MappedFile> m_file; ///< File with the samples; nullptr if the samples are in memory.
    std::uint64_t m_count = 0;
    std::vector<std::uint64_t> m_countByKind;
    mutable std::atomic<bool> m_isDamaged{false};
};

} // namespace

void encodeSamples(std::span<const HostSample> samples, ByteWriter& out)
{
    const auto differences = [&](const auto& valueOf) {
        std::uint64_t last = 0;
        for (const HostSample& sample : samples) {
            const std::uint64_t value = valueOf(sample);
            out.putSigned(difference(value, last));
            last = value;
        }
    };
    differences([](const HostSample& s) { return static_cast<std::uint64_t>(nanoseconds(s.time)); });
    differences([](const HostSample& s) { return s.weight; });
    differences([](const HostSample& s) { return s.event; });
    for (const HostSample& sample : samples)
        out.put(static_cast<std::uint32_t>(sample.stack));
    for (const HostSample& sample : samples)
        out.put(static_cast<std::uint32_t>(sample.thread) + 1u);
    for (const HostSample& sample : samples)
        out.put(static_cast<std::uint32_t>(sample.cpu) + 1u);
    for (const HostSample& sample : samples)
        out.putByte(flagsOf(sample));
}

bool decodeSamples(std::span<const std::byte> bytes, std::size_t count, SampleKindId kind, std::size_t nodes, std::vector<HostSample>& out)
{
    out.assign(count, {});
    ByteReader in(bytes);
    const auto differences = [&](const auto& take) {
        std::uint64_t value = 0;
        for (HostSample& sample : out)
            take(sample, value = sum(value, in.getSigned()));
    };
    differences([](HostSample& s, std::uint64_t v) { s.time = hostTime(static_cast<std::int64_t>(v)); });
    differences([](HostSample& s, std::uint64_t v) { s.weight = v; });
    differences([](HostSample& s, std::uint64_t v) { s.event = v; });
    bool isGood = true;
    for (HostSample& sample : out) {
        const std::uint32_t stack = in.get32();
        isGood &= stack < nodes;
        sample.stack = StackId{stack};
        sample.kind = kind;
    }
    for (HostSample& sample : out)
        sample.thread = TrackId{in.get32() - 1};
    for (HostSample& sample : out)
        sample.cpu = static_cast<std::int32_t>(in.get32() - 1);
    for (HostSample& sample : out)
        isGood &= takeFlags(in.getByte(), sample);
    return isGood && in.isAtEnd();
}

void encodeKinds(std::span<const SampleKind> kinds, ByteWriter& out)
{
    out.put(kinds.size());
    for (const SampleKind& kind : kinds) {
        out.putText(kind.name);
        out.putText(kind.unit);
        out.putByte(static_cast<std::uint8_t>(kind.origin));
        out.putByte(kind.isTime ? 1 : 0);
        out.put(static_cast<std::uint64_t>(kind.spacing.count()));
        out.put(kind.leastWeight);
        out.put(kind.mostWeight);
    }
}

bool decodeKinds(std::span<const std::byte> bytes, std::vector<SampleKind>& out)
{
    ByteReader in(bytes);
    const std::size_t count = in.getCount(7);
    if (count > std::numeric_limits<std::uint8_t>::max())
        return false;
    for (std::size_t i = 0; i < count; ++i) {
        SampleKind& kind = out.emplace_back();
        kind.name = in.getText();
        kind.unit = in.getText();
        const std::uint8_t origin = in.getByte();
        kind.origin = SampleKind::Origin(origin);
        kind.isTime = in.getByte() != 0;
        kind.spacing = Duration(static_cast<std::int64_t>(std::min<std::uint64_t>(in.get(), INT64_MAX)));
        kind.leastWeight = in.get();
        kind.mostWeight = in.get();
        if (origin > static_cast<std::uint8_t>(SampleKind::Origin::Summed))
            return false;
    }
    return in.isAtEnd();
}

void visitSampleBlocks(const SampleSet& samples, SampleKindId kind, const SampleSelection& selection, const SampleBlockVisitor& take,
                       std::stop_token stop)
{
    if (const auto* const blocks = dynamic_cast<const BlockSamples*>(&samples); blocks && !selection.range.isEmpty())
        blocks->visitBlocks(kind, selection, take, stop);
}

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
