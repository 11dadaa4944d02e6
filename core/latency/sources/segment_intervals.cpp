#include "core/event_model/segment_kinds.h"
#include "core/latency/intervals/event_rows.h"
#include "core/latency/intervals/interval_source.h"
#include "core/profiling/calls/call_ends.h"
#include "core/profiling/calls/call_names.h"
#include "core/query/rows/frame_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

namespace helio {
namespace {

/// Returns a title made from an id, e.g. "Packet part" for "packet-part".
std::string titleOf(std::string id)
{
    std::ranges::replace(id, '-', ' ');
    if (!id.empty())
        id[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(id[0])));
    return id;
}

IntervalKind intervalKind(const SegmentKind& segments)
{
    IntervalKind kind{segments.id, segments.title.empty() ? titleOf(segments.id) : segments.title,
                      segments.nameTitle.empty() ? "Name" : segments.nameTitle, 20, segments.valueTitle};
    if (segments.areCalls) {
        kind.title = titleOf(segments.id) + "s of all functions";
        kind.nameTitle = "Function";
        kind.order = 0;
    }
    kind.areSegments = true;
    kind.areCalls = segments.areCalls;
    kind.hasFields = segments.hasFields;
    return kind;
}

class SegmentIntervals : public IntervalSource {
public:
    SegmentIntervals(std::shared_ptr<const Timeline> timeline, const SegmentKind& segments)
        : IntervalSource(intervalKind(segments))
        , m_timeline(std::move(timeline))
        , m_hasFrames(segments.hasFrames)
    {
    }

    std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const override
    {
        const auto names = m_hasFrames ? callNamesOf(m_timeline, stop) : nullptr;
        std::map<std::pair<StoreIndex, StackId>, std::string> addresses;
        std::map<TrackRef, Row> rows;
        UnfinishedCalls unfinished(*m_timeline, stop);
        AcceptedRows accepted(request.accepts);
        const Row* last = nullptr; // Row of the last segment, cached because consecutive segments are often on the same row.
        TrackRef lastRef;
        bool isLastAccepted = false;
        forEachSegment(
            *m_timeline, kind().id, request.range,
            [&](const Segment& segment) {
                if (segment.range.begin < request.range.begin || segment.range.end > request.range.end
                    || segment.range.begin >= request.range.end)
                    return;
                if (!last || lastRef != segment.row()) {
                    const auto [row, isNew] = rows.try_emplace(segment.row());
                    if (isNew)
                        row->second = rowOf(*m_timeline, segment);
                    last = &row->second;
                    lastRef = segment.row();
                    isLastAccepted = accepted.has(*last);
                }
                if (!isLastAccepted)
                    return;
                SourceInterval it{segment.range, *last, {}};
                it.segment = &segment;
                it.isUnfinished = kind().areCalls && unfinished.contains(segment);
                if (names) {
                    const StackId stack = segment.recorded.stack();
                    it.function = &names->functionOf(segment.store, stack);
                    it.name = it.function->name;
                    if (it.name.empty()) {
                        std::string& address = addresses[{segment.store, stack}];
                        if (address.empty())
                            address = frameText(*m_timeline, segment.store, stack);
                        it.name = address;
                    }
                } else {
                    it.name = nameOf(*m_timeline, segment);
                }
                if (kind().hasFields)
                    it.fields = fieldsOf(*m_timeline, segment);
                take(it);
            },
            stop);
        return 0;
    }

    /// Segments of threads have no CPU, except those of idle threads, e.g. an idle thread's waits for a lock.
    bool knowsCpus() const override
    {
        std::set<TrackRef> seen;
        std::stop_source found;
        bool isOnCpu = false;
        bool isOfThreads = false;
        const auto look = [&](const Segment& it) {
            if (!seen.insert(it.row()).second)
                return;
            const Row row = rowOf(*m_timeline, it);
            isOnCpu |= row.cpu >= 0;
            isOfThreads |= row.cpu < 0 && row.tid >= 0;
            if (isOfThreads)
                found.request_stop();
        };
        forEachSegment(*m_timeline, kind().id, {Timestamp::min(), Timestamp::max()}, look, found.get_token());
        return !isOfThreads && (isOnCpu || seen.empty());
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
    bool m_hasFrames;
};

void listSegments(const std::shared_ptr<const Timeline>& timeline, IntervalSources& sources)
{
    for (const SegmentKind& kind : segmentKinds(*timeline))
        if (kind.id != CallCpuTimes)
            sources.push_back(std::make_unique<SegmentIntervals>(timeline, kind));
}

} // namespace

extern const IntervalSourceFactory segmentIntervals;
const IntervalSourceFactory segmentIntervals{listSegments, nullptr};

} // namespace helio
