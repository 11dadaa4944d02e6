#pragma once

#include <QByteArray>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>

namespace helio {

/// Builds the bytes of a protobuf message, field by field. A `field` is a protobuf field number.
class MadeMessage {
public:
    MadeMessage() = default;
    MadeMessage& number(std::uint32_t field, std::int64_t value)
    {
        protozero::pbf_writer(m_bytes).add_int64(field, value);
        return *this;
    }
    MadeMessage& fixed(std::uint32_t field, std::uint64_t value)
    {
        protozero::pbf_writer(m_bytes).add_fixed64(field, value);
        return *this;
    }
    MadeMessage& real(std::uint32_t field, double value)
    {
        protozero::pbf_writer(m_bytes).add_double(field, value);
        return *this;
    }
    MadeMessage& text(std::uint32_t field, std::string_view value)
    {
        protozero::pbf_writer(m_bytes).add_bytes(field, value.data(), value.size());
        return *this;
    }
    MadeMessage& message(std::uint32_t field, const MadeMessage& value) { return text(field, value.m_bytes); }
    /// Adds a packed repeated field of integers.
    MadeMessage& packed(std::uint32_t field, std::initializer_list<std::int64_t> values)
    {
        protozero::pbf_writer(m_bytes).add_packed_int64(field, values.begin(), values.end());
        return *this;
    }
    const std::string& bytes() const { return m_bytes; }
    QByteArray array() const { return QByteArray::fromStdString(m_bytes); }

private:
    std::string m_bytes;
};

/// Builds the bytes of a Perfetto trace, packet by packet.
class MadePerfetto {
public:
    MadePerfetto& packet(const MadeMessage& packet)
    {
        m_trace.message(1, packet);
        return *this;
    }
    /// Adds a TracePacket with a timestamp in ns and the message `payload` in the field with the number `field`.
    MadePerfetto& packet(std::int64_t time, std::uint32_t field, const MadeMessage& payload)
    {
        return packet(MadeMessage().number(8, time).message(field, payload));
    }
    /// Adds a TracePacket with an FtraceEventBundle.
    MadePerfetto& ftrace(const MadeMessage& bundle) { return packet(MadeMessage().message(1, bundle)); }
    QByteArray bytes() const { return m_trace.array(); }
    const std::string& text() const { return m_trace.bytes(); }

private:
    MadeMessage m_trace;
};

/// Returns an FtraceEvent with a time in ns, a thread, and the message `content` in the field with the number `field`, which determines the
/// event's type.
inline MadeMessage madeFtraceEvent(std::int64_t time, int tid, std::uint32_t field, const MadeMessage& content)
{
    return MadeMessage().number(1, time).number(2, tid).message(field, content);
}

} // namespace helio
