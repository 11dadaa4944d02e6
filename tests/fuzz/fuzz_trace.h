#pragma once

#include "core/trace/trace.h"
#include "tests/fuzz/fuzz_input.h"

#include <array>
#include <memory>

namespace helio {

/// A trace whose event types have a number, a text and a context. It has no streams: a fuzzer makes the events with fuzzEvent().
class FuzzTrace final : public Trace {
public:
    FuzzTrace()
    {
        IntegerType number;
        number.bits = 64;
        number.isSigned = true;
        const auto integer = std::make_shared<const FieldType>(FieldType{8, number});
        const auto text = std::make_shared<const FieldType>(FieldType{8, StringType{}});
        for (const char* name : {"a", "b", "sched_switch", "irq_handler_entry", "irq_handler_exit"}) {
            EventType type;
            type.name = name;
            type.streamContext = std::make_shared<const FieldType>(FieldType{8, StructType{{{"tid", integer}}}});
            type.payload = std::make_shared<const FieldType>(
                FieldType{8, StructType{{{"n", integer}, {"irq", integer}, {"next_tid", integer}, {"s", text}, {"name", text}}}});
            m_types.add(std::move(type));
        }
    }
    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_types; }
    std::span<const StreamInfo> streams() const override { return {}; }
    std::unique_ptr<EventStream> openStream(std::uint32_t, StreamPosition) const override { return nullptr; }
    std::span<const Diagnostic> diagnostics() const override { return {}; }

    static constexpr int TypeCount = 5;

private:
    TraceInfo m_info;
    EventTypes m_types;
};

/// Event number `i` of a FuzzTrace: events have different types, times, CPUs and fields.
class FuzzEvent {
public:
    FuzzEvent(const FuzzTrace& trace, int i)
    {
        m_record.time = hostTime(i * 10);
        m_record.type = EventTypeId(static_cast<std::uint32_t>(i % FuzzTrace::TypeCount));
        m_record.cpu = i % 2;
        m_record.payloadOffset = 64;
        m_bytes[0] = std::byte(i % 3);
        m_bytes[8] = std::byte(i % 4);
        m_bytes[16] = std::byte(i / 2 % 4);
        m_bytes[32] = std::byte('x');
        view = {&m_record, &trace.eventTypes()[m_record.type], {m_bytes.data(), m_bytes.size() * 8, 0}, 0};
    }
    FuzzEvent(const FuzzEvent&) = delete;
    FuzzEvent& operator=(const FuzzEvent&) = delete;

    EventView view;

private:
    EventRecord m_record;
    std::array<std::byte, 64> m_bytes{};
};

} // namespace helio
