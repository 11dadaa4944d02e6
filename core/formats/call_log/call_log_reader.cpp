#include "core/formats/call_log/call_log_reader.h"

#include "core/base/line_reader.h"
#include "core/trace/tracepoint/syscall_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

namespace helio::calllog {
namespace {

using namespace text;

constexpr std::int64_t DayNs = std::int64_t{86'400} * 1'000'000'000;
constexpr std::size_t MostNested = 10'000; ///< Limit of the unfinished calls of a thread.

EventType makeType(const NewEvent& event, std::span<const StoredField> fields)
{
    EventType type;
    type.name = event.name;
    const bool hasProcess = event.variant != 0;
    type.streamContext =
        makeStoredStruct({{hasProcess ? "pid" : "", makeStoredInteger(32, true), !hasProcess}, {"tid", makeStoredInteger(32, true)}});
    type.payload = makeStoredStruct(makeStoredMembers(fields));
    return type;
}

bool makesThread(std::string_view name) { return name == "clone" || name == "clone3" || name == "fork" || name == "vfork"; }

/// Returns the contents of the first text in quotes; empty if there is none.
std::string_view firstQuoted(std::string_view arguments)
{
    const std::size_t open = arguments.find('"');
    const std::size_t close = open == std::string_view::npos ? open : arguments.find('"', open + 1);
    return close == std::string_view::npos ? std::string_view() : arguments.substr(open + 1, close - open - 1);
}

/// Turns the times of lines into ns on one axis.
class LineClock {
public:
    std::int64_t timeOf(const CallLine& line)
    {
        if (line.timeKind == TimeKind::Relative)
            return m_last = sumOf(Duration(m_last), Duration(line.time)).count();
        if (line.timeKind != TimeKind::TimeOfDay)
            return line.time;
        // The date is not printed. Lines are nearly in order of time, so a step back by half a day is midnight.
        if (m_day + line.time < m_last - DayNs / 2)
            m_day += DayNs;
        if (m_day > 0 && m_day + line.time > m_last + DayNs / 2)
            return m_day - DayNs + line.time; // A late line from before midnight.
        return m_last = m_day + line.time;
    }

    /// Begins another file of the same log, whose first line is later than the first line of this one.
    void restart(std::int64_t first)
    {
        m_last = first;
        m_day = 0;
    }

private:
    std::int64_t m_last = 0;
    std::int64_t m_day = 0; ///< Start of the current day in ns.
};

/// Finds the process of each thread from the calls that make threads and from execve. A thread can have lines before the call that made it
/// returns, so this is done before the events are stored.
class Processes {
public:
    /// Takes a line of a thread in order of the text.
    void take(const CallLine& line, std::int32_t tid, std::string_view allArguments)
    {
        std::int64_t child = 0;
        if ((line.name == "execve" || line.name == "execveat") && readResult(line.result, child) && child == 0) {
            m_processes[tid] = tid; // exec makes its thread the only one of the process, with the process's id.
        } else if (makesThread(line.name) && readResult(line.result, child) && child > 0 && child <= INT32_MAX) {
            // strace prints "flags=CLONE_VM|CLONE_THREAD", perf trace "clone_flags: VM|THREAD". fork() and vfork() have no flags.
            const bool isPlain = line.name == "fork" || line.name == "vfork";
            const bool hasFlags = isPlain || allArguments.find("flags") != std::string_view::npos;
            const bool isThread = allArguments.find("THREAD") != std::string_view::npos;
            m_parents[static_cast<std::int32_t>(child)] = {tid, hasFlags, isThread};
        }
    }

    /// True if a call made the thread in a line that was taken already.
    bool isChild(std::int32_t tid) const { return m_parents.contains(tid); }

    /// Returns the process of a thread; -1 if the log does not tell it.
    /// Requires: all lines were taken.
    std::int32_t processOf(std::int32_t tid)
    {
        const auto [found, isNew] = m_found.try_emplace(tid, -1);
        if (isNew)
            found->second = search(tid);
        return found->second;
    }

private:
    struct Parent {
        std::int32_t tid = -1;
        bool hasFlags = false; ///< False if the call's flags are not printed, so that `isThread` is unknown.
        bool isThread = false; ///< True if the child is a thread of its parent's process.
    };

    std::int32_t search(std::int32_t tid) const
    {
        for (int steps = 0; steps < 1000; ++steps) {
            if (const auto own = m_processes.find(tid); own != m_processes.end())
                return own->second;
            const auto parent = m_parents.find(tid);
            if (parent == m_parents.end() || !parent->second.hasFlags)
                return -1;
            if (!parent->second.isThread)
                return tid;
            tid = parent->second.tid;
        }
        return -1;
    }

    std::unordered_map<std::int32_t, std::int32_t> m_processes;
    std::unordered_map<std::int32_t, Parent> m_parents;
    std::unordered_map<std::int32_t, std::int32_t> m_found; ///< Results of processOf().
};

class Reader {
public:
    Reader(std::span<const LogText> texts, Tool tool)
        : m_texts(texts)
        , m_tool(tool)
    {
        m_log.recording = std::make_unique<StoredRecording>(texts.front().file, makeType);
    }

    Result<CallLog> read(const std::stop_token& stop)
    {
        for (const bool isFirstPass : {true, false}) {
            m_isFirstPass = isFirstPass;
            for (const LogText& text : m_texts) {
                m_clock.restart(m_firstTime.value_or(0));
                m_pending.clear();
                m_lastEnds.clear();
                m_tid = text.tid;
                LineReader lines(text.text);
                std::string_view line;
                while (lines.next(line)) {
                    if (lines.number() % 4096 == 0 && stop.stop_requested())
                        return Error{Error::Kind::Cancelled, "stopped"};
                    takeLine(line, lines);
                }
            }
        }
        if (m_withoutDuration > 0)
            m_log.recording->events.report("no-duration", m_firstWithoutDuration, 0,
                                           std::string("calls have no duration, so that only their beginnings are shown; record them with ")
                                               + (m_tool == Tool::Ltrace ? "ltrace" : "strace") + " -T",
                                           Diagnostic::Severity::Warning, m_withoutDuration);
        m_log.recording->finish();
        return std::move(m_log);
    }

private:
    struct PendingCall {
        std::string_view name;
        std::string_view arguments; ///< First part of the arguments.
        std::int64_t begin = 0;
        bool isSystemCall = true;
    };

    void report(const LineReader& lines, const char* kind, const std::string& what)
    {
        if (!m_isFirstPass)
            m_log.recording->events.report(kind, lines.number(), lines.offset(), what);
    }

    void takeLine(std::string_view line, const LineReader& lines)
    {
        if (trimmed(line).empty())
            return;
        if (trimmed(line).starts_with("> ")) {
            if (!m_isFirstPass)
                m_log.recording->events.report("unread-stacks", lines.number(), lines.offset(), "the call stacks of strace -k are not read",
                                               Diagnostic::Severity::Info);
            return;
        }
        if (!parseCallLine(line, m_tool == Tool::Ltrace, m_line)) {
            if (!line.starts_with("strace:") && !trimmed(line).starts_with("strace: "))
                report(lines, "unknown-line", "not the line of a call: \"" + std::string(line.substr(0, 60)) + "\"");
            return;
        }
        if (m_isFirstPass && m_line.tid >= 0 && m_mainTid < 0 && !m_processes.isChild(m_line.tid))
            m_mainTid = m_line.tid;
        const std::int32_t tid = m_line.tid >= 0 ? m_line.tid : m_tid >= 0 ? m_tid : mainTid(lines);
        if (m_line.timeKind == TimeKind::None) {
            report(lines, "no-time", "the line has no time");
            return;
        }
        m_log.timeKind = m_line.timeKind;
        const std::int64_t time = m_clock.timeOf(m_line);
        if (m_line.timeKind == TimeKind::TimeOfDay && !m_firstTime)
            m_firstTime = time;
        switch (m_line.kind) {
        case CallLine::Kind::Signal: addPoint("signal", "signal", tid, time); break;
        case CallLine::Kind::Exit: takeExit(tid, time); break;
        case CallLine::Kind::Begin: takeBegin(tid, time); break;
        case CallLine::Kind::End: takeEnd(tid, time, lines); break;
        case CallLine::Kind::Whole: takeWhole(tid, time, lines); break;
        }
    }

    /// Returns the thread of a line that names none. strace -f names threads only while there are several; such lines are those of the
    /// first thread, which later lines may name.
    std::int32_t mainTid(const LineReader& lines)
    {
        constexpr std::int32_t StandIn = 1;
        if (m_isFirstPass || m_mainTid >= 0)
            return m_mainTid;
        m_log.recording->events.report("no-thread", lines.number(), lines.offset(),
                                       "the lines name no thread; all of them are shown as those of thread 1. strace -f prints thread ids",
                                       Diagnostic::Severity::Info);
        return StandIn;
    }

    void takeBegin(std::int32_t tid, std::int64_t time)
    {
        auto& pending = m_pending[tid];
        if (pending.size() < MostNested)
            pending.push_back({m_line.name, m_line.arguments, time, m_line.isSystemCall});
        addBegin(tid, time, m_line.arguments);
    }

    void takeEnd(std::int32_t tid, std::int64_t time, const LineReader& lines)
    {
        auto& pending = m_pending[tid];
        const auto call = std::find_if(pending.rbegin(), pending.rend(), [&](const PendingCall& it) { return it.name == m_line.name; });
        if (call == pending.rend()) {
            if (!makesThread(m_line.name)) // The call returns in the child, too, which did not begin it.
                report(lines, "no-begin", "the beginning of " + std::string(m_line.name) + "() is missing");
            return;
        }
        const std::int64_t end =
            m_line.duration >= 0 ? sumOf(Duration(call->begin), Duration(m_line.duration)).count() : std::max(time, call->begin);
        const std::string arguments = std::string(call->arguments) + std::string(m_line.arguments);
        const std::int64_t begin = call->begin;
        pending.erase(std::prev(call.base()), pending.end());
        if (m_line.result == "?" && m_line.duration < 0)
            return; // exit_group() and the like do not return.
        takeReturn(tid, begin, end, arguments, true);
    }

    void takeWhole(std::int32_t tid, std::int64_t time, const LineReader& lines)
    {
        if (m_line.duration < 0) {
            if (!m_isFirstPass && m_withoutDuration++ == 0)
                m_firstWithoutDuration = lines.number();
            m_name = m_line.isSystemCall ? "syscall_" : "function";
            if (m_line.isSystemCall)
                m_name += m_line.name;
            m_fields.clear();
            if (!m_line.isSystemCall)
                m_fields.push_back({"name", m_line.name});
            m_fields.push_back({"args", m_line.arguments});
            addResult();
            add(tid, time);
            takeEffects(tid, time, time, m_line.arguments);
            return;
        }
        addBegin(tid, time, m_line.arguments);
        takeReturn(tid, time, sumOf(Duration(time), Duration(m_line.duration)).count(), m_line.arguments, false);
    }

    void addBegin(std::int32_t tid, std::int64_t time, std::string_view arguments)
    {
        m_fields.clear();
        if (m_line.isSystemCall) {
            m_name = "syscall_entry_";
            m_name += m_line.name;
        } else {
            m_name = "span_begin";
            m_fields.push_back({"name", m_line.name});
        }
        m_fields.push_back({"args", arguments});
        // Times and durations are rounded, so that a call may seem to begin before the last one of the thread ended.
        constexpr std::int64_t Rounding = 10'000;
        const auto last = m_lastEnds.find(tid);
        const bool isRounded = last != m_lastEnds.end() && time < last->second && last->second - time <= Rounding;
        add(tid, isRounded ? last->second : time);
    }

    void takeReturn(std::int32_t tid, std::int64_t begin, std::int64_t end, std::string_view arguments, bool addsArguments)
    {
        m_fields.clear();
        if (m_line.isSystemCall) {
            m_name = "syscall_exit_";
            m_name += m_line.name;
        } else {
            m_name = "span_end";
            m_fields.push_back({"name", m_line.name});
        }
        if (addsArguments)
            m_fields.push_back({"args", arguments});
        addResult();
        add(tid, end);
        m_lastEnds[tid] = end;
        takeEffects(tid, begin, end, arguments);
    }

    /// Adds the field "ret" if the result is a number, and "result" with what is printed besides it.
    void addResult()
    {
        StoredField number{"ret", m_line.result};
        if (readResult(m_line.result, number.number)) {
            number.kind = StoredField::Kind::Integer;
            m_fields.push_back(number);
        }
        const std::size_t end = m_line.result.find_first_of(" <");
        if (number.kind == StoredField::Kind::Text || end != std::string_view::npos)
            m_fields.push_back({"result", m_line.result});
    }

    /// Takes what a call did to threads: made one, gave one a name, or started another program.
    void takeEffects(std::int32_t tid, std::int64_t begin, std::int64_t end, std::string_view arguments)
    {
        if (!m_line.isSystemCall && !makesThread(m_line.name))
            return;
        if (m_isFirstPass) {
            m_processes.take(m_line, tid, arguments);
            return;
        }
        std::int64_t result = -1;
        if (!readResult(m_line.result, result) || result < 0)
            return;
        ProcessRecord record;
        record.tid = tid;
        record.pid = m_processes.processOf(tid);
        record.time = hostTime(end);
        constexpr std::size_t LongestName = 15; // TASK_COMM_LEN without the terminating 0.
        if (m_line.name == "execve" || m_line.name == "execveat") {
            const std::string_view path = firstQuoted(arguments);
            record.kind = ProcessRecord::Kind::Exec;
            record.name = path.substr(path.rfind('/') + 1).substr(0, LongestName);
        } else if (m_line.name == "prctl" && arguments.starts_with("PR_SET_NAME")) {
            record.name = firstQuoted(arguments).substr(0, LongestName);
        } else if (makesThread(m_line.name) && result > 0 && result <= INT32_MAX) {
            record.kind = ProcessRecord::Kind::Fork;
            record.time = hostTime(begin); // The child may run before the call returns.
            record.parentTid = tid;
            record.parentPid = record.pid;
            record.tid = static_cast<std::int32_t>(result);
            record.pid = m_processes.processOf(record.tid);
        } else {
            return;
        }
        m_log.recording->records.push_back(std::move(record));
    }

    void takeExit(std::int32_t tid, std::int64_t time)
    {
        // Functions that did not return end with their thread.
        auto& pending = m_pending[tid];
        for (auto call = pending.rbegin(); call != pending.rend(); ++call) {
            if (call->isSystemCall)
                continue;
            m_name = "span_end";
            m_fields.assign(1, {"name", call->name});
            add(tid, time);
        }
        addPoint("exit", "status", tid, time);
        m_pending.erase(tid);
        if (m_isFirstPass)
            return;
        ProcessRecord record;
        record.kind = ProcessRecord::Kind::Exit;
        record.time = hostTime(time);
        record.tid = tid;
        record.pid = m_processes.processOf(tid);
        m_log.recording->records.push_back(std::move(record));
    }

    void addPoint(const char* name, const char* field, std::int32_t tid, std::int64_t time)
    {
        m_name = name;
        m_fields.assign(1, {field, m_line.name});
        add(tid, time);
    }

    void add(std::int32_t tid, std::int64_t time)
    {
        if (m_isFirstPass)
            return;
        const std::int32_t pid = m_processes.processOf(tid);
        m_head.clear();
        appendNumber(pid, m_head);
        appendNumber(tid, m_head);
        if (m_log.recording->events.add({m_name, static_cast<char>(pid >= 0), time, -1, m_head, {}}, m_fields) == StoredEvents::NoType)
            m_log.recording->events.report("many-types", 0, 0, "too many kinds of events; events of further kinds are missing");
        if (!m_line.comm.empty())
            name(tid, pid, time);
    }

    /// Takes the name that perf trace prints before the thread.
    void name(std::int32_t tid, std::int32_t pid, std::int64_t time)
    {
        std::string& known = m_names[tid];
        if (known == m_line.comm)
            return;
        known = m_line.comm;
        ProcessRecord record;
        record.time = hostTime(time);
        record.tid = tid;
        record.pid = pid;
        record.name = known;
        m_log.recording->records.push_back(std::move(record));
    }

    const std::span<const LogText> m_texts;
    const Tool m_tool;
    CallLog m_log;
    LineClock m_clock;
    std::optional<std::int64_t> m_firstTime; ///< Time of day of the first line of the first file in ns.
    Processes m_processes;
    bool m_isFirstPass = true; ///< The first pass finds the processes, the second one stores the events.
    std::int32_t m_tid = -1; ///< Thread of lines that print none.
    CallLine m_line;
    std::map<std::int32_t, std::vector<PendingCall>> m_pending; ///< Unfinished calls of each thread, the outermost first.
    std::unordered_map<std::int32_t, std::int64_t> m_lastEnds; ///< End of the last finished call of each thread in ns.
    std::int32_t m_mainTid = -1; ///< First thread that a line names and that no call in the log made; -1 if there is none.
    std::unordered_map<std::int32_t, std::string> m_names; ///< Names of threads from perf trace.
    std::string m_name; ///< Name of the event that is being added.
    std::vector<StoredField> m_fields;
    std::vector<std::byte> m_head;
    std::uint64_t m_withoutDuration = 0;
    std::uint64_t m_firstWithoutDuration = 0; ///< Line number.
};

} // namespace

Tool findTool(std::string_view head, bool isWhole)
{
    constexpr int Tried = 50;
    LineReader lines(head);
    std::string_view line;
    CallLine parsed;
    int calls = 0;
    int systemCalls = 0;
    int others = 0;
    for (int i = 0; i < Tried && lines.next(line); ++i) {
        if (!lines.hasEnd() && !isWhole)
            break;
        if (trimmed(line).empty() || trimmed(line).starts_with("> "))
            continue;
        if (!parseCallLine(line, true, parsed)) {
            ++others;
            continue;
        }
        if (parsed.timeKind == TimeKind::SinceStart)
            return Tool::PerfTrace;
        if (parsed.kind == CallLine::Kind::Signal || parsed.kind == CallLine::Kind::Exit)
            continue;
        // Only ltrace prints "SYS_" before names, results of type void, and calls that do not return.
        if (parsed.isSystemCall || parsed.result.starts_with("<void>") || trimmed(line).ends_with("<no return ...>"))
            return Tool::Ltrace;
        ++calls;
        systemCalls += isSyscallName(parsed.name);
    }
    if (calls == 0 || others > calls)
        return Tool::None;
    // ltrace logs have some functions that are named like system calls, strace logs may have calls that are newer than this program.
    return 2 * systemCalls >= calls ? Tool::Strace : Tool::Ltrace;
}

bool hasTimes(std::string_view head, Tool tool)
{
    LineReader lines(head);
    std::string_view line;
    CallLine parsed;
    for (int i = 0; i < 50 && lines.next(line); ++i)
        if (parseCallLine(line, tool == Tool::Ltrace, parsed) && parsed.timeKind != TimeKind::None)
            return true;
    return false;
}

Result<CallLog> readCallLog(std::span<const LogText> texts, Tool tool, const std::stop_token& stop)
{
    return Reader(texts, tool).read(stop);
}

} // namespace helio::calllog
