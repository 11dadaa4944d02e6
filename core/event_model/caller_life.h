#pragma once

#include "core/analysis/thread_ends.h"
#include "core/event_model/mapped_files.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace helio {

/// Time limit for the open calls of a user-space thread: the end of the thread, if another trace of the host recorded it, or the time at
/// which its process executes another program. A value type.
/// Ownership: `files` must outlive the object.
class CallerLife {
public:
    CallerLife() = default;
    /// Finds the time at which open calls of a thread end at the latest: when the thread ends, or when its process executes another
    /// program. The TID of `thread` may be reused, so `at` selects the thread that has it at that time. Requires: `ends` is sorted.
    CallerLife(const MappedFiles& files, std::span<const ThreadEnd> ends, const ThreadId& thread, const ProcessId& process,
               HostTimestamp at)
        : m_files(&files)
        , m_process(process)
        , m_end(thread.pidNamespace == 0 && thread.number >= 0 ? endOf(ends, static_cast<std::int32_t>(thread.number), at)
                                                               : HostTimestamp::max())
    {
        setProgram(files.programAt(process, at));
    }

    /// Returns true if the thread ended before `at`. An event at `at` with the same id then belongs to a new thread.
    bool hasEnded(HostTimestamp at) const { return at > m_end; }
    /// True if the process has executed a new program by the time `at`. The caller must then call setProgram().
    bool isOtherProgram(HostTimestamp at) const { return at >= m_programEnd; }
    /// True if `program` is later than the current program of the process: the current program has ended. Programs are numbered in the
    /// order in which the process executes them; `program` is the number of the program that contains the called function.
    bool isOtherProgram(std::uint32_t program) const { return program > m_program; }
    void setProgram(HostTimestamp at) { setProgram(m_files->programAt(m_process, at)); }
    void setProgram(std::uint32_t program)
    {
        m_program = program;
        m_programEnd = m_files->programEnd(m_process, program);
    }

    /// Returns the latest time at which open calls end; HostTimestamp::max() if unknown.
    HostTimestamp end() const { return std::min(m_end, m_programEnd); }

private:
    const MappedFiles* m_files = nullptr;
    ProcessId m_process;
    HostTimestamp m_end = HostTimestamp::max();
    HostTimestamp m_programEnd = HostTimestamp::max();
    std::uint32_t m_program = 0;
};

} // namespace helio
