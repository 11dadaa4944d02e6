#include "core/formats/chrome_json/chrome_threads.h"

#include <charconv>

namespace helio::chromejson {
namespace {

/// Returns the number in a text; -1 if it is no number from 0 to 2^31 - 1.
std::int32_t numberIn(std::string_view text)
{
    std::int32_t number = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 0 ? number : -1;
}

} // namespace

std::uint32_t ChromeThreads::add(const std::pair<std::string, std::string>& key, ChromeThread thread)
{
    if (const std::uint32_t uses = m_uses[thread.tid]++; uses > 0)
        thread.space = uses;
    const auto index = static_cast<std::uint32_t>(m_threads.size());
    m_threads.push_back(std::move(thread));
    m_processes.push_back(key.first);
    m_index.emplace(key, index);
    return index;
}

std::uint32_t ChromeThreads::indexOf(std::string_view process, std::string_view thread)
{
    if (!m_threads.empty() && m_lastKey.first == process && m_lastKey.second == thread)
        return m_last;
    m_lastKey = {std::string(process), std::string(thread)};
    if (const auto known = m_index.find(m_lastKey); known != m_index.end())
        return m_last = known->second;
    ChromeThread made;
    made.pid = numberIn(process);
    made.tid = numberIn(thread);
    if (made.tid < 0) {
        // The trace names the thread instead of numbering it: it gets a number that no thread of Linux has.
        constexpr std::int32_t FirstMade = 1 << 30;
        made.tid = FirstMade + static_cast<std::int32_t>(m_threads.size());
        made.name = thread;
    }
    return m_last = add(m_lastKey, std::move(made));
}

std::uint32_t ChromeThreads::besides(std::uint32_t thread, std::uint32_t level)
{
    const std::pair<std::string, std::string> key{m_processes[thread], '\n' + std::to_string(thread) + '\n' + std::to_string(level)};
    if (const auto known = m_index.find(key); known != m_index.end())
        return known->second;
    ChromeThread made = m_threads[thread];
    made.space = ChromeThread::InitialNamespace;
    made.name += made.name.empty() ? "overlapping" : " (overlapping)";
    return add(key, std::move(made));
}

std::string_view ChromeThreads::nameOf(std::uint32_t thread) const
{
    const ChromeThread& own = m_threads[thread];
    if (!own.name.empty() || own.pid != own.tid)
        return own.name;
    const auto process = m_processNames.find(m_processes[thread]);
    return process == m_processNames.end() ? std::string_view() : process->second;
}

std::vector<ProcessRecord> ChromeThreads::names(HostTimestamp time) const
{
    std::vector<ProcessRecord> records;
    for (std::uint32_t i = 0; i < m_threads.size(); ++i) {
        const ChromeThread& thread = m_threads[i];
        const std::string_view name = nameOf(i);
        if (name.empty() || thread.space != ChromeThread::InitialNamespace)
            continue;
        ProcessRecord record;
        record.time = time;
        record.pid = thread.pid;
        record.tid = thread.tid;
        record.name = name;
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace helio::chromejson
