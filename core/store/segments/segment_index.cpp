#include "core/store/segments/segment_index.h"

#include "core/store/file/byte_codec.h"
#include "core/store/segments/segment_fold.h"
#include "core/store/segments/segment_merge.h"
#include "core/store/segments/segment_order.h"
#include "core/store/time_limits.h"

#include <queue>

#include <algorithm>
#include <atomic>

namespace helio {
namespace {

bool isSound(const SegmentEntry& block)
{
    const bool isInTime = block.firstBegin >= -TimeLimit && block.firstBegin <= block.lastBegin && block.lastBegin <= block.lastEnd
        && block.lastEnd <= TimeLimit;
    return isInTime && block.count >= 1 && block.count <= SegmentBlockSegments && block.shortest >= 0 && block.shortest <= block.longest
        && block.longest <= block.lastEnd - block.firstBegin && block.total >= block.longest;
}

bool areSound(std::span<const SegmentEntry> blocks)
{
    return std::ranges::all_of(blocks, [](const SegmentEntry& block) { return isSound(block); })
        && std::ranges::is_sorted(blocks, {}, &SegmentEntry::firstBegin);
}

/// True if the entries of the levels equal those computed from the blocks.
bool areLevelsConsistent(std::span<const SegmentEntry> blocks, std::span<const SegmentEntry> levels)
{
    const auto right = makeLevelsAbove(blocks, [](std::span<const SegmentEntry> below) { return sumOf(below); });
    return std::ranges::equal(right, levels, haveSameSums);
}

using Segments = std::vector<HostSegment>;
using Tree = SegmentIndex::Tree;

/// Collects segments and keeps only the `most` longest of them.
class LongestSegments {
public:
    explicit LongestSegments(std::size_t most)
        : m_most(most)
    {
    }

    void offer(const HostSegment& segment)
    {
        if (m_heap.size() == m_most && !isLonger(segment, m_heap.front()))
            return;
        m_heap.push_back(segment);
        std::push_heap(m_heap.begin(), m_heap.end(), isLonger);
        if (m_heap.size() <= m_most)
            return;
        std::pop_heap(m_heap.begin(), m_heap.end(), isLonger);
        m_heap.pop_back();
    }

    /// True if a segment of this entry may be one of the `m_most` longest segments, so that the entry must be read.
    bool wants(const SegmentEntry& entry) const
    {
        if (m_heap.size() < m_most)
            return true;
        const std::int64_t least = m_heap.front().length().count();
        return entry.longest > least || (entry.longest == least && entry.firstBegin <= nanoseconds(m_heap.front().begin));
    }

    Segments take()
    {
        std::sort(m_heap.begin(), m_heap.end(), isLonger);
        return std::move(m_heap);
    }

private:
    std::size_t m_most; ///< Number of segments to keep, at least 1.
    Segments m_heap; ///< Heap of the longest segments, the shortest of them in front.
};

/// Segment set that reads blocks. Each query descends the levels only as far as necessary, and decodes only the blocks that it needs.
class BlockSegments final : public SegmentSet {
public:
    BlockSegments(SegmentIndex index, VerifiedBytes bytes, std::size_t tracks)
        : m_index(std::move(index))
        , m_bytes(std::move(bytes))
        , m_tracks(tracks)
    {
    }

    std::span<const SegmentKind> kinds() const override { return m_index.kinds(); }
    bool isDamaged() const override { return m_isDamaged.load(std::memory_order_relaxed); }

    SegmentSum sum(SegmentKindId kind) const override
    {
        const Tree& tree = m_index.of(kind);
        return tree.isEmpty() ? SegmentSum() : tree.at(tree.top()).sum();
    }

    void visit(SegmentKindId kind, HostRange range, const Take& take, std::stop_token stop) const override;
    Segments longest(SegmentKindId kind, HostRange range, std::size_t most, std::stop_token stop) const override;
    SegmentHistogram spread(SegmentKindId kind, HostRange range, std::stop_token stop) const override;
    SegmentColumns spans(SegmentKindId kind, HostRange window, Duration resolution, std::stop_token stop) const override;
    std::optional<HostSegment> next(const HostSegment& segment) const override;
    std::optional<HostSegment> previous(const HostSegment& segment) const override;

private:
    std::optional<std::span<const std::byte>> bytesOf(const SegmentEntry& entry) const;
    void load(const SegmentEntry& block, SegmentKindId kind, Segments& out) const;
    bool addWhole(const SegmentEntry& entry, SegmentHistogram& spread) const;

