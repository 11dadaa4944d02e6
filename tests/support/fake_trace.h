#pragma once

// FakeTrace: a trace for tests that consists of given events. The number of an event is the value of its only payload field "number" (32
// bits).

#include "tests/support/made_trace.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace helio::test {

struct FakeEvent {
    std::int64_t time;
    std::uint32_t number = 0;
    std::uint32_t type = 0;
    std::int32_t cpu = 0;
};

class FakeStream final : public EventStream {
public:
    FakeStream(const std::vector<FakeEvent>& events, StreamPosition from)
        : m_events(events)
        , m_next(from.event)
    {
    }

    bool next(EventBatch& batch) override
    {
        constexpr std::size_t BatchSize = 7; // Number of events in a batch; odd, so that tests meet batch borders everywhere.
        batch.clear();
        m_bytes.clear();
        batch.begin = {};
        batch.begin.event = m_next;
        for (; m_next < m_events.size() && batch.records.size() < BatchSize; ++m_next) {
            const FakeEvent& event = m_events[m_next];
            EventRecord record;
            record.time = hostTime(event.time);
            record.headerBit = m_bytes.size() * 8;
            record.type = EventTypeId{event.type};
            record.cpu = event.cpu;
            batch.records.push_back(record);
            m_bytes.resize(m_bytes.size() + 4);
            std::memcpy(m_bytes.data() + m_bytes.size() - 4, &event.number, 4);
        }
        batch.packet = {m_bytes.data(), m_bytes.size() * 8, 0};
        return !batch.records.empty();
    }

    std::vector<Diagnostic> diagnostics() const override { return {}; }

private:
    const std::vector<FakeEvent>& m_events;
    std::size_t m_next;
    std::vector<std::byte> m_bytes;
};

class FakeTrace final : public MadeTrace {
public:
    FakeTrace(TraceInfo info, std::vector<std::string> types, std::vector<std::vector<FakeEvent>> streams)
        : m_events(std::move(streams))
    {
        m_info = std::move(info);
        IntegerType unsigned32;
        unsigned32.bits = 32;
        const auto number = std::make_shared<const FieldType>(FieldType{32, unsigned32});
        const auto payload = std::make_shared<const FieldType>(FieldType{32, StructType{{{"number", number}}}});
        for (std::string& name : types) {
            EventType type;
            type.name = std::move(name);
            type.payload = payload;
            m_types.add(std::move(type));
        }
        for (const auto& events : m_events) {
            StreamInfo stream;
            stream.label = "stream " + std::to_string(m_streams.size());
            PacketInfo packet;
            packet.size = events.size() * 4;
            packet.contentBits = packet.size * 8;
            if (!events.empty())
                packet.range = HostRange{hostTime(events.front().time), hostTime(events.back().time)};
            stream.packets.push_back(packet);
            m_streams.push_back(std::move(stream));
            m_info.bytes += packet.size;
        }
    }

    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override
    {
        return std::make_unique<FakeStream>(m_events[stream], from);
    }
    bool hasChanged() const override { return m_hasChanged; }

    /// Makes the trace report that its files were written to while it was open.
    void change() { m_hasChanged = true; }

private:
    bool m_hasChanged = false;
    std::vector<std::vector<FakeEvent>> m_events;
};

} // namespace helio::test
