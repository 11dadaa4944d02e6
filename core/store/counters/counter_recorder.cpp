#include "core/store/counters/counter_recorder.h"

#include "core/store/counters/counter_index.h"
#include "core/store/file/level_tree.h"
#include "core/store/file/xxh3.h"

#include <array>

namespace helio {
namespace {

/// Maximum number of points that are not yet in a block. With very many series, blocks are made shorter so that this limit is kept.
constexpr std::size_t MostOpen = std::size_t(1) << 20;

void appendEntries(ByteWriter& out, std::span<const CounterEntry> entries) { out.append(std::as_bytes(entries)); }

} // namespace

void CounterRecorder::take(CounterSeriesId series, const CounterPoint& point)
{
    const auto n = static_cast<std::size_t>(series);
    if (n >= m_seriesData.size())
        m_seriesData.resize(m_list.all().size());
    m_seriesData[n].open.push_back(point);
    if (++m_openCount >= MostOpen)
        closeAll();
    else if (m_seriesData[n].open.size() == CounterBlockPoints)
        close(n);
}

void CounterRecorder::closeAll()
{
    for (std::size_t series = 0; series < m_seriesData.size(); ++series)
        close(series);
}

void CounterRecorder::close(std::size_t series)
{
    SeriesData& own = m_seriesData[series];
    if (own.open.empty())
        return;
    ByteWriter bytes;
    own.blocks.push_back(encoded(series, bytes, m_data.size()));
    m_data.append(bytes.bytes());
    m_openCount -= own.open.size();
    own.open = {}; // Assign an empty vector to free the memory. clear() would keep it, and there may be many series.
}

/// Encodes the points of a series that are not in a block yet into `bytes`, and returns the directory entry of the new block. `offset` is
/// the position of the block in m_data.
CounterEntry CounterRecorder::encoded(std::size_t series, ByteWriter& bytes, std::uint64_t offset) const
{
    const CounterSeries& what = m_list.all()[series];
    const std::span<const CounterPoint> points(m_seriesData[series].open);
    encodePoints(points, what.kind, bytes);
    CounterEntry entry = sumOf(points, what.number);
    entry.offset = offset;
    entry.bytes = static_cast<std::uint32_t>(bytes.size());
    entry.hash = static_cast<std::uint32_t>(XXH3_64bits(bytes.bytes().data(), bytes.size()));
    return entry;
}

std::vector<CounterEntry> CounterRecorder::levelsOf(std::size_t series, std::span<const CounterEntry> blocks) const
{
    const CounterNumber number = m_list.all()[series].number;
    return makeLevelsAbove(blocks, [number](std::span<const CounterEntry> below) { return sumOf(below, number); });
}

std::shared_ptr<const CounterSet> CounterRecorder::picture(std::size_t tracks) const
{
    if (isEmpty())
        return nullptr;
    FileBytes data = m_data.contents();
    if (data.isUnreadable)
        return nullptr;
    std::vector<std::uint64_t> counts(m_list.all().size());
    const auto sections = std::make_shared<std::array<ByteWriter, 3>>();
    auto& [series, blocks, levels] = *sections;
    for (std::size_t n = 0; n < m_seriesData.size(); ++n) {
        std::vector<CounterEntry> own = m_seriesData[n].blocks;
        if (!m_seriesData[n].open.empty()) {
            ByteWriter bytes;
            own.push_back(encoded(n, bytes, data.size()));
            data.tail.insert(data.tail.end(), bytes.bytes().begin(), bytes.bytes().end());
        }
        counts[n] = own.size();
        appendEntries(blocks, own);
        appendEntries(levels, levelsOf(n, own));
    }
    encodeCounterSeries(m_list.all(), counts, series);
    auto index = CounterIndex::read({series.bytes(), blocks.bytes(), levels.bytes(), sections}, tracks);
    return index ? makeBlockCounters(std::move(*index), VerifiedBytes(std::move(data))) : nullptr;
}

void CounterRecorder::writeSeries(const Out& out) const
{
    std::vector<std::uint64_t> counts(m_list.all().size());
    for (std::size_t n = 0; n < m_seriesData.size(); ++n)
        counts[n] = m_seriesData[n].blocks.size();
    ByteWriter bytes;
    encodeCounterSeries(m_list.all(), counts, bytes);
    out(bytes.bytes());
}

void CounterRecorder::writeBlocks(const Out& out) const
{
    for (const SeriesData& own : m_seriesData)
        out(std::as_bytes(std::span(own.blocks)));
}

void CounterRecorder::writeLevels(const Out& out) const
{
    for (std::size_t n = 0; n < m_seriesData.size(); ++n) {
        const auto levels = levelsOf(n, m_seriesData[n].blocks);
        out(std::as_bytes(std::span(levels)));
    }
}

} // namespace helio
