#include "core/store/segments/segment_blocks.h"

#include "core/store/file/byte_columns.h"
#include "core/store/segments/segment_order.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

// Bits of the flags byte with which the store file describes a segment kind.
constexpr unsigned HasFrames = 1;
constexpr unsigned AreCalls = 2;
constexpr unsigned HasFields = 4;

bool isSound(const HostSegment& segment, std::size_t tracks)
{
    return segment.end <= hostTime(TimeLimit) && (segment.track == NoTrack || static_cast<std::size_t>(segment.track) < tracks);
}

} // namespace

SegmentEntry sumOf(std::span<const SegmentEntry> entries)
{
    SegmentEntry all;
    SegmentSum sum;
    all.firstBegin = entries.front().firstBegin;
    all.lastBegin = entries.front().lastBegin;
    all.lastEnd = entries.front().lastEnd;
    for (const SegmentEntry& entry : entries) {
        all.firstBegin = std::min(all.firstBegin, entry.firstBegin);
        all.lastBegin = std::max(all.lastBegin, entry.lastBegin);
        all.lastEnd = std::max(all.lastEnd, entry.lastEnd);
        sum.add(entry.sum());
    }
    all.shortest = sum.shortest.count();
    all.longest = sum.longest.count();
    all.total = sum.total.count();
    all.count = sum.count;
    return all;
}

SegmentEntry sumOf(std::span<const HostSegment> segments)
{
    SegmentSum sum;
    HostTimestamp lastEnd = segments.front().end;
    for (const HostSegment& segment : segments) {
        sum.add(segment.length());
        lastEnd = std::max(lastEnd, segment.end);
    }
    return {nanoseconds(segments.front().begin),
            nanoseconds(segments.back().begin),
            nanoseconds(lastEnd),
            sum.shortest.count(),
            sum.longest.count(),
            sum.total.count(),
            sum.count};
}

bool haveSameSums(const SegmentEntry& a, const SegmentEntry& b)
{
    return a.firstBegin == b.firstBegin && a.lastBegin == b.lastBegin && a.lastEnd == b.lastEnd && a.sum() == b.sum();
}

void encodeHistogram(const SegmentHistogram& spread, ByteWriter& out)
{
    out.put(static_cast<std::uint64_t>(HistogramSteps - std::ranges::count(spread.counts, 0u)));
    std::size_t last = 0;
    for (std::size_t step = 0; step < HistogramSteps; ++step) {
        if (spread.counts[step] == 0)
            continue;
        out.put(step - std::exchange(last, step));
        out.put(spread.counts[step]);
    }
}

bool addHistogram(const SegmentEntry& entry, ByteReader& in, SegmentHistogram& spread)
{
    std::array<std::pair<std::size_t, std::uint64_t>, HistogramSteps> steps;
    const std::size_t size = in.getCount(2);
    if (size == 0 || size > HistogramSteps)
        return false;
    std::uint64_t left = entry.count;
    std::uint64_t step = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t more = in.get();
        const std::uint64_t count = in.get();
        if (more >= HistogramSteps - step || (more == 0 && i > 0) || count == 0 || count > left)
            return false;
        step += more;
        left -= count;
        steps[i] = {step, count};
    }
    if (in.hasFailed() || left != 0 || steps[0].first != histogramStep(Duration(entry.shortest))
        || step != histogramStep(Duration(entry.longest)))
        return false;
    for (std::size_t i = 0; i < size; ++i)
        spread.counts[steps[i].first] += steps[i].second;
    spread.sum.add(entry.sum());
    return true;
}

