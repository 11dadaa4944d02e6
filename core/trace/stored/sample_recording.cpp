#include "core/trace/stored/sample_recording.h"

#include "core/trace/stored/track_events.h"

#include <algorithm>
#include <iterator>

namespace helio {
namespace {

// Bit flags in NewEvent::variant.
constexpr char IsRecordedSample = 64; ///< The event is a sample; TrackEventWriter, which writes all other events, does not set this flag.
constexpr char HasPeriod = 1; ///< The recording contains the period.

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

EventType SampleRecording::makeType(const NewEvent& event, std::span<const StoredField> fields) const
{
    if ((event.variant & IsRecordedSample) == 0)
        return makeTrackEventType(event, fields);
    EventType type;
    type.name = event.name;
    type.streamContext =
        makeStoredStruct({{m_hasPids ? "pid" : "", makeStoredInteger(32, true), !m_hasPids}, {"tid", makeStoredInteger(32, true)}});
    std::vector<Member> members = makeSampleMembers((event.variant & HasPeriod) != 0);
    std::ranges::move(makeStoredMembers(fields), std::back_inserter(members));
    type.payload = makeStoredStruct(std::move(members));
    return type;
}

bool SampleRecording::add(const NewSample& event, const std::vector<StoredField>& fields)
{
    m_context.clear();
    appendNumber(event.pid, m_context);
    appendNumber(event.tid, m_context);
    const auto variant = static_cast<char>(IsRecordedSample | (event.hasPeriod ? HasPeriod : 0));
    SampleEvent* const kind =
        addSample({event.name, variant, event.time, event.cpu, m_context, event.text}, {event.period, event.stack, event.command}, fields);
    if (!kind)
        return false;
    if (kind->name.empty()) {
        kind->name = event.name;
        kind->isTime = (event.hasPeriod && isClock(event.name)) || (event.isSummed && event.unit == "ns");
        kind->isCounted = event.isCounted;
        kind->isSummed = event.isSummed;
        kind->unit = event.unit;
        kind->divisor = divisor;
        kind->hasForwardPeriods = event.hasForwardPeriod;
        kind->interval = Duration(interval);
    }
    if (event.isCounted)
        kind->counted += event.period;
    return true;
}

} // namespace helio