    SegmentIndex m_index;
    VerifiedBytes m_bytes;
    std::size_t m_tracks;
    mutable std::atomic<bool> m_isDamaged{false};
};

std::optional<std::span<const std::byte>> BlockSegments::bytesOf(const SegmentEntry& entry) const
{
    if (!m_bytes.require(entry.offset, entry.bytes))
        return {};
    const auto bytes = m_bytes.at(entry.offset, entry.bytes, entry.hash);
    if (!bytes)
        m_isDamaged.store(true, std::memory_order_relaxed);
    return bytes;
}

/// Decodes the segments of a block into `out`; `out` is empty if the block is damaged or not here.
void BlockSegments::load(const SegmentEntry& block, SegmentKindId kind, Segments& out) const
{
    out.clear();
    const auto bytes = bytesOf(block);
    if (bytes && !decodeSegments(block, kind, *bytes, m_tracks, out))
        m_isDamaged.store(true, std::memory_order_relaxed);
}

void BlockSegments::visit(SegmentKindId kind, HostRange range, const Take& take, std::stop_token stop) const
{
    if (range.isEmpty())
        return;
    std::vector<const SegmentEntry*> blocks;
    m_index.of(kind).walk([&](const SegmentEntry& entry, bool isBlock) {
        if (isBlock && entry.mayOverlap(range))
            blocks.push_back(&entry);
        return entry.mayOverlap(range);
    });
    SegmentMerge merge(blocks, [&](const SegmentEntry& block, Segments& out) {
        load(block, kind, out);
        std::erase_if(out, [range](const HostSegment& s) { return !overlaps(s, range); });
    });
    Segments part;
    while (!stop.stop_requested() && merge.next(part))
        take(part);
}

Segments BlockSegments::longest(SegmentKindId kind, HostRange range, std::size_t most, std::stop_token stop) const
{
    const Tree& tree = m_index.of(kind);
    if (tree.isEmpty() || range.isEmpty() || most == 0)
        return {};
    LongestSegments found(most);
    // Order of the queue: the tree position with the longest segment comes first; among equally long segments, the earliest position.
    const auto isLater = [&tree](Tree::TreePosition a, Tree::TreePosition b) {
        const SegmentEntry& x = tree.at(a);
        const SegmentEntry& y = tree.at(b);
        return x.longest != y.longest ? x.longest < y.longest : x.firstBegin > y.firstBegin;
    };
    std::priority_queue<Tree::TreePosition, std::vector<Tree::TreePosition>, decltype(isLater)> places(isLater);
    places.push(tree.top());
    Segments segments;
    while (!places.empty() && !stop.stop_requested()) {
        const Tree::TreePosition place = places.top();
        places.pop();
        if (!found.wants(tree.at(place)))
            break;
        if (!tree.at(place).mayOverlap(range))
            continue;
        if (place.level > 0) {
            tree.forEachBelow(place, [&](Tree::TreePosition below) { places.push(below); });
            continue;
        }
        load(tree.at(place), kind, segments);
        for (const HostSegment& segment : segments)
            if (overlaps(segment, range))
                found.offer(segment);
    }
    return found.take();
}

/// Adds the histogram of an entry to `spread`, instead of each of the entry's segments. Returns false if the entry has no histogram or is
/// damaged.
bool BlockSegments::addWhole(const SegmentEntry& entry, SegmentHistogram& spread) const
{
    if (entry.bytes == 0)
        return false;
    const auto bytes = bytesOf(entry);
    if (!bytes)
        return false;
    ByteReader in(*bytes);
    const bool isGood = addHistogram(entry, in, spread);
    if (!isGood)
        m_isDamaged.store(true, std::memory_order_relaxed);
    return isGood;
}

SegmentHistogram BlockSegments::spread(SegmentKindId kind, HostRange range, std::stop_token stop) const
{
    SegmentHistogram spread;
    Segments segments;
    m_index.of(kind).walk([&](const SegmentEntry& entry, bool isBlock) {
        if (stop.stop_requested() || range.isEmpty() || !entry.mayOverlap(range))
            return false;
        if (entry.beginsIn(range) && addWhole(entry, spread))
            return false;
        if (!isBlock)
            return true;
        load(entry, kind, segments);
        for (const HostSegment& segment : segments) {
            if (!overlaps(segment, range))
                continue;
            spread.sum.add(segment.length());
            ++spread.counts[histogramStep(segment.length())];
        }
        return false;
    });
    return spread;
}

SegmentColumns BlockSegments::spans(SegmentKindId kind, HostRange window, Duration resolution, std::stop_token stop) const
{
    SegmentColumnFold fold(window, resolution);
    Segments segments;
    m_index.of(kind).walk([&](const SegmentEntry& entry, bool isBlock) {
        if (stop.stop_requested() || window.isEmpty() || !entry.mayOverlap(window))
            return false;
        if (fold.isOneColumn(hostTime(entry.firstBegin), hostTime(entry.lastBegin))) {
            fold.add(hostTime(entry.firstBegin), entry.sum());
            return false;
        }
        if (isBlock) {
            load(entry, kind, segments);
            for (const HostSegment& segment : segments)
                fold.add(segment);
        }
        return true;
    });
    return fold.take();
}

std::optional<HostSegment> BlockSegments::next(const HostSegment& after) const
{
    std::optional<HostSegment> best;
    Segments segments;
    m_index.of(after.kind).walk([&](const SegmentEntry& entry, bool isBlock) {
        if (entry.lastBegin < nanoseconds(after.begin) || (best && entry.firstBegin > nanoseconds(best->begin)))
            return false;
        if (!isBlock)
            return true;
        load(entry, after.kind, segments);
        const auto it = std::upper_bound(segments.begin(), segments.end(), after, segmentComesBefore);
        if (it != segments.end() && (!best || segmentComesBefore(*it, *best)))
            best = *it;
        return false;
    });
    return best;
}

std::optional<HostSegment> BlockSegments::previous(const HostSegment& before) const
{
    std::optional<HostSegment> best;
    Segments segments;
    m_index.of(before.kind).walkBack([&](const SegmentEntry& entry, bool isBlock) {
        if (entry.firstBegin > nanoseconds(before.begin) || (best && entry.lastBegin < nanoseconds(best->begin)))
            return false;
        if (!isBlock)
            return true;
        load(entry, before.kind, segments);
        const auto it = std::lower_bound(segments.begin(), segments.end(), before, segmentComesBefore);
        if (it != segments.begin() && (!best || segmentComesBefore(*best, *std::prev(it))))
            best = *std::prev(it);
        return false;
    });
    return best;
}

} // namespace

std::optional<SegmentIndex> SegmentIndex::read(const SegmentDirectoryBytes& bytes)
{
    SegmentIndex index;
    std::vector<std::uint64_t> counts;
    std::span<const SegmentEntry> blocks;
    std::span<const SegmentEntry> levels;
    if (!decodeSegmentKinds(ByteReader(bytes.kinds), index.m_kinds, counts) || !castEntries(bytes.blocks, blocks)
        || !castEntries(bytes.levels, levels))
        return {};
    const auto areTree = [](std::size_t, auto own, auto above) { return areSound(own) && areLevelsConsistent(own, above); };
    if (!splitIntoTrees(counts, blocks, levels, areTree, index.m_trees))
        return {};
    index.m_owner = bytes.owner;
    return index;
}

const SegmentIndex::Tree& SegmentIndex::of(SegmentKindId kind) const
{
    static const Tree none;
    return static_cast<std::size_t>(kind) < m_trees.size() ? m_trees[static_cast<std::size_t>(kind)] : none;
}

std::shared_ptr<const SegmentSet> makeBlockSegments(SegmentIndex index, VerifiedBytes bytes, std::size_t tracks)
{
    return std::make_shared<BlockSegments>(std::move(index), std::move(bytes), tracks);
}

} // namespace helio
