#pragma once

#include "core/analysis/thread_ends.h"
#include "core/event_model/mapped_files.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace helio {

/// Until when what a thread of a user-space trace has called may be open: until the thread ends, where another trace of the host shows it,
/// or its process executes another program. A value; `files` outlives it.
class CallerLife {
public:
    CallerLife() = default;
    /// Of the thread that has the id at a time. `ends` is sorted.
    CallerLife(const MappedFiles& files, std::span<const ThreadEnd> ends, const ThreadId& thread, const ProcessId& process,
               HostTimestamp at)
        : m_files(&files)
        , m_process(process)
        , m_end(thread.pidNamespace == 0 && thread.number >= 0 ? endOf(ends, static_cast<std::int32_t>(thread.number), at)
                                                               : HostTimestamp::max())
    {
        setProgram(files.programAt(process, at));
    }

    /// Whether it has ended before that: who has its id then is another thread.
    bool isOver(HostTimestamp at) const { return at > m_end; }
    /// Whether another program runs at a time than before. Then setProgram() comes next.
    bool isOtherProgram(HostTimestamp at) const { return at >= m_programEnd; }
    /// The same, as somebody calls a function that this program has.
    bool isOtherProgram(std::uint32_t program) const { return program > m_program; }
    void setProgram(HostTimestamp at) { setProgram(m_files->programAt(m_process, at)); }
    void setProgram(std::uint32_t program)
    {
        m_program = program;
        m_programEnd = m_files->programEnd(m_process, program);
    }

    /// When what is open ends at the latest. HostTimestamp::max(): nobody saw it.
    HostTimestamp end() const { return std::min(m_end, m_programEnd); }

private:
    const MappedFiles* m_files = nullptr;
    ProcessId m_process;
    HostTimestamp m_end = HostTimestamp::max();
    HostTimestamp m_programEnd = HostTimestamp::max();
    std::uint32_t m_program = 0;
};

} // namespace helio
