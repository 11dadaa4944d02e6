#include "core/formats/perf_data/perf_stream.h"

#include <algorithm>

namespace helio::perf {

PerfStream::PerfStream(const PerfTrace& trace, StreamPosition from)
    : m_trace(trace)
    , m_at(std::min<std::uint64_t>(from.event, trace.m_index.size()))
{
    // A stream that read up to `from` has already returned the losses that begin before the first event.
    const bool isEnd = m_at == trace.m_index.size();
    const HostTimestamp first = m_at == 0 ? HostTimestamp::min() : isEnd ? HostTimestamp::max() : trace.m_index[m_at].time();
    const auto isEarlier = [](const Loss& loss, HostTimestamp time) { return loss.range.begin < time; };
    m_loss =
        static_cast<std::size_t>(std::lower_bound(trace.m_losses.begin(), trace.m_losses.end(), first, isEarlier) - trace.m_losses.begin());
}

/// Returns records of one source, followed by the losses after them. A batch ends where a gap begins.
bool PerfStream::next(EventBatch& batch)
{
    batch.clear();
    const auto& index = m_trace.m_index;
    const auto& losses = m_trace.m_losses;
    if (m_at >= index.size() && m_loss >= losses.size())
        return false;
    batch.isOrdered = true;
    if (m_at < index.size()) {
        const std::uint32_t number = index[m_at].source();
        const Source& source = m_trace.m_sources[number];
        const auto bytes = source.bytes();
        batch.packet = {bytes.data(), bytes.size() * 8, 0};
        batch.packetIndex = number / 2;
        batch.begin = {batch.packetIndex, index[m_at].offset() * 8, 0, m_at, 0};
        const HostTimestamp gap = m_loss < losses.size() ? losses[m_loss].range.begin : HostTimestamp::max();
        for (; m_at < index.size() && batch.records.size() < batch.most; ++m_at) {
            const IndexEntry& entry = index[m_at];
            if (entry.source() != number || entry.time() > gap)
                break;
            fill(batch.records.emplace_back(), entry, bytes);
        }
        if (hasFileShrunk(source)) {
            batch.clear();
            m_at = index.size();
            m_loss = losses.size();
            return false;
        }
    }
    const HostTimestamp next = m_at < index.size() ? index[m_at].time() : HostTimestamp::max();
    for (; m_loss < losses.size() && losses[m_loss].range.begin < next; ++m_loss)
        batch.losses.push_back(losses[m_loss]);
    return true;
}

void PerfStream::fill(EventRecord& record, const IndexEntry& entry, std::span<const std::byte> source) const
{
    const IndexEntryType& kind = m_trace.kindOf(entry.type());
    const std::uint64_t offset = entry.offset();
    const std::uint64_t size = loadWord<std::uint16_t>(source.data() + offset + 6, m_trace.m_description.order);
    record.time = entry.time();
    record.headerBit = offset * 8;
    record.type = kind.type;
    const auto bytes = source.subspan(offset, std::min<std::uint64_t>(size, source.size() - offset));
    if (entry.type() < MaxAttributeEntries)
        fillSample(record, bytes, kind);
    else
        fillSwitch(record, bytes);
}

void PerfStream::fillSample(EventRecord& record, std::span<const std::byte> bytes, const IndexEntryType& kind) const
{
    const SampleLayout& shape = m_trace.m_shapes[kind.attribute];
    if (shape.fixedEnd > bytes.size())
        return; // The file was overwritten after it was indexed.
    if (shape.cpu != SampleLayout::None)
        record.cpu = static_cast<std::int32_t>(loadWord<std::uint32_t>(bytes.data() + shape.cpu, shape.order()));
    else if (shape.id != SampleLayout::None)
        record.cpu = m_trace.m_cpus.of(loadWord<std::uint64_t>(bytes.data() + shape.id, shape.order()));
    if (!kind.isTracepoint) {
        record.contextOffset = shape.tid * 8;
        return;
    }
    std::uint32_t raw = shape.constantRaw;
    if (raw == SampleLayout::None) {
        SampleOffsets parts;
        shape.walk(bytes, parts);
        raw = parts.raw;
    }
    record.payloadOffset = raw * 8;
}

void PerfStream::fillSwitch(EventRecord& record, std::span<const std::byte> bytes) const
{
    const ByteOrder order = m_trace.m_description.order;
    Record whole;
    whole.bytes = bytes;
    const std::uint32_t attribute = m_trace.m_finder.findForOtherRecord(whole, order);
    const TrailerLayout& trailer = m_trace.m_trailers[attribute < m_trace.m_trailers.size() ? attribute : 0];
    const auto size = static_cast<std::uint32_t>(bytes.size());
    if (trailer.size + RecordHeaderSize > size)
        return;
    record.contextOffset = (size - trailer.tid) * 8;
    if (trailer.cpu > 0)
        record.cpu = static_cast<std::int32_t>(loadWord<std::uint32_t>(bytes.data() + size - trailer.cpu, order));
}

/// True if the file became shorter: the bytes read last may be the zeros that replace its lost end. Reports it.
bool PerfStream::hasFileShrunk(const Source& source)
{
    if (source.decompressed || !source.file->wasTruncated())
        return false;
    m_diagnostics.push_back({Diagnostic::Severity::Error, "file-shrank", source.file->path().string(), 0, 1,
                             "the file became shorter while it was read; its events from here on are left out"});
    return true;
}

} // namespace helio::perf
