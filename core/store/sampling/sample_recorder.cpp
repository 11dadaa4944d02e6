#include "core/store/sampling/sample_recorder.h"

#include "core/store/file/xxh3.h"

#include <algorithm>

namespace helio {
namespace {

/// Returns the end of an off-CPU sample; the maximum time if the sum overflows.
std::int64_t endOf(const HostSample& sample)
{
    std::int64_t end = 0;
    const auto length = static_cast<std::int64_t>(std::min<std::uint64_t>(sample.weight, INT64_MAX));
    return __builtin_add_overflow(nanoseconds(sample.time), length, &end) ? INT64_MAX : end;
}

} // namespace

SampleKindId SampleRecorder::addKind(SampleKind kind)
{
    // A store has at most 255 kinds of samples. Samples of further kinds are added to the last kind.
    if (m_kinds.size() < 255) {
        m_kinds.push_back(std::move(kind));
        m_open.emplace_back();
    }
    return SampleKindId(static_cast<std::uint8_t>(m_kinds.size() - 1));
}

void SampleRecorder::add(const HostSample& sample)
{
    const auto kind = static_cast<std::size_t>(sample.kind);
    if (kind >= m_open.size())
        return;
    m_kinds[kind].mergeWeights(sample.weight, sample.weight);
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

std::shared_ptr<const SampleSet> SampleRecorder::picture(std::size_t stackNodes) const
{
    if (isEmpty())
        return nullptr;
    SampleSnapshot picture{m_kinds, m_blocks, m_data.contents(), stackNodes};
    if (picture.data.isUnreadable)
        return nullptr;
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

void SampleRecorder::writeBlocks(const Out& out) const { out(std::as_bytes(std::span(m_blocks))); }

bool SampleRecorder::writeData(const Out& out) const { return m_data.copyTo(out); }

} // namespace helio
