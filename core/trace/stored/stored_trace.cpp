#include "core/trace/stored/stored_trace.h"

#include <algorithm>
#include <cstring>

namespace helio {

std::uint32_t StoredRecording::indexOf(std::string_view command)
{
    if (command.empty())
        return 0;
    if (commands[m_lastCommand] == command)
        return m_lastCommand;
    const std::uint64_t hash = std::hash<std::string_view>()(command);
    m_lastCommand = m_commandIndex.findOrAdd(hash, [&](std::uint32_t i) { return commands[i + 1] == command; }) + 1;
    if (m_lastCommand == commands.size())
        commands.emplace_back(command);
    return m_lastCommand;
}

SampleEvent* StoredRecording::addSample(const NewEvent& event, const StoredSample& sample, std::span<const StoredField> fields)
{
    m_head.assign(event.head.begin(), event.head.end());
    appendNumber(sample.period, m_head);
    appendNumber(sample.stack, m_head);
    appendNumber(indexOf(sample.command), m_head);
    const std::uint32_t type = events.add({event.name, event.variant, event.time, event.cpu, m_head, event.text}, fields);
    if (type == StoredEvents::NoType)
        return nullptr;
    auto kind = std::ranges::lower_bound(samples, EventTypeId{type}, {}, &SampleEvent::type);
    if (kind == samples.end() || kind->type != EventTypeId{type}) {
        kind = samples.emplace(kind);
        kind->type = EventTypeId{type};
    }
    return &*kind;
}

/// Counts the samples of all events again, because the last ones could not be stored.
void StoredRecording::countAgain()
{
    for (SampleEvent& it : samples)
        it.counted = 0;
    for (const StoredEvent& event : events.events()) {
        const auto kind = std::ranges::lower_bound(samples, EventTypeId{event.type}, {}, &SampleEvent::type);
        if (kind == samples.end() || kind->type != EventTypeId{event.type} || !kind->isCounted)
            continue;
        std::uint64_t period = 0;
        std::memcpy(&period, events.bytes().data() + event.offset + events.payloadOffsets()[event.type], sizeof(period));
        kind->counted += period;
    }
}

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
    if (!events.finish())
        countAgain();
    std::ranges::stable_sort(losses, {}, [](const Loss& loss) { return loss.range.begin; });
    std::ranges::stable_sort(records, {}, &ProcessRecord::time);
}

std::vector<Member> makeSampleMembers(bool showsPeriod)
{
    return {{showsPeriod ? "period" : "", makeStoredInteger(64, false), !showsPeriod},
            {"", makeStoredInteger(32, false), true},
            {"", makeStoredInteger(32, false), true}};
}

StoredTrace::StoredTrace(TraceInfo info, std::unique_ptr<StoredRecording> recording)
    : m_info(std::move(info))
    , m_recording(std::move(recording))
    , m_streams(makeStoredStreams(m_recording->events, m_info.path))
    , m_modules(m_recording->stacks.takeModules())
    , m_tree(m_recording->stacks.takeTree())
{
    m_recording->stacks = TextStacks(); // Free data that only the reader needed. It contains views of the file's text, which is freed, too.
}

CodeMode StoredTrace::modeOf(std::uint32_t stack) const
{
    if (stack == 0 || stack >= m_tree.size())
        return CodeMode::Unknown;
    const Module& module = m_modules[static_cast<std::size_t>(m_tree[stack].module)];
    switch (module.kind) {
    case Module::Kind::Unknown: return CodeMode::Unknown;
    case Module::Kind::GuestKernel:
    case Module::Kind::GuestModule: return CodeMode::GuestKernel;
    case Module::Kind::GuestUser: return CodeMode::GuestUser;
    default: return module.isKernel() ? CodeMode::Kernel : CodeMode::User;
    }
}

bool StoredTrace::read(const EventView& event, SampleView& sample) const
{
    constexpr std::uint64_t HeadSize = 16; // Size in bytes of the members of makeSampleMembers().
    const std::uint64_t offset = event.record->headerBit / 8;
    const std::uint64_t payload = offset + event.record->payloadOffset / 8;
    const auto known = std::ranges::lower_bound(m_recording->samples, event.record->type, {}, &SampleEvent::type);
    if (known == m_recording->samples.end() || known->type != event.record->type || payload + HeadSize > event.packet.contentBits / 8)
        return false;
    const auto load = [data = event.packet.data](std::uint64_t from, auto& number) { std::memcpy(&number, data + from, sizeof(number)); };
    std::uint32_t command = 0;
    sample = {};
    load(offset, sample.pid);
    load(offset + 4, sample.tid);
    load(payload, sample.period);
    load(payload + 8, sample.stack);
    load(payload + 12, command);
    if (!m_info.hasTimes || sample.tid < 0)
        sample.command = m_recording->commands[command];
    sample.cpu = event.cpu();
    sample.mode = modeOf(sample.stack);
    return true;
}

} // namespace helio
