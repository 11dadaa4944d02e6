#include "core/trace/stored/stored_trace.h"

#include <algorithm>

namespace helio {

void StoredRecording::shift(Duration offset)
{
    const auto shifted = [&](HostTimestamp time) { return HostTimestamp(sumOf(time.time_since_epoch(), offset)); };
    events.shift(offset);
    for (Loss& loss : losses)
        loss.range = {shifted(loss.range.begin), shifted(loss.range.end)};
    for (ProcessRecord& record : records)
        record.time = shifted(record.time);
}

void StoredRecording::finish()
{
    events.finish();
    std::ranges::stable_sort(losses, {}, [](const Loss& loss) { return loss.range.begin; });
    std::ranges::stable_sort(records, {}, &ProcessRecord::time);
}

StoredTrace::StoredTrace(TraceInfo info, std::unique_ptr<StoredRecording> recording, std::uint32_t payloadOffset)
    : m_info(std::move(info))
    , m_recording(std::move(recording))
    , m_payloadOffset(payloadOffset)
    , m_streams(makeStoredStreams(m_recording->events, m_info.path))
{
}

} // namespace helio
