#include "core/store/intervals/span_walk.h"

#include <algorithm>

namespace helio {

SpanWalk::SpanWalk(const BlockData& data, std::uint32_t track, SpanFold& fold, std::stop_token stop)
    : m_data(data)
    , m_track(data.index().of(track))
    , m_fold(fold)
    , m_stop(std::move(stop))
    , m_begin(fold.windowBegin())
    , m_end(fold.windowEnd())
    , m_overhang(fold.resolution() / 4)
    , m_maxNodeLength(fold.resolution() + 2 * m_overhang)
{
}

void SpanWalk::run()
{
    if (m_track.count > 0 && m_begin < m_end)
        visit(m_track.levels, 0, NoBucket);
}

void SpanWalk::visit(unsigned level, std::size_t i, std::int64_t forced)
{
    const auto [node, shares] = m_data.index().nodeAt(m_track, level, i);
    if (node->end <= m_begin || m_isStopped)
        return;
    if (node->count == 1) { // The node summarizes a single interval, so the levels below it contain no more detail.
        add(node->begin, node->end, node->state, node->value, forced);
        return;
    }
    const std::int64_t bucket = forced != NoBucket ? forced : bucketFor(*node);
    if (bucket != NoBucket && isInside(*node)) {
        m_fold.addNode(bucket, *node, shares);
        return;
    }
    if (level == 0) {
        visitBlock(m_data.index()[m_track.first + i], bucket);
        return;
    }
    const std::size_t end = std::min((i + 1) * format::LevelFanOut, BlockIndex::nodesAt(m_track, level - 1));
    for (std::size_t child = i * format::LevelFanOut; child < end; ++child) {
        if (m_data.index().nodeAt(m_track, level - 1, child).node->begin >= m_end)
            return;
        visit(level - 1, child, bucket);
    }
}

void SpanWalk::visitBlock(const BlockEntry& block, std::int64_t forced)
{
    m_isStopped = m_stop.stop_requested();
    const auto bytes = m_data.bytesOf(block);
    if (bytes.empty() || m_isStopped)
        return;
    BlockReader reader(bytes, block.node, m_data.index().sharesOf(block));
    while (reader.nextStretch() && reader.stretch().node.begin < m_end) {
        const std::int64_t bucket = addOrFindBucket(reader.stretch(), forced);
        if (bucket != Taken)
            visitStretch(reader, bucket);
    }
    if (reader.isDamaged())
        m_data.setDamaged();
}

std::int64_t SpanWalk::addOrFindBucket(const BlockReader::Node& node, std::int64_t forced)
{
    if (node.node.end <= m_begin)
        return Taken;
    const std::int64_t bucket = forced != NoBucket ? forced : node.node.count > 1 ? bucketFor(node.node) : NoBucket;
    if (bucket == NoBucket || !isInside(node.node))
        return bucket;
    m_fold.addNode(bucket, node.node, node.shares.data());
    return Taken;
}

void SpanWalk::visitStretch(BlockReader& reader, std::int64_t forced)
{
    reader.prefetchItems();
    while (reader.nextGroup() && reader.group().node.begin < m_end) {
        const std::int64_t bucket = addOrFindBucket(reader.group(), forced);
        if (bucket != Taken)
            visitGroup(reader, bucket);
    }
}

void SpanWalk::visitGroup(BlockReader& reader, std::int64_t forced)
{
    const auto items = reader.items();
    if (forced == NoBucket && isInside(reader.group().node)) {
        m_fold.addRun(items);
        return;
    }
    for (const BlockReader::Item& item : items) {
        if (item.state == format::GapState)
            continue;
        if (item.begin >= m_end)
            return;
        add(item.begin, item.end, State(item.state), item.value, forced);
    }
}

void SpanWalk::add(std::int64_t begin, std::int64_t end, State state, std::uint32_t value, std::int64_t forced)
{
    if (forced == NoBucket)
        m_fold.add(begin, end, state, value);
    else
        m_fold.addTo(forced, begin, end, state, value);
}

} // namespace helio
