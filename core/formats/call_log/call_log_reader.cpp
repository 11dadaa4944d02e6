#include "core/formats/call_log/call_log_reader.h"

#include "core/base/line_reader.h"
#include "core/formats/call_log/call_processes.h"
#include "core/formats/call_log/line_clock.h"
#include "core/formats/call_log/stack_line.h"
#include "core/trace/tracepoint/futex_arguments.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace helio::calllog {
namespace {

using namespace text;

constexpr std::size_t MostNested = 10'000; ///< Limit of the unfinished calls of a thread.

// Bits of NewEvent::variant, which says which optional parts the head of an event has.
constexpr char HasProcess = 1;
constexpr char HasStack = 2; ///< The event is a sample, see StoredRecording::addSample().

EventType makeType(const NewEvent& event, std::span<const StoredField> fields)
{
    EventType type;
    type.name = event.name;
    const bool hasProcess = (event.variant & HasProcess) != 0;
    type.streamContext =
        makeStoredStruct({{hasProcess ? "pid" : "", makeStoredInteger(32, true), !hasProcess}, {"tid", makeStoredInteger(32, true)}});
    std::vector<Member> members;
    if ((event.variant & HasStack) != 0)
        members = makeSampleMembers(false);
    std::ranges::move(makeStoredMembers(fields), std::back_inserter(members));
    type.payload = makeStoredStruct(std::move(members));
    return type;
}

/// Returns the contents of the first text in quotes; empty if there is none.
std::string_view firstQuoted(std::string_view arguments)
{
    const std::size_t open = arguments.find('"');
    const std::size_t close = open == std::string_view::npos ? open : arguments.find('"', open + 1);
    return close == std::string_view::npos ? std::string_view() : arguments.substr(open + 1, close - open - 1);
}

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
            m_isAnyCall = false;
            for (const LogText& text : m_texts) {
                m_clock.restart(m_firstTime.value_or(0));
                m_pending.clear();
                m_lastEnds.clear();
                m_joined.clear();
                m_isInSummary = false;
                m_tid = text.tid;
                LineReader lines(text.text);
                std::string_view line;
                while (lines.next(line)) {
                    if (lines.number() % 4096 == 0 && stop.stop_requested())
                        return Error{Error::Kind::Cancelled, "stopped"};
                    m_lineNumber = lines.number();
                    m_lineOffset = lines.offset();
                    takeLine(line, lines);
                }
            }
        }
        endGroups();
        if (m_withoutDuration > 0)
            m_log.recording->events.report("no-duration", m_firstWithoutDuration, 0,
                                           std::string("calls have no duration, so that only their beginnings are shown; record them with ")
                                               + (m_tool == Tool::Ltrace ? "ltrace" : "strace") + " -T",
                                           Diagnostic::Severity::Warning, m_withoutDuration);
        if (m_log.timeKind == TimeKind::Relative && m_texts.size() > 1)
            m_log.recording->events.report("relative-files", 1, 0,
                                           "strace -r prints differences between the lines of all files, so that times of different files "
                                           "cannot be compared; record with -ttt");
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

    void report(const char* kind, const std::string& what, Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        if (!m_isFirstPass)
            m_log.recording->events.report(kind, m_lineNumber, m_lineOffset, what, severity);
    }

    /// Processes `line`, and reads the following lines from `lines` that belong to the same call: the frames of its stack, and the rest of
    /// the call's line if a message interrupted it.
    void takeLine(std::string_view line, LineReader& lines)
    {
        if (trimmed(line).empty())
            return;
        const std::string_view attached = attachedMessage(line);
        if (!attached.empty()) {
            noteAttached(attached, trimmed(line).size() == attached.size());
            line = joinedLine(line.substr(0, line.size() - attached.size()), lines);
            if (line.empty())
                return;
        }
        if (isFrameLine(line)) {
            report("stray-stacks", "a call stack without a call");
            return;
        }
        if (!parseCallLine(line, m_tool == Tool::Ltrace, m_line)) {
            if (!joinNext(line, lines)) {
                takeOtherLine(line);
                return;
            }
        } else if (constexpr std::string_view Unfinished = "<unfinished ...>"; line.ends_with(Unfinished)) {
            // strace -z ends such a line in the next line, without printing the thread again.
            const CallLine begin = m_line;
            if (!joinNext(line.substr(0, line.size() - Unfinished.size()), lines))
                m_line = begin;
        }
        m_isAnyCall = true;
        takeStack(lines);
        if (m_isFirstPass && m_line.tid >= 0 && m_mainTid < 0 && !m_processes.isChild(m_line.tid) && !m_attached.contains(m_line.tid))
            m_mainTid = m_line.tid;
        const std::int32_t tid = m_line.tid >= 0 ? m_line.tid : m_tid >= 0 ? m_tid : mainTid();
        if (m_line.timeKind == TimeKind::None) {
            report("no-time", "the line has no time");
            return;
        }
        m_log.timeKind = m_line.timeKind;
        if (m_line.time < 0) {
            takeOlderCall(tid);
            return;
        }
        std::int64_t time = m_clock.timeOf(m_line);
        if (m_line.timeKind == TimeKind::TimeOfDay && !m_firstTime)
            m_firstTime = time;
        if (m_line.isWholeSecond) {
            time = m_clock.timeWithin(time);
            report("whole-seconds",
                   "times are exact only to the second: each call begins at the earliest time that the lines before it allow; record them "
                   "with -ttt");
        }
        switch (m_line.kind) {
        case CallLine::Kind::Signal: addPoint("signal", "signal", tid, time); break;
        case CallLine::Kind::Exit: takeExit(tid, time); break;
        case CallLine::Kind::Event: takeEvent(tid, time); break;
        case CallLine::Kind::Begin: takeBegin(tid, time); break;
        case CallLine::Kind::End: takeEnd(tid, time); break;
        case CallLine::Kind::Whole: takeWhole(tid, time); break;
        }
    }

    /// Processes a line that is no call, signal, exit or stack frame: a summary table, a message by the tool, or an unknown text.
    void takeOtherLine(std::string_view line)
    {
        if (isSummaryHead(line)) {
            m_isInSummary = true;
            report("summary", "the summary of calls (-c, -C or -S) is not shown: it has no times", Diagnostic::Severity::Info);
        } else if (line.find("[ Process PID=") != std::string_view::npos && isToolMessage(line)) {
            report("modes",
                   "programs of several modes: the log shows when a process runs in another mode than 64 bits: \""
                       + std::string(trimmed(line).substr(0, 60)) + "\"",
                   Diagnostic::Severity::Info);
        } else if (!isToolMessage(line) && !m_isInSummary) {
            report("unknown-line", "not the line of a call: \"" + std::string(line.substr(0, 60)) + "\"");
        }
    }

    /// Processes the message "strace: Process 12 attached". The thread in the first message of the log becomes m_mainTid if the message
    /// precedes all calls: strace -p attached to this thread. All other threads in messages are added to m_attached. `isAlone`: true if the
    /// message is a whole line; else it interrupts the line of a call.
    void noteAttached(std::string_view message, bool isAlone)
    {
        std::int32_t tid = -1;
        takeWord(message);
        takeWord(message);
        if (!m_isFirstPass || !readNumber(takeWord(message), tid))
            return;
        if (isAlone && !m_isAnyCall && m_mainTid < 0)
            m_mainTid = tid;
        else
            m_attached.insert(tid);
    }

    /// Joins `begin`, the first part of the line of a call, with the next line of `lines`, and parses the result into m_line. A program's
    /// output to the same terminal or an error message of ltrace may break a line. Returns false, and leaves `lines` as it is, if the
    /// next line is a line of its own, or if both parts together are no call.
    bool joinNext(std::string_view begin, LineReader& lines)
    {
        LineReader ahead = lines;
        std::string_view rest;
        const bool isLibraryLog = m_tool == Tool::Ltrace;
        if (!ahead.next(rest) || isFrameLine(rest) || isToolMessage(rest) || parseCallLine(rest, isLibraryLog, m_line))
            return false;
        m_joined.push_back(std::string(begin) + std::string(rest));
        if (!parseCallLine(m_joined.back(), isLibraryLog, m_line) || m_line.timeKind == TimeKind::None || m_line.result.empty()) {
            m_joined.pop_back();
            return false;
        }
        lines = ahead;
        return true;
    }

    /// Returns the whole line of a call that a message interrupted. `begin` is the part of the line before the message; the rest is the
    /// next line of `lines`. If the next line does not complete the call, returns the call as unfinished. Returns an empty text if `begin`
    /// is blank.
    std::string_view joinedLine(std::string_view begin, LineReader& lines)
    {
        if (trimmed(begin).empty())
            return {};
        LineReader ahead = lines;
        std::string_view rest;
        CallLine parsed;
        if (ahead.next(rest)) {
            m_joined.push_back(std::string(begin) + std::string(rest));
            if (parseCallLine(m_joined.back(), m_tool == Tool::Ltrace, parsed)) {
                lines = ahead;
                return m_joined.back();
            }
            m_joined.pop_back();
        }
        m_joined.push_back(std::string(begin) + " <unfinished ...>");
        return m_joined.back();
    }

    /// Reads the stack frames of the current call from the lines after it. Sets m_stack, m_frames and m_stackText.
    void takeStack(LineReader& lines)
    {
        m_stack = 0;
        m_frames.clear();
        m_stackText.clear();
        std::string_view line;
        for (LineReader ahead = lines; ahead.next(line) && isFrameLine(line); lines = ahead) {
            if (m_isFirstPass)
                continue;
            const std::string_view text = trimmed(line.substr(3));
            const std::int64_t frame = m_log.recording->stacks.findOrAddFrame(text, parseStackFrame);
            if (frame < 0) {
                report("unknown-frame", "not a frame of a call stack: \"" + std::string(text.substr(0, 60)) + "\"");
                continue;
            }
            m_frames.push_back(static_cast<std::uint32_t>(frame));
            addToStackText(text);
        }
        if (m_frames.empty())
            return;
        bool isCut = false;
        m_stack = m_log.recording->stacks.stackOf(m_frames, isCut);
        if (isCut)
            report("many-stacks", "too many distinct call stacks; inner frames of further stacks are missing");
    }

    /// Appends a frame to m_stackText, the text of the call's stack: "function < caller < ...".
    void addToStackText(std::string_view frame)
    {
        constexpr std::size_t MostShown = 20;
        if (m_frames.size() > MostShown + 1)
            return;
        if (m_frames.size() == MostShown + 1) {
            m_stackText += " < \u2026";
            return;
        }
        ParsedFrame parsed;
        Module::Kind kind{};
        parseStackFrame(frame, parsed, kind);
        const std::string_view file = parsed.module.substr(parsed.module.rfind('/') + 1);
        m_stackText += m_stackText.empty() ? "" : " < ";
        m_stackText += !parsed.function.empty() ? parsed.function : !file.empty() ? file : frame;
    }

    /// Returns the thread of a line that names none. strace -f names threads only while there are several; such lines are those of the
    /// first thread, which later lines may name.
    std::int32_t mainTid()
    {
        constexpr std::int32_t StandIn = 1;
        if (m_isFirstPass || m_mainTid >= 0)
            return m_mainTid;
        report("no-thread", "the lines name no thread; all of them are shown as those of thread 1. strace -f prints thread ids",
               Diagnostic::Severity::Info);
        return StandIn;
    }

    /// Processes the return of a call that began before the recording. The call is not shown, because perf trace prints neither its begin
    /// nor its end.
    void takeOlderCall(std::int32_t tid)
    {
        if (m_isFirstPass)
            m_processes.take(m_line, tid, {});
        report("older-calls", "calls that began before the recording or in a parent (clone) have no times; they are not shown",
               Diagnostic::Severity::Info);
    }

    void takeBegin(std::int32_t tid, std::int64_t time)
    {
        auto& pending = m_pending[tid];
        if (pending.size() < MostNested)
            pending.push_back({m_line.name, m_line.arguments, time, m_line.isSystemCall});
        addBegin(tid, time, m_line.arguments);
        if (m_tool == Tool::PerfTrace && (m_line.name == "exit" || m_line.name == "exit_group"))
            noteExit(tid, time);
    }

    /// Stores the exit of thread `tid`, which called exit() or exit_group() at `time`. perf trace prints no further line for the end of a
    /// thread; the call is the last known action of the thread.
    void noteExit(std::int32_t tid, std::int64_t time)
    {
        if (m_isFirstPass)
            return;
        m_seen.erase(tid);
        addExitRecord(tid, time + 1); // Records precede the events of their time; the call must be before its thread's end.
        if (m_line.name == "exit_group" && m_processes.processOf(tid) >= 0)
            m_groupExits[m_processes.processOf(tid)] = time;
    }

    /// Stores the exits of the threads whose process called exit_group() in another thread.
    void endGroups()
    {
        for (const auto& [tid, last] : m_seen)
            if (const auto exit = m_groupExits.find(m_processes.processOf(tid)); exit != m_groupExits.end())
                addExitRecord(tid, std::max(last, exit->second) + 1);
    }

    void takeEnd(std::int32_t tid, std::int64_t time)
    {
        auto& pending = m_pending[tid];
        const bool isNamed = !m_line.name.empty();
        // ltrace names the library of a symbol ("puts@libc.so.6") only where a call begins.
        const auto isOf = [&](std::string_view name) {
            return name == m_line.name || (name.starts_with(m_line.name) && name.substr(m_line.name.size()).starts_with('@'));
        };
        const auto call = std::find_if(pending.rbegin(), pending.rend(), [&](const PendingCall& it) { return !isNamed || isOf(it.name); });
        if (call == pending.rend()) {
            if (!makesThread(m_line.name)) // The call returns in the child, too, which did not begin it.
                report("no-begin", "the beginning of " + (isNamed ? std::string(m_line.name) + "()" : "a call") + " is missing");
            return;
        }
        m_line.name = call->name;
        if (!isNamed)
            m_line.isSystemCall = call->isSystemCall;
        const std::int64_t latest = std::max(time, call->begin);
        std::int64_t end = m_line.duration >= 0 ? sumOf(Duration(call->begin), Duration(m_line.duration)).count() : latest;
        // Sums of rounded differences (strace -r) run slower than the durations; a call has ended when its second line is printed.
        if (m_line.timeKind == TimeKind::Relative)
            end = std::min(end, latest);
        const std::string arguments = std::string(call->arguments) + std::string(m_line.arguments);
        const std::int64_t begin = call->begin;
        pending.erase(std::prev(call.base()), pending.end());
        if (isWithoutReturn(m_line))
            return; // exit_group() and the like do not return.
        takeReturn(tid, begin, end, arguments, true);
    }

    void takeWhole(std::int32_t tid, std::int64_t time)
    {
        if (m_line.duration < 0) {
            if (!m_isFirstPass && m_withoutDuration++ == 0)
                m_firstWithoutDuration = m_lineNumber;
            m_name = m_line.isSystemCall ? "syscall_" : "function";
            if (m_line.isSystemCall)
                m_name += m_line.name;
            m_fields.clear();
            if (!m_line.isSystemCall)
                m_fields.push_back({"name", m_line.name});
            m_fields.push_back({"args", m_line.arguments});
            addOrigin();
            addResult();
            add(tid, time, 1);
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
        addFutex(arguments);
        addOrigin();
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
        add(tid, end, std::max<std::int64_t>(0, end - begin));
        m_lastEnds[tid] = end;
        if (m_line.isWholeSecond)
            m_clock.noteEnd(end);
        takeEffects(tid, begin, end, arguments);
    }

    /// Adds the fields "uaddr", "op" and "val" to the entry of a futex call, by which analyses find locks.
    void addFutex(std::string_view arguments)
    {
        if (!m_line.isSystemCall || m_line.name != "futex")
            return;
        if (const auto futex = tracepoint::parseFutexArguments(arguments))
            tracepoint::appendFutexFields(*futex, m_fields);
    }

    /// Adds the fields "nr" (the system call's number) and "ip" (the address of the instruction that made the call) to the current event,
    /// if the log contains them.
    void addOrigin()
    {
        if (m_line.number >= 0) {
            StoredField number{"nr", {}};
            number.number = m_line.number;
            number.kind = StoredField::Kind::Integer;
            m_fields.push_back(number);
        }
        if (!m_line.address.empty())
            m_fields.push_back({"ip", m_line.address});
    }

    /// Adds the fields about the call's result to the current event: "ret", the number in the result; "result", the whole text if it is
    /// more than this number or an address; "error", the name of the error if the call failed. The field "stack" has the functions of the
    /// call's stack, if it was printed.
    void addResult()
    {
        StoredField number{"ret", m_line.result};
        if (readResult(m_line.result, number.number)) {
            number.kind = StoredField::Kind::Integer;
            m_fields.push_back(number);
        }
        const std::size_t end = m_line.result.find_first_of(" <");
        if (number.kind == StoredField::Kind::Text || end != std::string_view::npos || m_line.result.starts_with("0x"))
            m_fields.push_back({"result", m_line.result});
        if (const std::string_view error = errorIn(m_line.result); !error.empty())
            m_fields.push_back({"error", error});
        if (m_stack > 0)
            m_fields.push_back({"stack", m_stackText});
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
        if (!m_isFirstPass)
            addExitRecord(tid, time);
    }

    void addExitRecord(std::int32_t tid, std::int64_t time)
    {
        ProcessRecord record;
        record.kind = ProcessRecord::Kind::Exit;
        record.time = hostTime(time);
        record.tid = tid;
        record.pid = m_processes.processOf(tid);
        m_log.recording->records.push_back(std::move(record));
    }

    /// Stores a tracepoint or a page fault of perf trace.
    void takeEvent(std::int32_t tid, std::int64_t time)
    {
        // Analyses expect the fields of the tracepoint in an event of its name.
        const bool isTracepoint = m_line.name.find(':') != std::string_view::npos;
        m_name = isTracepoint ? "tracepoint" : m_line.name;
        m_fields.clear();
        if (isTracepoint)
            m_fields.push_back({"tracepoint", m_line.name});
        m_fields.push_back({"args", m_line.arguments});
        add(tid, time);
    }

    void addPoint(const char* name, const char* field, std::int32_t tid, std::int64_t time)
    {
        m_name = name;
        m_fields.assign(1, {field, m_line.name});
        add(tid, time);
    }

    /// Adds an event of thread `tid` at `time` in ns, with the name m_name and the fields m_fields. `period`: weight of the call's stack as
    /// a sample, which is the duration of the call in ns or, without a duration, 1; -1 if the event is no sample.
    void add(std::int32_t tid, std::int64_t time, std::int64_t period = -1)
    {
        if (m_isFirstPass)
            return;
        const bool hasStack = period >= 0 && m_stack > 0;
        const std::int32_t pid = m_processes.processOf(tid);
        if (m_tool == Tool::PerfTrace) {
            std::int64_t& last = m_seen[tid];
            last = std::max(last, time);
        }
        m_head.clear();
        appendNumber(pid, m_head);
        appendNumber(tid, m_head);
        const auto variant = static_cast<char>((pid >= 0 ? HasProcess : 0) | (hasStack ? HasStack : 0));
        const NewEvent event{m_name, variant, time, -1, m_head, {}};
        if (hasStack ? !addSample(event, static_cast<std::uint64_t>(period))
                     : m_log.recording->events.add(event, m_fields) == StoredEvents::NoType)
            m_log.recording->events.report("many-types", 0, 0, "too many kinds of events; events of further kinds are missing");
        if (!m_line.comm.empty())
            name(tid, pid, time);
    }

    /// Adds an event as a sample, so that flame graphs show the stack of its call. Returns false if there are too many event types.
    bool addSample(const NewEvent& event, std::uint64_t period)
    {
        SampleEvent* const kind = m_log.recording->addSample(event, {period, m_stack}, m_fields);
        if (!kind)
            return false;
        // The weight of a sample is the call's duration if it was printed, else the count 1. The sample names contain a colon, like the
        // names of tracepoints, so that views do not take the samples for CPU time of running threads.
        const bool isDuration = m_name.starts_with("syscall_exit_") || m_name == "span_end";
        if (kind->name.empty()) {
            const std::string tool = m_tool == Tool::PerfTrace ? "perf-trace" : "strace";
            kind->name = tool + (isDuration ? ":calls" : ":calls-without-duration");
            kind->unit = isDuration ? "ns" : "";
        }
        return true;
    }

    /// Stores the thread's name in the current line, which `perf trace` and `strace -Y` print, as a process record if it is new.
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
    CallProcesses m_processes;
    bool m_isFirstPass = true; ///< The first pass finds the processes, the second one stores the events.
    std::int32_t m_tid = -1; ///< Thread of lines that print none.
    CallLine m_line;
    std::map<std::int32_t, std::vector<PendingCall>> m_pending; ///< Unfinished calls of each thread, the outermost first.
    std::unordered_map<std::int32_t, std::int64_t> m_lastEnds; ///< End of the last finished call of each thread in ns.
    std::map<std::int32_t, std::int64_t> m_seen; ///< Time of the last event of each thread that did not exit; only for perf trace.
    std::map<std::int32_t, std::int64_t> m_groupExits; ///< Time of the last exit_group() of each process; only for perf trace.
    std::int32_t m_mainTid = -1; ///< First thread that a line names and that no call in the log made; -1 if there is none.
    /// Threads to which strace attached later, according to its messages; none of them is the main thread.
    std::unordered_set<std::int32_t> m_attached;
    bool m_isAnyCall = false; ///< True after the first line of a call, signal or exit in the current pass.
    /// True after the heading of a summary table (strace -C, strace -c) in the current text: the following lines are rows of the table.
    bool m_isInSummary = false;
    std::uint64_t m_lineNumber = 0; ///< Number of the current line in its file, for diagnostics.
    std::uint64_t m_lineOffset = 0;
    /// Storage of lines that joinedLine() made; other members point into it until the end of the current text.
    std::deque<std::string> m_joined;
    std::uint32_t m_stack = 0; ///< Number of the current call's stack in StoredRecording::stacks; 0 if the log has no stack for the call.
    std::vector<std::uint32_t> m_frames; ///< Frames of the current call's stack, innermost first.
    std::string m_stackText;
    /// Last name of each thread that `perf trace` or `strace -Y` printed, keyed by TID.
    std::unordered_map<std::int32_t, std::string> m_names;
    std::string m_name; ///< Name of the event that is being added.
    std::vector<StoredField> m_fields;
    std::vector<std::byte> m_head;
    std::uint64_t m_withoutDuration = 0;
    std::uint64_t m_firstWithoutDuration = 0; ///< Line number.
};

} // namespace

Result<CallLog> readCallLog(std::span<const LogText> texts, Tool tool, const std::stop_token& stop)
{
    return Reader(texts, tool).read(stop);
}

} // namespace helio::calllog
