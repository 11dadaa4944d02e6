#include "core/trace/stored/sample_recording.h"

#include <algorithm>
#include <iterator>

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
    : StoredRecording(std::move(file),
                      [this](const NewEvent& event, std::span<const StoredField> fields) { return makeType(event, fields); })
{
}

/// Makes the type of an event. Its variant is true if the text contains the period.
EventType SampleRecording::makeType(const NewEvent& event, std::span<const StoredField> fields) const
{
    EventType type;
    type.name = event.name;
    type.streamContext =
        makeStoredStruct({{m_hasPids ? "pid" : "", makeStoredInteger(32, true), !m_hasPids}, {"tid", makeStoredInteger(32, true)}});
    std::vector<Member> members = makeSampleMembers(event.variant != 0);
    std::ranges::move(makeStoredMembers(fields), std::back_inserter(members));
    type.payload = makeStoredStruct(std::move(members));
    return type;
}

bool SampleRecording::add(const NewSample& event, const std::vector<StoredField>& fields)
{
    m_context.clear();
    appendNumber(event.pid, m_context);
    appendNumber(event.tid, m_context);
    SampleEvent* const kind =
        addSample({event.name, event.hasPeriod, event.time, event.cpu, m_context, event.text}, {event.period, event.stack, event.command}, fields);
    if (!kind)
        return false;
    if (kind->name.empty()) {
        kind->name = event.name;
        kind->isTime = (event.hasPeriod && isClock(event.name)) || (event.isSummed && event.unit == "ns");
        kind->isCounted = event.isCounted;
        kind->isSummed = event.isSummed;
        kind->unit = event.unit;
        kind->divisor = divisor;
    }
    if (event.isCounted)
        kind->counted += event.period;
    return true;
}

} // namespace helio
