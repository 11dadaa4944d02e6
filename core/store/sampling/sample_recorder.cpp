#include "core/store/sampling/sample_recorder.h"

#include "core/store/file/xxh3.h"

#include <algorithm>

namespace helio {
namespace {

std::uint64_t mixed(std::uint64_t h, std::uint64_t value)
{
    h = (h ^ value) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

/// The end of the time that a sample speaks of. Saturates.
std::int64_t endOf(const HostSample& sample)
{
    std::int64_t end = 0;
    const auto length = static_cast<std::int64_t>(std::min<std::uint64_t>(sample.weight, INT64_MAX));
    return __builtin_add_overflow(nanoseconds(sample.time), length, &end) ? INT64_MAX : end;
}

} // namespace

std::size_t SampleRecorder::NodeHash::operator()(const NodeKey& key) const
{
    return mixed(mixed(mixed(0x632be59bd9b4e019u, key.caller), key.module), key.address);
}

SampleKindId SampleRecorder::addKind(SampleKind kind)
{
    // There are 255 at most; what comes after them is counted with the last.
    if (m_kinds.size() < 255) {
        m_kinds.push_back(std::move(kind));
        m_open.emplace_back();
    }
    return SampleKindId(static_cast<std::uint8_t>(m_kinds.size() - 1));
}

StackId SampleRecorder::stack(StackId caller, StackFrame frame)
{
    const NodeKey key{static_cast<std::uint64_t>(caller),
                      std::uint64_t(static_cast<std::uint32_t>(frame.module)) << 1 | (frame.isReturnAddress ? 1 : 0), frame.address};
    if (m_nodes.size() >= MaxStackNodes) {
        const auto known = m_index.find(key);
        return known == m_index.end() ? caller : StackId{known->second};
    }
    const auto [place, isNew] = m_index.emplace(key, static_cast<std::uint32_t>(m_nodes.size()));
    if (isNew)
        m_nodes.emplace_back(caller, frame);
    return StackId{place->second};
}

void SampleRecorder::add(const HostSample& sample)
{
    const auto kind = static_cast<std::size_t>(sample.kind);
    if (kind >= m_open.size())
        return;
    m_kinds[kind].takeWeights(sample.weight, sample.weight);
    m_open[kind].push_back(sample);
    if (m_open[kind].size() == SampleBlockSamples)
        close(kind);
}

SampleBlockEntry SampleRecorder::entryOf(std::size_t kind, std::span<const HostSample> samples, std::span<const std::byte> bytes,
                                         std::uint64_t offset) const
{
    SampleBlockEntry entry;
    const bool isOffCpu = m_kinds[kind].origin == SampleKind::Origin::OffCpu;
    entry.begin = INT64_MAX;
    entry.end = INT64_MIN;
    for (const HostSample& sample : samples) {
        entry.begin = std::min(entry.begin, nanoseconds(sample.time));
        entry.end = std::max(entry.end, isOffCpu ? endOf(sample) : nanoseconds(sample.time));
    }
    entry.offset = offset;
    entry.bytes = static_cast<std::uint32_t>(bytes.size());
    entry.hash = static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
    entry.count = static_cast<std::uint32_t>(samples.size());
    entry.kind = static_cast<std::uint8_t>(kind);
    return entry;
}

void SampleRecorder::close(std::size_t kind)
{
    if (m_open[kind].empty())
        return;
    ByteWriter bytes;
    encodeSamples(m_open[kind], bytes);
    m_blocks.push_back(entryOf(kind, m_open[kind], bytes.bytes(), m_data.size()));
    m_open[kind].clear();
    m_data.append(bytes.bytes());
}

std::shared_ptr<const SampleSet> SampleRecorder::picture() const
{
    if (isEmpty())
        return nullptr;
    SamplePicture picture{m_kinds, m_nodes, m_blocks, m_data.contents()};
    for (std::size_t kind = 0; kind < m_open.size(); ++kind) {
        if (m_open[kind].empty())
            continue;
        ByteWriter bytes;
        encodeSamples(m_open[kind], bytes);
        picture.blocks.push_back(entryOf(kind, m_open[kind], bytes.bytes(), picture.data.size()));
        picture.data.tail.insert(picture.data.tail.end(), bytes.bytes().begin(), bytes.bytes().end());
    }
    return makeSampleSet(std::move(picture));
}

void SampleRecorder::finish()
{
    for (std::size_t kind = 0; kind < m_open.size(); ++kind)
        close(kind);
}

void SampleRecorder::writeKinds(const Out& out) const
{
    ByteWriter bytes;
    encodeKinds(m_kinds, bytes);
    out(bytes.bytes());
}

void SampleRecorder::writeNodes(const Out& out) const { out(std::as_bytes(std::span(m_nodes))); }

void SampleRecorder::writeBlocks(const Out& out) const { out(std::as_bytes(std::span(m_blocks))); }

void SampleRecorder::writeData(const Out& out) const { m_data.copyTo(out); }

} // namespace helio
