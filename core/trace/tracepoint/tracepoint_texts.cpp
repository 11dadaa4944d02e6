#include "core/trace/tracepoint/tracepoint_texts.h"

#include <algorithm>
#include <string_view>

namespace helio::tracepoint {
namespace {

constexpr int MostStarts = 5; ///< Maximum number of helper processes started for one trace; each crash or hang costs one.
constexpr std::size_t MostBytes = 32 << 10; ///< Limit of the size of the records that are sent at once, in bytes, except the last one.
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
    m_process->write(std::uint8_t(TextMessage::Kernel), m_message);
    return true;
}

void TracepointTexts::sendFormat(std::uint64_t id)
{
    if (!m_sent.insert(id).second)
        return;
    const Tracepoint& tracepoint = m_data.tracepoints.at(id);
    m_message.clear();
    appendNumber(m_message, id);
    tracepoint::append(m_message, tracepoint.system);
    m_message.push_back(std::byte{0});
    tracepoint::append(m_message, tracepoint.format);
    m_process->write(std::uint8_t(TextMessage::Format), m_message);
}

bool TracepointTexts::isUsable(const RawRecord& record)
{
    const auto found = m_data.tracepoints.find(record.id);
    if (m_unusable.contains(record.id) || found == m_data.tracepoints.end() || found->second.format.empty())
        return false;
    return record.data.size() >= minRecordSize(found->second); // The library does not check whether fields lie in the record.
}

/// Prints records from the first one on, and returns their number. All their requests are sent before the answers are read; they fit into
/// the socket, so that neither process waits for the other one to read.
std::size_t TracepointTexts::printSome(std::span<const RawRecord> records, std::span<std::optional<std::string>> texts)
{
    if (!m_process && !start())
        return 0;
    std::size_t bytes = 0;
    std::vector<std::size_t> asked; // Indices of the records that can be printed.
    std::size_t count = 0;
    for (; count < records.size() && bytes < MostBytes; ++count)
        if (isUsable(records[count])) {
            bytes += records[count].data.size();
            asked.push_back(count);
            sendFormat(records[count].id);
        }
    for (const std::size_t i : asked) {
        m_message.clear();
        appendNumber(m_message, records[i].id);
        appendNumber(m_message, records[i].cpu);
        tracepoint::append(m_message, records[i].data.data(), records[i].data.size());
        m_process->write(std::uint8_t(TextMessage::Record), m_message);
    }
    for (const std::size_t i : asked) {
        const auto message = m_process->wait();
        if (!message) { // The library died of this record, or hangs in it.
            m_process.reset();
            m_unusable.insert(records[i].id);
            return i + 1;
        }
        if (TextMessage(message->kind) != TextMessage::Text) {
            m_unusable.insert(records[i].id);
            continue;
        }
        std::string_view line(reinterpret_cast<const char*>(message->bytes.data()), std::min(message->bytes.size(), LongestText));
        while (line.ends_with('\n')) // Programs often end their texts by a new line.
            line.remove_suffix(1);
        std::ranges::replace(texts[i].emplace(line), '\n', ' ');
    }
    return count;
}

std::vector<std::optional<std::string>> TracepointTexts::print(std::span<const RawRecord> records)
{
    std::vector<std::optional<std::string>> texts(records.size());
    for (std::size_t i = 0; i < records.size() && (m_process || m_starts < MostStarts);)
        i += printSome(records.subspan(i), std::span(texts).subspan(i));
    return texts;
}

} // namespace helio::tracepoint
