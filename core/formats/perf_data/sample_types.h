#pragma once

#include "core/formats/perf_data/attribute.h"
#include "core/formats/perf_data/tracing_data.h"
#include "core/trace/fields/event_type.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace helio::perf {

// Makes the event types of a recording, which describe the bytes of its records field by field.
//
// In a sample without a tracepoint's record, the payload is the whole record and the stream context is {pid, tid}.
// In a sample with a tracepoint's record, the payload is that record and the stream context is the whole sample.
// Fields with the time and the CPU are hidden: EventRecord has them.

/// Makes the event types of samples. Types with the same layout share their fields, because a recording may have thousands of tracepoints.
class SampleTypes {
public:
    /// `machine` is the output of uname -m on the recorded host, for the names of registers.
    SampleTypes(const TracingData& tracing, std::string machine, ByteOrder order)
        : m_tracing(tracing)
        , m_machine(std::move(machine))
        , m_order(order)
    {
    }

    EventType make(const Attribute& attribute);

private:
    FieldTypePtr body(const Attribute& attribute, bool isContext);

    const TracingData& m_tracing;
    const std::string m_machine;
    const ByteOrder m_order;
    std::map<std::array<std::uint64_t, 6>, FieldTypePtr> m_bodies; ///< Types by all parts of an attribute that a layout depends on.
    FieldTypePtr m_thread;
};

/// Makes the event type of SWITCH, or of SWITCH_CPU_WIDE with the other thread's pid and tid.
EventType makeSwitchType(bool isCpuWide, bool hasTid, ByteOrder order);

/// True if the attribute's samples have a tracepoint's record of a known format.
bool hasTracepointType(const Attribute& attribute, const TracingData& tracing);

} // namespace helio::perf
