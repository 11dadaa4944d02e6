#include "core/analyses/disks/request_segments.h"

#include "core/event_model/segment_fields.h"
#include "core/event_model/segment_kinds.h"

#include <string>
#include <string_view>
#include <utility>

namespace helio::disks {
namespace {

constexpr std::size_t MostUnnamed = 4096;

std::string fieldsOf(const Disk& disk, const CompletedRequest& done)
{
    const Request& request = done.request;
    SegmentFields fields;
    fields.add("disk", disk.name.empty() ? disk.numbers : disk.name);
    fields.addNumber("sector", request.sector);
    fields.addNumber("nr_sector", request.count);
    fields.addNumber("bytes", request.bytes);
    if (done.queued)
        fields.addNumber("queued_ns", done.queued->count());
    if (request.requestingThread.tid >= 0)
        fields.addNumber("tid", request.requestingThread.tid);
    if (!request.requestingThread.name.empty())
        fields.add("comm", request.requestingThread.name);
    if (done.cpu >= 0)
        fields.addNumber("cpu", done.cpu);
    if (request.error != 0)
        fields.addNumber("error", request.error);
    return fields.text();
}

} // namespace

RequestSegments::RequestSegments(StateSink& sink, bool mayNameDisks)
    : m_sink(sink)
    , m_mayNameDisks(mayNameDisks)
{
    SegmentKind kind;
    kind.id = DiskRequests;
    kind.title = "Disk requests";
    kind.nameTitle = "Operation";
    kind.valueTitle = "Request";
    kind.hasFields = true;
    m_kind = *sink.segments().addKind(kind);
}

void RequestSegments::add(const Disk& disk, CompletedRequest done)
{
    if (!m_mayNameDisks || !disk.name.empty())
        return write(disk, done);
    m_unnamed.emplace_back(&disk, std::move(done));
    if (m_unnamed.size() >= MostUnnamed) {
        m_mayNameDisks = false;
        write();
    }
}

void RequestSegments::write()
{
    for (const auto& [disk, done] : m_unnamed)
        write(*disk, done);
    m_unnamed.clear();
}

void RequestSegments::write(const Disk& disk, const CompletedRequest& done)
{
    HostSegment segment;
    segment.begin = done.begin;
    segment.end = done.end;
    segment.name = m_sink.string(wordOf(done.request.operation));
    segment.value = static_cast<std::int64_t>(m_sink.string(fieldsOf(disk, done)));
    segment.track = done.row;
    segment.kind = m_kind;
    m_sink.segments().add(segment);
}

} // namespace helio::disks
