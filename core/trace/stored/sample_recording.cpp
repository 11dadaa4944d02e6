#include "core/trace/stored/sample_recording.h"

#include <algorithm>
#include <cstring>

namespace helio {
namespace {

/// True for events whose periods are in ns. The name may have modifiers, for example "cpu-clock:ppp".
bool isClock(std::string_view name)
{
    name = name.substr(0, name.find(':'));
    return name == "cpu-clock" || name == "task-clock";
}

} // namespace

SampleRecording::SampleRecording(std::string file)
    : events(std::move(file), [this](const NewEvent& event, std::span<const StoredField> fields) { return makeType(event, fields); })
{
}

/// Makes the type of an event. Its variant is true if the text contains the period.
EventType SampleRecording::makeType(const NewEvent& event, std::span<const StoredField> fields) const
{
    EventType type;
    type.name = event.name;
    type.streamContext =
        makeStoredStruct({{m_hasPids ? "pid" : "", makeStoredInteger(32, true), !m_hasPids}, {"tid", makeStoredInteger(32, true)}});
    const bool hasPeriod = event.variant != 0;
    std::vector<Member> members{{hasPeriod ? "period" : "", makeStoredInteger(64, false), !hasPeriod}};
    for (int i = 0; i < 2; ++i) // Add hidden members for the indices of the stack and of the command.
        members.push_back({"", makeStoredInteger(32, false), true});
    std::ranges::move(makeStoredMembers(fields), std::back_inserter(members));
    type.payload = makeStoredStruct(std::move(members));
    return type;
}

std::uint32_t SampleRecording::indexOf(std::string_view command)
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

SampleEvent SampleRecording::describe(const NewSample& event, std::uint32_t type) const
{
    SampleEvent sample;
    sample.type = EventTypeId{type};
    sample.name = event.name;
    sample.isTime = (event.hasPeriod && isClock(event.name)) || (event.isSummed && event.unit == "ns");
    sample.isCounted = event.isCounted;
    sample.isSummed = event.isSummed;
    sample.unit = event.unit;
    sample.divisor = divisor;
    return sample;
}

bool SampleRecording::add(const NewSample& event, const std::vector<StoredField>& fields)
{
    m_head.clear();
    appendNumber(event.pid, m_head);
    appendNumber(event.tid, m_head);
    appendNumber(event.period, m_head);
    appendNumber(event.stack, m_head);
    appendNumber(indexOf(event.command), m_head);
    const std::uint32_t type = events.add({event.name, event.hasPeriod, event.time, event.cpu, m_head, event.text}, fields);
    if (type == StoredEvents::NoType)
        return false;
    if (type == samples.size())
        samples.push_back(describe(event, type));
    if (event.isCounted)
        samples[type].counted += event.period;
    return true;
}

/// Counts the samples of all events again, because the last ones could not be stored.
void SampleRecording::countAgain()
{
    for (SampleEvent& it : samples)
        it.counted = 0;
    for (const StoredEvent& event : events.events()) {
        std::uint64_t period = 0;
        std::memcpy(&period, events.bytes().data() + event.offset + SampleContextSize, sizeof(period));
        samples[event.type].counted += samples[event.type].isCounted ? period : 0;
    }
}

void SampleRecording::finish()
{
    if (!events.finish())
        countAgain();
    std::ranges::stable_sort(records, {}, &ProcessRecord::time);
}

} // namespace helio
