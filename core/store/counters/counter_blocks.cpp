#include "core/store/counters/counter_blocks.h"

#include "core/store/counters/counter_numbers.h"
#include "core/store/counters/counter_series_list.h"
#include "core/store/file/byte_columns.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <tuple>

namespace helio {
namespace {

/// Returns a value as it is stored in a column. For accumulating series, that is the difference from the value before, modulo 2^64.
std::uint64_t toColumnValue(std::uint64_t bits, std::uint64_t before, CounterSeries::Kind kind)
{
    return ordered(static_cast<std::int64_t>(kind == CounterSeries::Kind::Accumulating ? bits - before : bits));
}
std::uint64_t fromColumnValue(std::uint64_t value, std::uint64_t before, CounterSeries::Kind kind)
{
    const auto bits = static_cast<std::uint64_t>(fromOrdered(value));
    return kind == CounterSeries::Kind::Accumulating ? bits + before : bits;
}

template <typename Enum> bool takeEnum(ByteReader& in, Enum last, Enum& out)
{
    const std::uint8_t byte = in.getByte();
    out = Enum(byte);
    return byte <= static_cast<std::uint8_t>(last);
}

} // namespace

bool haveSameSums(const CounterEntry& a, const CounterEntry& b)
{
    const auto sums = [](const CounterEntry& e) { return std::tie(e.firstTime, e.lastTime, e.first, e.last, e.least, e.most, e.count); };
    return sums(a) == sums(b);
}

CounterEntry sumOf(std::span<const CounterEntry> entries, CounterNumber number)
{
    CounterEntry all = entries.front();
    for (const CounterEntry& entry : entries.subspan(1)) {
        all.integral +=
            integralOf(CounterValue::fromBits(all.last), hostTime(all.lastTime), hostTime(entry.firstTime), number) + entry.integral;
        all.least = lesser(CounterValue::fromBits(all.least), CounterValue::fromBits(entry.least), number).bits();
        all.most = greater(CounterValue::fromBits(all.most), CounterValue::fromBits(entry.most), number).bits();
        all.lastTime = entry.lastTime;
        all.last = entry.last;
        all.count += entry.count;
    }
    all.offset = 0;
    all.bytes = 0;
    all.hash = 0;
    return all;
}

CounterEntry sumOf(std::span<const CounterPoint> points, CounterNumber number)
{
    const CounterPoint& first = points.front();
    const std::uint64_t bits = first.value.bits();
    CounterEntry all{nanoseconds(first.time), nanoseconds(first.time), bits, bits, bits, bits, 0, points.size()};
    for (const CounterPoint& point : points) {
        all.integral += integralOf(CounterValue::fromBits(all.last), hostTime(all.lastTime), point.time, number);
        all.least = lesser(CounterValue::fromBits(all.least), point.value, number).bits();
        all.most = greater(CounterValue::fromBits(all.most), point.value, number).bits();
        all.lastTime = nanoseconds(point.time);
        all.last = point.value.bits();
    }
    return all;
}

void encodePoints(std::span<const CounterPoint> points, CounterSeries::Kind kind, ByteWriter& out)
{
    const auto before = [&](std::size_t i) { return points[i == 0 ? 0 : i - 1]; };
    putColumn(points.size(), out, [&](std::size_t i) { return static_cast<std::uint64_t>((points[i].time - before(i).time).count()); });
    putColumn(points.size(), out, [&](std::size_t i) { return toColumnValue(points[i].value.bits(), before(i).value.bits(), kind); });
}

bool decodePoints(const CounterEntry& block, const CounterSeries& series, std::span<const std::byte> bytes, std::vector<CounterPoint>& out)
{
    out.clear();
    if (block.count > CounterBlockPoints)
        return false;
    out.resize(block.count);
    ByteReader in(bytes);
    std::int64_t time = block.firstTime;
    takeColumn(out.size(), in, [&](std::size_t i, std::uint64_t more) { out[i].time = hostTime(time = laterTime(time, more)); });
    std::uint64_t before = block.first;
    takeColumn(out.size(), in, [&](std::size_t i, std::uint64_t value) {
        before = fromColumnValue(value, before, series.kind);
        out[i].value = CounterValue::fromBits(before);
    });
    const auto isSound = [&](const CounterPoint& p) { return p.time <= hostTime(TimeLimit) && isFinite(p.value, series.number); };
    if (in.isAtEnd() && std::ranges::all_of(out, isSound) && haveSameSums(sumOf(std::span<const CounterPoint>(out), series.number), block))
        return true;
    out.clear();
    return false;
}

void encodeCounterSeries(std::span<const CounterSeries> series, std::span<const std::uint64_t> blocks, ByteWriter& out)
{
    out.put(series.size());
    for (std::size_t i = 0; i < series.size(); ++i) {
        for (const std::string* text : {&series[i].view, &series[i].id, &series[i].title, &series[i].unit})
            out.putText(*text);
        out.putByte(static_cast<std::uint8_t>(series[i].kind));
        out.putByte(static_cast<std::uint8_t>(series[i].number));
        out.put(static_cast<std::uint32_t>(series[i].track) + 1u); // NoTrack is stored as 0, track n as n + 1.
        out.put(blocks[i]);
    }
}

bool decodeCounterSeries(ByteReader in, std::size_t tracks, std::vector<CounterSeries>& series, std::vector<std::uint64_t>& blocks)
{
    const std::size_t count = in.getCount(8);
    if (count > MaxCounterSeries)
        return false;
    bool isGood = true;
    for (std::size_t i = 0; i < count && isGood; ++i) {
        CounterSeries& one = series.emplace_back();
        for (std::string* text : {&one.view, &one.id, &one.title, &one.unit})
            *text = in.getText();
        isGood = takeEnum(in, CounterSeries::Kind::Accumulating, one.kind) && takeEnum(in, CounterNumber::Real, one.number);
        const std::uint32_t track = in.get32();
        isGood = isGood && track <= tracks;
        one.track = TrackId{track - 1};
        blocks.push_back(in.get());
    }
    return isGood && in.isAtEnd();
}

} // namespace helio
