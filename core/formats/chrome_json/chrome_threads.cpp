#include "core/formats/chrome_json/chrome_threads.h"

#include "core/trace/process/made_id.h"

#include <charconv>

namespace helio::chromejson {
namespace {

/// Returns `text` as a PID or TID; -1 if `text` is no number from 1 to FirstMadeId - 1.
std::int32_t numberIn(std::string_view text)
{
    std::int32_t number = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() && number > 0 && number < FirstMadeId ? number : -1;
}

/// Returns the PID or TID for a recorded id: the id itself if it is a valid number, else a made-up number: FirstMadeId plus `made`, the
/// number of threads or processes so far.
std::int32_t numberOr(std::string_view id, std::size_t made)
{
    const std::int32_t number = numberIn(id);
    return number > 0 ? number : FirstMadeId + static_cast<std::int32_t>(made % FirstMadeId);
}

/// Returns the displayed name of a process or thread whose id is no valid PID or TID: "pid 0" for the id "0", "GPU" for the id "GPU".
/// `kind`: "pid" or "tid".
std::string nameOfId(const char* kind, const std::string& id)
{
    const bool isNumber = !id.empty() && id.find_first_not_of("-0123456789") == std::string::npos;
    return isNumber ? std::string(kind) + ' ' + id : id.empty() ? std::string("no ") + kind : id;
}

} // namespace

std::string ChromeProcess::shownName() const { return !name.empty() || pid < FirstMadeId ? name : nameOfId("pid", id); }

std::uint32_t ChromeThreads::processOf(std::string_view process)
{
    const auto [found, isNew] = m_processIndex.try_emplace(std::string(process), static_cast<std::uint32_t>(m_processes.size()));
    if (isNew)
        m_processes.push_back({found->first, numberOr(process, m_processes.size()), {}, {}});
    return found->second;
}

std::uint32_t ChromeThreads::add(std::pair<std::uint32_t, std::string> key, ChromeThread thread)
{
    if (const std::uint32_t uses = m_uses[thread.tid]++; uses > 0)
        thread.space = uses;
    const auto index = static_cast<std::uint32_t>(m_threads.size());
    m_threads.push_back(std::move(thread));
    m_index.emplace(std::move(key), index);
    return index;
}

std::uint32_t ChromeThreads::indexOf(std::string_view process, std::string_view thread)
{
    if (!m_threads.empty() && m_lastProcess == process && m_lastThread == thread)
        return m_last;
    m_lastProcess = process;
    m_lastThread = thread;
    std::pair<std::uint32_t, std::string> key{processOf(process), m_lastThread};
    if (const auto known = m_index.find(key); known != m_index.end())
        return m_last = known->second;
    ChromeThread made;
    made.process = key.first;
    made.tid = numberOr(thread, m_threads.size());
    if (made.tid >= FirstMadeId)
        made.name = nameOfId("tid", m_lastThread);
    return m_last = add(std::move(key), std::move(made));
}

std::uint32_t ChromeThreads::withId(std::string_view thread)
{
    if (m_byId.empty())
        for (const auto& [key, index] : m_index)
            if (const auto [known, isNew] = m_byId.try_emplace(key.second, index); !isNew)
                known->second.reset();
    const auto found = m_byId.find(std::string(thread));
    return found != m_byId.end() && found->second ? *found->second : indexOf({}, thread);
}

std::uint32_t ChromeThreads::besides(std::uint32_t thread, std::uint32_t level)
{
    std::pair<std::uint32_t, std::string> key{m_threads[thread].process, '\n' + std::to_string(thread) + '\n' + std::to_string(level)};
    if (const auto known = m_index.find(key); known != m_index.end())
        return known->second;
    ChromeThread made = m_threads[thread];
    made.space = TrackContext::HostNamespace;
    made.name += made.name.empty() ? "overlapping" : " (overlapping)";
    return add(std::move(key), std::move(made));
}

TrackContext ChromeThreads::contextOf(std::uint32_t thread) const
{
    const ChromeThread& own = m_threads[thread];
    const ChromeProcess& process = m_processes[own.process];
    const bool isNamedByProcess = own.name.empty() && own.tid == process.pid;
    return {process.pid, own.tid, own.space, isNamedByProcess ? process.name : own.name, -1};
}

std::vector<ProcessRecord> ChromeThreads::names(HostTimestamp time) const
{
    std::vector<ProcessRecord> records;
    for (std::uint32_t i = 0; i < m_threads.size(); ++i) {
        const TrackContext thread = contextOf(i);
        if (thread.name.empty() || thread.pidNamespace != TrackContext::HostNamespace)
            continue;
        ProcessRecord record;
        record.time = time;
        record.pid = thread.pid;
        record.tid = thread.tid;
        record.name = thread.name;
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace helio::chromejson
