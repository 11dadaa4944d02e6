#include "tests/bench/amplifier/source_trace.h"

#include "core/formats/ctf/opening/ctf_find.h"
#include "core/formats/ctf/recording/stream_builder.h"

#include <algorithm>
#include <cmath>

namespace helio::bench {
namespace fs = std::filesystem;
namespace {

Error refusal(const std::string& what) { return {Error::Kind::Unsupported, what}; }

Status refuseDamage(const std::vector<Diagnostic>& diagnostics)
{
    for (const auto& diagnostic : diagnostics)
        if (diagnostic.severity != Diagnostic::Severity::Info)
            return refusal(diagnostic.file + ": " + diagnostic.what + " (at byte " + std::to_string(diagnostic.offset) + ")");
    return Done{};
}

/// Path of the index that LTTng wrote beside a stream file.
fs::path indexOf(const fs::path& file)
{
    std::error_code error;
    const auto path = file.parent_path() / "index" / (file.filename().string() + ".idx");
    return fs::is_regular_file(path, error) ? path : fs::path();
}

Status addFiles(const fs::path& folder, ctf::StreamBuilder& builder)
{
    const auto paths = ctf::findStreamFiles(folder);
    if (!paths)
        return paths.error();
    for (const auto& path : *paths) {
        auto file = MappedFile::open(path);
        if (!file)
            return file.error();
        builder.addFile(std::move(*file), [] { return true; });
    }
    return Done{};
}

} // namespace

Result<std::unique_ptr<SourceTrace>> SourceTrace::open(const fs::path& path)
{
    const auto sources = ctf::findTraces(path);
    if (sources.size() != 1)
        return refusal(path.string() + (sources.empty() ? ": no CTF trace is here" : ": several traces are here; name one"));
    std::unique_ptr<SourceTrace> trace(new SourceTrace);
    for (const auto& part : sources.front().parts) {
        auto read = MetadataText::read(part);
        if (!read)
            return read.error();
        if (read->text.size() >= trace->m_metadata.text.size())
            trace->m_metadata = std::move(*read);
    }
    auto status = trace->findStreams(sources.front().parts);
    if (status)
        status = trace->findTimes();
    if (status)
        status = trace->survey();
    if (!status)
        return status.error();
    return trace;
}

Status SourceTrace::findStreams(const std::vector<fs::path>& folders)
{
    const auto& metadata = m_metadata.metadata;
    m_shapes.reserve(metadata.streams.size());
    for (const auto& stream : metadata.streams) {
        m_firstTypes.push_back(EventTypeId(m_types.size()));
        m_shapes.emplace_back(metadata, stream, m_types);
        if (const auto& fault = m_shapes.back().fault(); !fault.empty())
            return refusal(fault);
    }
    m_firstTypes.push_back(EventTypeId(m_types.size()));
    std::vector<Diagnostic> diagnostics;
    std::vector<StreamInfo> infos;
    std::vector<ctf::StreamData> data;
    ctf::StreamBuilder builder(metadata, m_shapes, diagnostics);
    for (const auto& folder : folders)
        if (auto added = addFiles(folder, builder); !added)
            return added;
    builder.finish(infos, data);
    if (infos.empty())
        return refusal(folders.front().string() + ": no packets are here");
    for (std::size_t i = 0; i < infos.size(); ++i) {
        const auto index = indexOf(infos[i].files.front());
        m_streams.push_back({std::move(infos[i]), std::move(data[i]), {}, nullptr, index});
    }
    return refuseDamage(diagnostics);
}

Status SourceTrace::findTimes()
{
    m_times.resize(m_shapes.size());
    for (std::size_t i = 0; i < m_shapes.size(); ++i)
        if (auto found = findTimes(i); !found)
            return found;
    for (auto& stream : m_streams) {
        stream.times = &m_times[static_cast<std::size_t>(stream.data.shape - m_shapes.data())];
        if (stream.data.shape->clockName != m_streams.front().data.shape->clockName)
            return refusal("streams of several clocks");
        if (auto checked = checkPackets(stream); !checked)
            return checked;
    }
    return Done{};
}

Status SourceTrace::findTimes(std::size_t index)
{
    const auto& shape = m_shapes[index];
    auto& times = m_times[index];
    const auto& packetContext = m_metadata.metadata.streams[index].packetContext;
    if (auto added = times.packet.add(shape.packetContext, packetContext, shape.clockName); !added)
        return added;
    for (const auto* field : {&shape.packet.begin, &shape.packet.end})
        if (field->isValid() && integerOf(*field->type())->clock.empty())
            times.packet.add(*field);
    times.narrowBits = times.packet.narrowBits();
    times.events.resize(m_types.size());
    for (auto id = std::size_t(m_firstTypes[index]); id < std::size_t(m_firstTypes[index + 1]); ++id) {
        const auto& type = m_types[EventTypeId(id)];
        for (const auto section : {Section::EventHeader, Section::StreamContext, Section::EventContext, Section::Payload})
            if (auto added = times.events[id].add(type.layout(section), type.section(section), shape.clockName); !added)
                return added;
        times.narrowBits = std::max(times.narrowBits, times.events[id].narrowBits());
    }
    return Done{};
}

Status SourceTrace::checkPackets(const Stream& stream) const
{
    const auto& shape = *stream.data.shape;
    const auto name = stream.info.files.front().string();
    if (shape.clockName.empty())
        return refusal(name + ": its events have no time");
    if (!shape.packet.packetSize.isValid())
        return refusal(name + ": its packets do not say how large they are, so none can follow");
    if (stream.times->narrowBits > 0
        && (!shape.packet.begin.isValid() || !shape.packet.isTimed || shape.packet.beginBits <= ClockFields::WidestKept))
        return refusal(name + ": its packets do not say in full when they begin, and their events do not either");
    for (const auto& packet : stream.data.packets) {
        FieldScope scope;
        const auto& file = *stream.data.files[packet.file];
        scope.packet = {file.bytes().data() + packet.offset, packet.eventsBit, packet.contextBit};
        scope.start(Section::PacketHeader) = 0;
        scope.start(Section::PacketContext) = packet.contextBit;
        if (shape.packet.packetSize.integer(scope) != static_cast<std::int64_t>(packet.size * 8))
            return refusal(name + ": a packet that does not say how large it is");
    }
    return Done{};
}

std::vector<Diagnostic> SourceTrace::readEvents(std::uint32_t stream, const OnBatch& onBatch) const
{
    ctf::CtfEventStream events(m_streams[stream].info, m_streams[stream].data, stream, {}, m_streams.size());
    for (EventBatch batch; events.next(batch);)
        onBatch(batch);
    return events.diagnostics();
}

void SourceTrace::widen(HostTimestamp time)
{
    m_begin = std::min(m_begin, time);
    m_end = std::max(m_end, time);
}

Status SourceTrace::survey()
{
    unsigned narrowBits = 0;
    for (std::uint32_t i = 0; i < m_streams.size(); ++i) {
        auto& stream = m_streams[i];
        narrowBits = std::max(narrowBits, stream.times->narrowBits);
        stream.events.resize(stream.data.packets.size());
        for (const auto& packet : stream.data.packets)
            for (const auto& time : {packet.begin, packet.end})
                if (time)
                    widen(stream.data.shape->clock.at(*time));
        const auto diagnostics = readEvents(i, [&](const EventBatch& batch) {
            stream.events[batch.packetIndex] += batch.records.size();
            m_events += batch.records.size();
            for (const auto& record : batch.records)
                widen(record.time);
        });
        if (auto checked = refuseDamage(diagnostics); !checked)
            return checked;
    }
    if (m_events == 0)
        return refusal("the trace has no events");
    const auto* clock = m_metadata.metadata.findClock(m_streams.front().data.shape->clockName);
    const double frequency = clock ? double(clock->frequency) : 1e9;
    // Clock cycles of the trace, rounded up. Two more cycles let a repetition begin after the last event of the repetition before it.
    const double cycles = std::ceil(double((m_end - m_begin).count()) * frequency / 1e9) + 2;
    if (!(cycles < 0x1p56))
        return refusal("the trace is too long to be repeated");
    m_period = alignUp(static_cast<std::uint64_t>(cycles), std::uint64_t(1) << narrowBits);
    return Done{};
}

} // namespace helio::bench
