#pragma once

#include "core/formats/perf_data/cursor.h"
#include "core/trace/process/module.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace helio::perf {

struct Description;

/// What perf was asked to record: all threads (-a, -C), or a program, processes or threads (a command, -p, -t).
///
/// The records THREAD_MAP and CPU_MAP say so, which perf has written since Linux 4.4 (builtin-record.c, record__synthesize()), into pipes,
/// too: the threads of a system-wide recording are one, -1. The command line would have to be parsed as each version of perf does; and of
/// attributes, those of a command and of -p look alike but for enable_on_exec. Where neither record is there, all is taken to be recorded.
class Target {
public:
    void takeThreads(Cursor threadMap);
    void takeCpus(Cursor cpuMap);

    RecordedPart part(const Description& description) const;

    /// What that means for states, in words; empty where all is recorded. `records`: names of threads.
    std::string text(const RecordedPart& part, std::span<const ProcessRecord> records) const;

private:
    std::map<std::int32_t, std::string> m_threads; ///< Names by tid; -1: all threads.
    std::optional<std::uint32_t> m_cpus; ///< How many.
};

/// On which CPU the events with an id were counted: where samples do not say, this does (PERF_RECORD_ID_INDEX).
class CpusOfIds {
public:
    void take(Cursor idIndex);
    /// -1: not recorded, or on any.
    std::int32_t of(std::uint64_t id) const;

private:
    std::unordered_map<std::uint64_t, std::int32_t> m_cpus;
};

} // namespace helio::perf
