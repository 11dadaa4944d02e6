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

/// Reads descriptions of processes and threads: process trees and renamings.
class ProcessReader {
public:
    ProcessReader(EventWriter& writer, std::vector<ProcessRecord>& records, DiagnosticLog& log)
        : m_writer(writer)
        , m_records(records)
        , m_log(log)
    {
    }

    /// Takes a message ProcessTree.
    void takeTree(std::string_view message, std::int64_t time, std::uint64_t offset);
    /// Takes a message GenericKernelProcessTree.
    void takeGenericTree(std::string_view message, std::int64_t time, std::uint64_t offset);
    /// Takes a state of a thread of a kernel other than Linux (GenericKernelTaskStateEvent): an event `task_state`.
    void takeTaskState(std::string_view message, std::int64_t time);
    /// Takes a new name of a thread (GenericKernelTaskRenameEvent).
    void takeTaskName(std::string_view message, std::int64_t time);
    /// Takes a frequency of a CPU (GenericKernelCpuFrequencyEvent): an event `cpu_frequency`.
    void takeFrequency(std::string_view message, std::int64_t time);
    /// Takes a name of a thread; `pid` is -1 if its process is unknown.
    void addName(std::int64_t time, std::int32_t tid, std::int32_t pid, std::string_view name);

private:
    void takeProcess(std::string_view message, std::int64_t time);
    void takeThread(std::string_view message, std::int64_t time);
    void addParent(std::int64_t time, std::int32_t tid, std::int32_t pid, std::int32_t parent);

    EventWriter& m_writer;
    std::vector<ProcessRecord>& m_records;
    DiagnosticLog& m_log;
};

} // namespace helio::perfetto
