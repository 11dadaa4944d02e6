#pragma once

#include "core/formats/stack_text/head_line.h"
#include "core/trace/stored/stored_events.h"

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace helio::stacktext {

/// Finds out whether perf recorded all threads (perf record -a). A text that does not tell it is taken as a recording of all threads only
/// if its samples are consistent with it: a switch to a thread without samples does not prove that this thread runs on.
class ScriptScope {
public:
    /// Takes the command of the recording, from the text's comment "# cmdline : /usr/bin/perf record -a".
    void takeCommand(std::string_view command);
    /// Takes a sample. `fields`: fields of a tracepoint, empty for other samples. Must be called in the order of the text.
    void take(const ParsedSampleHead& head, std::span<const StoredField> fields);

    /// Returns the threads that were recorded, in ascending order; empty if all threads were recorded or if the text has no switches.
    std::vector<std::int32_t> recordedThreads() const;

private:
    struct SwitchIn {
        std::int32_t tid = -1; ///< -1 if unknown.
        std::int64_t time = 0;
    };

    std::unordered_set<std::int32_t> m_tids; ///< Threads with samples. Only recordings of all threads have samples of thread 0.
    std::map<std::int32_t, SwitchIn> m_switchIns; ///< Last switch-in of each CPU.
    std::int64_t m_last = 0; ///< Time of the last sample in ns.
    bool m_isCommandForAll = false; ///< True if the command has the option -a.
    bool m_isContradicted = false; ///< True if a thread left a CPU on which another thread was switched in last.
};

} // namespace helio::stacktext
