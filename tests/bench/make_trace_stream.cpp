#include "tests/bench/make_trace_stream.h"

#include <bit>
#include <cstring>
#include <fstream>

namespace helio::bench {
namespace {

static_assert(std::endian::native == std::endian::little, "the trace says it is little-endian");

constexpr std::size_t PacketBytes = 256 * 1024; // Default sub-buffer size of an LTTng kernel channel.
constexpr std::size_t LargestEvent = 256;
constexpr std::size_t PageBytes = 4096;

// Offset in bytes of the packet context, whose times and sizes are written when the packet ends.
constexpr std::size_t TimesAt = 4 + 16 + 4 + 8;

} // namespace

StreamWriter::StreamWriter(std::filesystem::path path, const MadeUuid& uuid, std::uint32_t cpu)
    : m_path(std::move(path))
    , m_uuid(uuid)
    , m_cpu(cpu)
{
    m_isGood = std::ofstream(m_path, std::ios::binary | std::ios::trunc).good();
}

StreamWriter& StreamWriter::event(MadeEvent id, std::uint64_t time)
{
    if (m_packet.size() + LargestEvent > PacketBytes)
        end();
    if (m_packet.empty())
        begin(time);
    if ((time - m_last) >> 32 == 0)
        put(std::uint16_t(id)).put(std::uint32_t(time));
    // Write the whole time: more than 2^32 ns passed since the last event, so the low 32 bits would be ambiguous.
    else
        put(std::uint16_t(0xffff)).put(std::uint32_t(id)).put(time);
    m_last = time;
    return *this;
}

StreamWriter& StreamWriter::add(std::string_view text)
{
    m_packet.insert(m_packet.end(), text.begin(), text.end());
    m_packet.push_back('\0');
    return *this;
}

void StreamWriter::begin(std::uint64_t time)
{
    m_begin = m_last = time;
    put(std::uint32_t(0xc1fc1fc1)).put(m_uuid).put(std::uint32_t(0)).put(std::uint64_t(m_cpu));
    for (int i = 0; i < 4; ++i)
        put(std::uint64_t(0));
    put(m_packets++).put(std::uint64_t(0)).put(m_cpu);
}

void StreamWriter::end()
{
    if (m_packet.empty())
        return;
    const std::uint64_t content = m_packet.size() * 8;
    m_packet.resize((m_packet.size() + PageBytes - 1) / PageBytes * PageBytes);
    const std::array<std::uint64_t, 4> known{m_begin, m_last, content, m_packet.size() * 8};
    std::memcpy(m_packet.data() + TimesAt, known.data(), sizeof known);
    std::ofstream file(m_path, std::ios::binary | std::ios::app);
    file.write(m_packet.data(), std::streamsize(m_packet.size()));
    file.close();
    m_isGood = m_isGood && !file.fail();
    m_packet.clear();
}

bool StreamWriter::close()
{
    end();
    return m_isGood;
}

} // namespace helio::bench
