#include "core/trace/tracepoint/tracepoint_texts.h"

#include <algorithm>
#include <string_view>

namespace helio::tracepoint {
namespace {

constexpr int MostStarts = 5; ///< Limit of the number of processes that may die of a trace.
constexpr std::size_t LongestText = 64 << 10; ///< Limit of the size of a text in bytes; longer ones are cut.

void append(std::vector<std::byte>& message, const void* data, std::size_t size)
{
    const auto* const bytes = static_cast<const std::byte*>(data);
    message.insert(message.end(), bytes, bytes + size);
}
template <typename T> void appendNumber(std::vector<std::byte>& message, T number) { append(message, &number, sizeof number); }
void append(std::vector<std::byte>& message, std::string_view text) { append(message, text.data(), text.size()); }

} // namespace

bool TracepointTexts::start()
{
    if (m_starts >= MostStarts)
        return false;
    ++m_starts;
    auto process = HelperProcess::start(TraceEvent, {}, {.cpuSeconds = 3, .silence = std::chrono::seconds(10)});
    if (!process) {
        m_starts = MostStarts;
        return false;
    }
    m_process = std::move(*process);
    m_sent.clear();
    m_message.clear();
    appendNumber(m_message, std::uint8_t(m_data.order == ByteOrder::Big));
    appendNumber(m_message, std::uint8_t(m_data.longSize));
    appendNumber(m_message, m_data.pageSize);
    appendNumber(m_message, std::uint64_t(m_data.symbols.size()));
    tracepoint::append(m_message, m_data.symbols);
    tracepoint::append(m_message, m_data.printkFormats);
    return m_process->write(std::uint8_t(TextMessage::Kernel), m_message);
}

bool TracepointTexts::sendFormat(std::uint64_t id)
{
    if (!m_sent.insert(id).second)
        return true;
    const Tracepoint& tracepoint = m_data.tracepoints.at(id);
    m_message.clear();
    tracepoint::append(m_message, tracepoint.system);
    m_message.push_back(std::byte{0});
    tracepoint::append(m_message, tracepoint.format);
    return m_process->write(std::uint8_t(TextMessage::Format), m_message);
}

bool TracepointTexts::append(std::string& text, std::uint64_t id, std::int32_t cpu, std::span<const std::byte> record)
{
    if (m_unusable.contains(id))
        return false;
    const auto found = m_data.tracepoints.find(id);
    if (found != m_data.tracepoints.end() && record.size() < minRecordSize(found->second))
        return false; // The library does not check whether fields lie in the record.
    if (found == m_data.tracepoints.end() || found->second.format.empty() || (!m_process && !start())) {
        m_unusable.insert(id);
        return false;
    }
    bool isAlive = sendFormat(id);
    m_message.clear();
    appendNumber(m_message, cpu);
    tracepoint::append(m_message, record.data(), record.size());
    isAlive = isAlive && m_process->write(std::uint8_t(TextMessage::Record), m_message);
    while (isAlive) {
        const auto answer = m_process->read();
        if (!answer)
            break;
        if (!*answer)
            continue;
        if (TextMessage((*answer)->kind) != TextMessage::Text) {
            m_unusable.insert(id);
            return false;
        }
        const auto bytes = (*answer)->bytes.first(std::min((*answer)->bytes.size(), LongestText));
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        while (text.ends_with('\n')) // Programs often end their texts by a new line.
            text.pop_back();
        return true;
    }
    // The library died of this tracepoint or hangs in it.
    m_process.reset();
    m_unusable.insert(id);
    return false;
}

} // namespace helio::tracepoint
