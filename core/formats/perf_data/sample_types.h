#pragma once

#include "core/formats/perf_data/attribute.h"
#include "core/trace/fields/event_type.h"
#include "core/trace/tracepoint/tracing_data.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio::perf {

// Event types of a recording, which describe the bytes of its records field by field.
//
// In a sample without a tracepoint's record, the payload is the whole record and the stream context is {pid, tid}.
// In a sample with a tracepoint's record, the payload is that record and the stream context is the whole sample.
// Fields with the time and the CPU are hidden, because EventRecord contains both.

/// Makes the event types of samples. Types with the same layout share their fields, because a recording may have thousands of tracepoints.
class SampleTypes {
public:
    /// `machine` is the output of uname -m on the recorded host; it determines the names of registers. `idLabels` names event IDs.
    SampleTypes(const tracepoint::TracingData& tracing, std::string machine, ByteOrder order, std::vector<EnumRange> idLabels = {})
        : m_tracing(tracing)
        , m_machine(std::move(machine))
        , m_order(order)
        , m_idLabels(std::move(idLabels))
    {
    }

    EventType make(const Attribute& attribute);

private:
    FieldTypePtr body(const Attribute& attribute, bool isContext);

    const tracepoint::TracingData& m_tracing;
    const std::string m_machine;
    const ByteOrder m_order;
    const std::vector<EnumRange> m_idLabels;
    /// Types of sample records, keyed by the members of Attribute on which the layout depends.
    std::map<std::array<std::uint64_t, 6>, FieldTypePtr> m_bodies;
    FieldTypePtr m_thread;
};

/// Returns the event type of SWITCH or SWITCH_CPU_WIDE. SWITCH_CPU_WIDE also has the pid and tid of the previous or next thread.
EventType makeSwitchType(bool isCpuWide, bool hasTid, ByteOrder order);

/// True if the attribute's samples contain the raw data of a tracepoint with a known format.
bool hasTracepointType(const Attribute& attribute, const tracepoint::TracingData& tracing);

} // namespace helio::perf
