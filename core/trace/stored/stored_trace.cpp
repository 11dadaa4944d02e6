#include "core/trace/stored/stored_trace.h"

#include <algorithm>
#include <cstring>

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
    if (m_recording->samples.empty())
        return;
    m_modules = m_recording->stacks.takeModules();
    m_tree = m_recording->stacks.takeTree();
    m_recording->stacks = TextStacks(); // Free data that only the reader needed. It contains views of the file's text, which is freed, too.
}

bool StoredTrace::read(const EventView& event, SampleView& sample) const
{
    constexpr std::uint64_t HeadSize = 20;
    const std::uint64_t offset = event.record->headerBit / 8;
    const auto known = std::ranges::lower_bound(m_recording->samples, event.record->type, {}, &SampleEvent::type);
    if (known == m_recording->samples.end() || known->type != event.record->type || offset + HeadSize > event.packet.contentBits / 8)
        return false;
    const auto load = [at = event.packet.data + offset](std::size_t from, auto& number) {
        std::memcpy(&number, at + from, sizeof(number));
    };
    sample = {};
    load(0, sample.pid);
    load(4, sample.tid);
    load(8, sample.period);
    load(16, sample.stack);
    sample.cpu = event.cpu();
    sample.mode = sample.stack > 0 ? CodeMode::User : CodeMode::Unknown;
    return true;
}

} // namespace helio
