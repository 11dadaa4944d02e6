#include "core/store/assembly/store_sections.h"

#include <algorithm>

namespace helio {
namespace {

void putTime(ByteWriter& out, HostTimestamp time) { out.putSigned(nanoseconds(time)); }
HostTimestamp getTime(ByteReader& in) { return hostTime(in.getSigned()); }

/// Reads a signed number that fits into 32 bits; 0 if the bytes end.
std::int32_t getSmall(ByteReader& in) { return static_cast<std::int32_t>(in.getSigned()); }

std::uint64_t difference(HostTimestamp a, HostTimestamp b)
{
    return static_cast<std::uint64_t>(nanoseconds(a)) - static_cast<std::uint64_t>(nanoseconds(b));
}
HostTimestamp later(HostTimestamp time, std::uint64_t by)
{
    return hostTime(static_cast<std::int64_t>(static_cast<std::uint64_t>(nanoseconds(time)) + by));
}

} // namespace

void writeSummary(const StoreFacts& facts, ByteWriter& out)
{
    const StoreSummary& summary = facts.summary;
    putTime(out, summary.range.begin);
    putTime(out, summary.range.end);
    out.put(summary.events);
    out.put(summary.lostEvents);
    out.put(summary.lostPackets);
    out.put(summary.eventsByType.size());
    for (const std::uint64_t events : summary.eventsByType)
        out.put(events);
    out.put(summary.anomalies.size());
    for (const Diagnostic& anomaly : summary.anomalies) {
        out.putByte(static_cast<std::uint8_t>(anomaly.severity));
        out.putText(anomaly.kind);
        out.putText(anomaly.file);
        out.put(anomaly.offset);
        out.put(anomaly.count);
        out.putText(anomaly.what);
    }
}

bool readSummary(ByteReader in, StoreFacts& facts)
{
    StoreSummary& summary = facts.summary;
    summary.range.begin = getTime(in);
    summary.range.end = getTime(in);
    summary.events = in.get();
    summary.lostEvents = in.get();
    summary.lostPackets = in.get();
    summary.eventsByType.resize(in.getCount());
    for (std::uint64_t& events : summary.eventsByType)
        events = in.get();
    const std::size_t count = in.getCount(6);
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        Diagnostic anomaly;
        anomaly.severity = Diagnostic::Severity(std::min<std::uint8_t>(in.getByte(), 2));
        anomaly.kind = in.getText();
        anomaly.file = in.getText();
        anomaly.offset = in.get();
        anomaly.count = in.get();
        anomaly.what = in.getText();
        summary.anomalies.push_back(std::move(anomaly));
    }
    facts.isComplete = true;
    facts.knownUntil = summary.range.end;
    return in.isAtEnd();
}

void writeMergeIndex(const StoreFacts& facts, ByteWriter& out)
{
    out.put(facts.checkpoints.size());
    MergeCheckpoint before;
    for (const MergeCheckpoint& checkpoint : facts.checkpoints) {
        out.put(checkpoint.event);
        out.put(difference(checkpoint.time, before.time));
        out.put(checkpoint.streams.size());
        before.streams.resize(checkpoint.streams.size());
        for (std::size_t i = 0; i < checkpoint.streams.size(); ++i) {
            const StreamPosition& stream = checkpoint.streams[i];
            const StreamPosition& last = before.streams[i];
            out.putSigned(static_cast<std::int64_t>(stream.packet) - last.packet);
            out.put(stream.bit);
            out.putSigned(static_cast<std::int64_t>(stream.clock - last.clock));
            out.putSigned(static_cast<std::int64_t>(stream.event - last.event));
            out.put(stream.skip);
        }
        before = checkpoint;
    }
}

bool readMergeIndex(ByteReader in, StoreFacts& facts)
{
    const std::size_t count = in.getCount(3);
    MergeCheckpoint checkpoint;
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        checkpoint.event = in.get();
        checkpoint.time = later(checkpoint.time, in.get());
        checkpoint.streams.resize(in.getCount(5));
        for (StreamPosition& stream : checkpoint.streams) {
            stream.packet = static_cast<std::uint32_t>(stream.packet + in.getSigned());
            stream.bit = in.get();
            stream.clock += static_cast<std::uint64_t>(in.getSigned());
            stream.event += static_cast<std::uint64_t>(in.getSigned());
            stream.skip = in.get32();
        }
        facts.checkpoints.push_back(checkpoint);
    }
    return in.isAtEnd();
}

void writeDensity(const StoreFacts& facts, ByteWriter& out)
{
    const auto& buckets = facts.density;
    out.put(buckets.size());
    if (buckets.empty())
        return;
    putTime(out, buckets.front().begin);
    out.put(buckets.size() > 1 ? difference(buckets[1].begin, buckets[0].begin) : 0);
    for (const DensityBucket& bucket : buckets)
        out.put(bucket.events);
}

bool readDensity(ByteReader in, StoreFacts& facts)
{
    const std::size_t count = in.getCount();
    if (count == 0)
        return in.isAtEnd();
    HostTimestamp begin = getTime(in);
    const std::uint64_t length = in.get();
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        facts.density.push_back({begin, in.get()});
        begin = later(begin, length);
    }
    return in.isAtEnd() && count <= DensityCounter::MaxBuckets
        && std::is_sorted(facts.density.begin(), facts.density.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
}

void writeLosses(const StoreFacts& facts, ByteWriter& out)
{
    out.put(facts.losses.size());
    HostTimestamp before{};
    for (const Loss& loss : facts.losses) {
        out.putSigned(static_cast<std::int64_t>(difference(loss.range.begin, before)));
        out.put(difference(loss.range.end, loss.range.begin));
        out.put(loss.events);
        out.put(loss.packets);
        out.putSigned(loss.cpu);
        out.put(loss.stream);
        before = loss.range.begin;
    }
}

bool readLosses(ByteReader in, StoreFacts& facts)
{
    const std::size_t count = in.getCount(6);
    HostTimestamp before{};
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        Loss loss;
        loss.range.begin = later(before, static_cast<std::uint64_t>(in.getSigned()));
        loss.range.end = later(loss.range.begin, in.get());
        loss.events = in.get();
        loss.packets = in.get();
        loss.cpu = getSmall(in);
        loss.stream = in.get32();
        before = loss.range.begin;
        facts.losses.push_back(loss);
    }
    return in.isAtEnd();
}

void writeStrings(const StoreFacts& facts, ByteWriter& out)
{
    out.put(facts.strings.size() - 1);
    for (std::uint32_t id = 1; id < facts.strings.size(); ++id)
        out.putText(facts.strings[StringId{id}]);
}

bool readStrings(ByteReader in, StoreFacts& facts)
{
    const std::size_t count = in.getCount();
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i)
        facts.strings.add(in.getText());
    return in.isAtEnd();
}

bool readNumbers(ByteReader in, StoreFacts& facts)
{
    const auto bytes = in.getBytes(in.left());
    if (bytes.size() % sizeof(std::uint64_t) != 0 || bytes.size() / sizeof(std::uint64_t) > MostNumbers)
        return false;
    facts.numbers.assign(bytes.size() / sizeof(std::uint64_t));
    std::ranges::copy(bytes, facts.numbers.bytes().begin());
    return true;
}

} // namespace helio
