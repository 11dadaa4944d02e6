#pragma once

#include "core/formats/perfetto/diagnostic_log.h"
#include "core/formats/perfetto/event_writer.h"
#include "core/trace/process/module.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace helio::perfetto {

/// Reads packets that describe processes and threads: process trees, new names and states of threads. Also reads frequencies of CPUs.
class ProcessReader {
public:
    ProcessReader(EventWriter& writer, std::vector<ProcessRecord>& records, DiagnosticLog& log)
        : m_writer(writer)
        , m_records(records)
        , m_log(log)
    {
    }

    /// Takes a ProcessTree message.
    void takeTree(std::string_view message, std::int64_t time, std::uint64_t offset);
    /// Takes a GenericKernelProcessTree message.
    void takeGenericTree(std::string_view message, std::int64_t time, std::uint64_t offset);
    /// Finds the idle threads in a GenericKernelProcessTree message. Must be called for all trees before takeTaskState().
    void prepareGenericTree(std::string_view message);
    /// Takes a GenericKernelTaskStateEvent message, the state of a thread in a kernel other than Linux. It becomes an event "task_state".
    void takeTaskState(std::string_view message, std::int64_t time);
    /// Takes a GenericKernelTaskRenameEvent message, the new name of a thread.
    void takeTaskName(std::string_view message, std::int64_t time);
    /// Takes a GenericKernelCpuFrequencyEvent message, the frequency of a CPU. It becomes an event "cpu_frequency".
    void takeFrequency(std::string_view message, std::int64_t time);
    /// Adds a record that the thread `tid` has a name from `time` on. `pid` is the process of the thread; -1 if it is unknown.
    void addName(std::int64_t time, std::int32_t tid, std::int32_t pid, std::string_view name);

private:
    void takeProcess(std::string_view message, std::int64_t time);
    void takeThread(std::string_view message, std::int64_t time);
    void addParent(std::int64_t time, std::int32_t tid, std::int32_t pid, std::int32_t parent);

    EventWriter& m_writer;
    std::vector<ProcessRecord>& m_records;
    DiagnosticLog& m_log;
    std::unordered_set<std::int32_t> m_idleThreads; ///< Thread IDs of the idle threads of a kernel other than Linux.
};

} // namespace helio::perfetto