void encodeSegments(std::span<const HostSegment> segments, ByteWriter& out)
{
    SegmentHistogram spread;
    for (const HostSegment& segment : segments)
        ++spread.counts[histogramStep(segment.length())];
    encodeHistogram(spread, out);
    const std::size_t count = segments.size();
    putColumn(count, out,
              [&](std::size_t i) { return static_cast<std::uint64_t>((segments[i].begin - segments[i == 0 ? 0 : i - 1].begin).count()); });
    putColumn(count, out, [&](std::size_t i) { return static_cast<std::uint64_t>(segments[i].length().count()); });
    putColumn(count, out, [&](std::size_t i) { return static_cast<std::uint32_t>(segments[i].name); });
    // NoTrack is stored as 0, track n as n + 1.
    putColumn(count, out, [&](std::size_t i) { return static_cast<std::uint32_t>(segments[i].track) + 1u; });
    putColumn(count, out, [&](std::size_t i) { return ordered(segments[i].value); });
}

bool decodeSegments(const SegmentEntry& block, SegmentKindId kind, std::span<const std::byte> bytes, std::size_t tracks,
                    std::vector<HostSegment>& out)
{
    out.clear();
    ByteReader in(bytes);
    SegmentHistogram ignored;
    if (block.count > SegmentBlockSegments || !addHistogram(block, in, ignored))
        return false;
    out.resize(block.count);
    std::int64_t begin = block.firstBegin;
    takeColumn(out.size(), in, [&](std::size_t i, std::uint64_t more) { out[i].begin = hostTime(begin = laterTime(begin, more)); });
    takeColumn(out.size(), in,
               [&](std::size_t i, std::uint64_t length) { out[i].end = hostTime(laterTime(nanoseconds(out[i].begin), length)); });
    std::uint64_t highest = 0;
    takeColumn(out.size(), in, [&](std::size_t i, std::uint64_t name) {
        out[i].name = StringId{static_cast<std::uint32_t>(name)};
        highest |= name;
    });
    takeColumn(out.size(), in, [&](std::size_t i, std::uint64_t track) {
        out[i].track = TrackId{static_cast<std::uint32_t>(track) - 1};
        highest |= track;
    });
    takeColumn(out.size(), in, [&](std::size_t i, std::uint64_t value) {
        out[i].value = fromOrdered(value);
        out[i].kind = kind;
    });
    if (in.isAtEnd() && highest <= UINT32_MAX && std::ranges::all_of(out, [tracks](const HostSegment& s) { return isSound(s, tracks); })
        && std::is_sorted(out.begin(), out.end(), segmentComesBefore) && haveSameSums(sumOf(std::span<const HostSegment>(out)), block))
        return true;
    out.clear();
    return false;
}

void encodeSegmentKinds(std::span<const SegmentKind> kinds, std::span<const std::uint64_t> blocks, ByteWriter& out)
{
    out.put(kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        for (const std::string* text : {&kinds[i].id, &kinds[i].title, &kinds[i].nameTitle, &kinds[i].valueTitle, &kinds[i].valueUnit})
            out.putText(*text);
        out.putByte(static_cast<std::uint8_t>((kinds[i].hasFrames ? HasFrames : 0) | (kinds[i].areCalls ? AreCalls : 0)
                                              | (kinds[i].hasFields ? HasFields : 0)));
        out.put(blocks[i]);
    }
}

bool decodeSegmentKinds(ByteReader in, std::vector<SegmentKind>& kinds, std::vector<std::uint64_t>& blocks)
{
    const std::size_t count = in.getCount(7);
    if (count > MaxSegmentKinds)
        return false;
    for (std::size_t i = 0; i < count; ++i) {
        SegmentKind& kind = kinds.emplace_back();
        for (std::string* text : {&kind.id, &kind.title, &kind.nameTitle, &kind.valueTitle, &kind.valueUnit})
            *text = in.getText();
        const std::uint8_t flags = in.getByte();
        kind.hasFrames = (flags & HasFrames) != 0;
        kind.hasFields = (flags & HasFields) != 0;
        kind.areCalls = kind.hasFrames && (flags & AreCalls) != 0;
        blocks.push_back(in.get());
    }
    return in.isAtEnd();
}

} // namespace helio
