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

// The event types of a recording: what the record's bytes mean, field by field.
//
// Samples without a tracepoint's record: the payload is the whole record; its stream context is {pid, tid}.
// Samples with one: the payload is the tracepoint's record; the stream context is the whole sample.
// Times and CPUs are hidden: they are the event's own.

/// Makes the types of samples. Those of one layout share their fields: a recording may have thousands of tracepoints.
class SampleTypes {
public:
    /// `machine`: whose registers were recorded, as uname -m says.
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
    std::map<std::array<std::uint64_t, 6>, FieldTypePtr> m_bodies; ///< By all that a layout depends on.
    FieldTypePtr m_thread;
};

/// SWITCH, or SWITCH_CPU_WIDE with the other thread's pid and tid.
EventType makeSwitchType(bool isCpuWide, bool hasTid, ByteOrder order);

/// Whether the attribute's samples carry a record of a known format.
bool hasTracepointType(const Attribute& attribute, const TracingData& tracing);

} // namespace helio::perf
