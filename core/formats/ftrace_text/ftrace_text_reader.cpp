#include "core/formats/ftrace_text/ftrace_text_reader.h"

#include "core/base/line_reader.h"
#include "core/formats/ftrace_text/ftrace_line.h"
#include "core/trace/loss_range.h"
#include "core/trace/recording_advice.h"
#include "core/trace/tracepoint/futex_arguments.h"
#include "core/trace/tracepoint/printed_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

namespace helio::ftracetext {
namespace {

using namespace text;

constexpr std::size_t FlagBytes = 8; ///< Size in bytes of the flags in the stream context of an event.

EventType makeType(const NewEvent& event, std::span<const StoredField> fields)
{
    EventType type;
    type.name = event.name;
    const bool hasFlags = (event.variant & 1) != 0;
    const bool hasProcess = (event.variant & 2) != 0;
    type.streamContext = makeStoredStruct({{hasProcess ? "pid" : "", makeStoredInteger(32, true), !hasProcess},
                                           {"tid", makeStoredInteger(32, true)},
                                           {hasFlags ? "flags" : "", makeStoredText(FlagBytes), !hasFlags}});
    type.payload = makeStoredStruct(makeStoredMembers(fields));
    return type;
}

/// Removes what follows each line in a JSON or JavaScript string: "\n\".
std::string_view withoutEscapes(std::string_view line) { return line.ends_with("\\n\\") ? line.substr(0, line.size() - 3) : line; }

class Reader {
public:
    Reader(std::string_view text, const std::string& file)
        : m_lines(text)
    {
        m_read.recording = std::make_unique<StoredRecording>(file, makeType);
    }

    Result<FtraceText> read(const std::stop_token& stop)
    {
        std::string_view line;
        while (m_lines.next(line)) {
            if (m_lines.number() % 4096 == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            takeLine(trimmed(withoutEscapes(line)));
        }
        while (!m_leaves.empty())
            endLeaf(m_leaves.begin()->first, std::numeric_limits<std::int64_t>::max());
        for (auto& [cpu, loss] : m_openLosses) {
            const HostTimestamp last = std::max(loss.range.begin, hostTime(m_lastTime));
            loss.range.end = makeLossRange(last, last).end;
            m_read.recording->losses.push_back(loss);
        }
        if (!m_hasSwitches)
            addNames();
        if (const auto offset = m_read.wallClock ? m_read.wallClock : m_read.monotonic)
            m_read.recording->shift(Duration(*offset));
        m_read.recording->finish();
        return std::move(m_read);
    }

private:
    void report(const char* kind, const std::string& what, std::uint64_t count = 1)
    {
        m_read.recording->events.report(kind, m_lines.number(), m_lines.offset(), what, Diagnostic::Severity::Warning, count);
    }

    void takeLine(std::string_view line)
    {
        if (line.empty())
            return;
        if (line.front() == '#') {
            takeComment(trimmed(line.substr(1)));
            return;
        }
        LostLine lost;
        if (parseFtraceLine(line, m_line) || parseLatencyLine(line, m_line))
            takeEvent();
        else if (parseGraphLine(line, m_line))
            takeGraphLine();
        else if (parseGraphSwitch(line, m_line))
            m_running[m_line.cpu] = {m_line.time, m_line.tgid, m_line.tid, std::string(m_line.task)};
        else if (parseLostLine(line, lost))
            takeLost(lost);
        else if (!line.starts_with("cpus=") && !line.starts_with("version") && line.front() != '<'
                 && line.find_first_not_of('-') != std::string_view::npos)
            report("unknown-line", "not the line of an event: \"" + std::string(line.substr(0, 60)) + "\"");
    }

    /// Takes a line of the head: "tracer: irqsoff", "entries-in-buffer/entries-written: 8344/8500   #P:2" or, in the latency format,
    /// "latency: 259 us, #4/4, CPU#2 | (M:preempt VP:0 ...)", "| task: ps-6143 (uid:0 ...)", "=> started at: f" and "=> ended at: g".
    void takeComment(std::string_view comment)
    {
        constexpr std::pair<std::string_view, std::string_view> Facts[]{{"tracer:", "tracer"},
                                                                        {"latency:", "max_latency"},
                                                                        {"| task:", "latency_task"},
                                                                        {"=> started at:", "latency_started_at"},
                                                                        {"=> ended at:", "latency_ended_at"}};
        for (const auto& [begin, name] : Facts) {
            if (!comment.starts_with(begin))
                continue;
            std::string_view value = trimmed(comment.substr(begin.size()));
            if (name == "max_latency") {
                const std::size_t comma = std::min(value.find(','), value.size());
                if (const std::size_t counts = value.find('#', comma); counts != std::string_view::npos)
                    takeEntries(value.substr(counts + 1));
                value = value.substr(0, comma);
            }
            constexpr std::size_t LongestFact = 256;
            const auto isSame = [&](const auto& fact) { return fact.first == name; };
            if (!value.empty() && std::ranges::none_of(m_read.facts, isSame))
                m_read.facts.emplace_back(name, value.substr(0, LongestFact));
            return;
        }
        constexpr std::string_view Entries = "entries-in-buffer/entries-written:";
        if (comment.starts_with(Entries))
            takeEntries(trimmed(comment.substr(Entries.size())));
    }

    /// Takes the numbers of events in "KEPT/WRITTEN".
    void takeEntries(std::string_view text)
    {
        std::uint64_t kept = 0;
        std::uint64_t written = 0;
        const char* const end = text.data() + text.size();
        const auto first = std::from_chars(text.data(), end, kept);
        if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/')
            std::from_chars(first.ptr + 1, end, written);
        if (written > kept)
            report("overwritten",
                   "the kernel overwrote " + std::to_string(written - kept)
                       + " events before they were read; a larger buffer keeps them: echo KB > buffer_size_kb",
                   written - kept);
    }

    void takeEvent()
    {
        m_read.measuresTime = m_read.measuresTime && m_line.hasFraction;
        m_read.isRelative = m_read.isRelative || m_line.isRelative;
        m_hasSwitches = m_hasSwitches || m_line.event == "sched_switch";
        m_lastTime = m_line.time;
        endLeaf(m_line.cpu, m_line.time);
        setFields();
        if (m_line.event == "tracing_mark_write")
            takeMarker(m_line.fields);
        add(m_line.time);
        closeLoss();
        m_lastOfCpu[m_line.cpu] = m_line.time;
        if (m_line.tid > 0 && m_line.task != "<...>")
            m_names.try_emplace(m_line.tid, NamedThread{m_line.time, m_line.tgid, m_line.tid, std::string(m_line.task)});
    }

    /// Adds an event at `time` in ns with the CPU and thread of m_line, the name m_name and the fields m_fields.
    void add(std::int64_t time)
    {
        m_head.clear();
        appendNumber(m_line.tgid, m_head);
        appendNumber(m_line.tid, m_head);
        appendText(m_line.flags, FlagBytes, m_head);
        const char variant = static_cast<char>((m_line.flags.empty() ? 0 : 1) | (m_line.tgid < 0 ? 0 : 2));
        const NewEvent event{m_name, variant, time, m_line.cpu, m_head, m_line.fields};
        if (m_read.recording->events.add(event, m_fields) == StoredEvents::NoType)
            report("many-types", "too many kinds of events; events of further kinds are missing");
    }

    /// Processes m_line, a line of the function graph tracer. If the line names no thread, its thread is the last one that a switch line
    /// named for the CPU.
    void takeGraphLine()
    {
        if (!m_line.hasFraction)
            return report("graph-without-time",
                          "lines of the function graph tracer without a time are not read; echo 1 > options/funcgraph-abstime adds it");
        if (const auto running = m_running.find(m_line.cpu); m_line.tid < 0 && running != m_running.end()) {
            m_line.tid = running->second.tid;
            m_line.task = running->second.name;
        }
        takeEvent();
    }

    /// Sets the fields of a "print" event, a text that a program wrote into the trace. As in trace.dat, the field `ip` is the function that
    /// wrote it and `buf` is the text. The kernel prints such an event as "FUNCTION: TEXT" instead of "EVENT: FIELDS", where FUNCTION is
    /// "tracing_mark_write" for user-space programs; trace-cmd prints "EVENT: FUNCTION: TEXT".
    void setPrinted()
    {
        m_fields.clear();
        std::string_view text = m_line.fields;
        if (m_line.event == "tracing_mark_write") {
            m_name = "print";
            m_fields.push_back({"ip", m_line.event});
        } else if (const std::size_t colon = text.find(": "); colon != std::string_view::npos && text.find(' ') > colon) {
            m_fields.push_back({"ip", text.substr(0, colon)});
            text.remove_prefix(colon + 2);
        }
        m_fields.push_back({"buf", text});
    }

    /// Sets the fields of an event of the function tracer, which have the names of trace.dat.
    void setFunction(const FunctionEntry& entry)
    {
        if (!std::exchange(m_hasFunctions, true))
            m_read.recording->events.report("function-entries", 0, 0, functionEntriesText(Tracer::Ftrace), Diagnostic::Severity::Info);
        m_fields.assign({{"ip", entry.function}, {"parent_ip", entry.caller}});
    }

    /// Sets the fields of a switch or wake-up that ftrace's own tracers recorded.
    void setSwitch(const SwitchText& change)
    {
        constexpr std::array<std::string_view, 8> Names{"prev_pid", "prev_prio", "prev_state", "next_cpu",
                                                        "next_pid", "next_prio", "next_state", "next_comm"};
        m_fields.clear();
        for (std::size_t i = 0; i < Names.size(); ++i) {
            StoredField& field = m_fields.emplace_back(StoredField{Names[i], change.values[i]});
            const char* const end = field.text.data() + field.text.size();
            if (!Names[i].ends_with("comm") && !Names[i].ends_with("state")
                && std::from_chars(field.text.data(), end, field.number).ec == std::errc())
                field.kind = StoredField::Kind::Integer;
        }
    }

    /// Sets the field of a stack: the functions of the lines "=> FUNCTION" that follow the current line, innermost first. The lines are
    /// read.
    void setStack()
    {
        constexpr std::string_view Begin = "=> ";
        constexpr std::size_t LongestStack = 4096;
        m_stack.clear();
        std::string_view line;
        for (text::LineReader ahead = m_lines; ahead.next(line); m_lines = ahead) {
            line = trimmed(withoutEscapes(line));
            if (!line.starts_with(Begin))
                break;
            std::string_view function = line.substr(Begin.size());
            function = takeWord(function);
            if (m_stack.size() + function.size() > LongestStack)
                continue;
            m_stack += m_stack.empty() ? "" : " <- ";
            m_stack += function;
        }
        m_fields.assign(1, {"caller", m_stack});
    }

    /// Sets the fields of a function's entry or exit. A leaf call (entry and exit in one line) is also stored in m_leaves, because its exit
    /// becomes a second event, which endLeaf() adds.
    void setCall(const GraphCall& call)
    {
        m_fields.clear();
        if (!call.function.empty())
            m_fields.push_back({"func", call.function});
        if (call.kind == GraphCall::Kind::Leaf)
            m_leaves[m_line.cpu] = {m_line.time + std::max<std::int64_t>(call.duration, 0), m_line, std::string(call.function),
                                    std::string(m_line.task), std::string(m_line.flags)};
    }

    /// Adds the exit event of the leaf call in m_leaves for the CPU, if there is one. `next`: time of the CPU's next event in ns. The exit
    /// is never later than `next`, although the printed times are rounded.
    void endLeaf(std::int32_t cpu, std::int64_t next)
    {
        const auto found = m_leaves.find(cpu);
        if (found == m_leaves.end())
            return;
        const Leaf leaf = std::move(found->second);
        m_leaves.erase(found);
        const FtraceLine line = std::exchange(m_line, leaf.line);
        m_line.task = leaf.task;
        m_line.flags = leaf.flags;
        m_line.fields = {};
        m_name = "funcgraph_exit";
        m_fields.assign(1, {"func", leaf.function});
        add(std::max(std::min(leaf.end, next), m_line.time));
        m_line = line;
    }

    /// Sets name and fields of the current event. Entries and exits of system calls get the names of their tracepoints.
    void setFields()
    {
        m_name = m_line.event;
        GraphCall call;
        if (m_line.event.starts_with("funcgraph_") && parseGraphCall(m_line.fields, call))
            return setCall(call);
        if (m_line.event == "tracing_mark_write" || m_line.event == "print" || m_line.event == "bprint" || m_line.event == "bputs")
            return setPrinted();
        if (m_line.event == "kernel_stack" || m_line.event == "user_stack")
            return setStack();
        if (m_line.event == "function")
            if (const auto entry = parseFunctionEntry(m_line.fields))
                return setFunction(*entry);
        if (m_line.event == "context_switch" || m_line.event == "wakeup")
            if (const auto change = parseSwitch(m_line.fields))
                return setSwitch(*change);
        if (m_line.systemCall == FtraceLine::SystemCall::None)
            return tracepoint::parsePrintedFields(m_line.event, m_line.fields, m_fields);
        const bool isEntry = m_line.systemCall == FtraceLine::SystemCall::Entry;
        m_name.insert(0, isEntry ? "sys_enter_" : "sys_exit_");
        m_fields.assign(1, {isEntry ? "args" : "ret", m_line.fields});
        if (isEntry && m_line.event == "futex")
            if (const auto futex = tracepoint::parseFutexArguments(m_line.fields))
                tracepoint::appendFutexFields(*futex, m_fields);
        std::uint64_t result = 0;
        const std::string_view hex = m_line.fields.starts_with("0x") ? m_line.fields.substr(2) : std::string_view();
        const auto read = std::from_chars(hex.data(), hex.data() + hex.size(), result, 16);
        if (!isEntry && !hex.empty() && read.ec == std::errc() && read.ptr == hex.data() + hex.size()) {
            m_fields.front().number = static_cast<std::int64_t>(result);
            m_fields.front().kind = StoredField::Kind::Integer;
        }
    }

    void takeLost(const LostLine& lost)
    {
        const auto last = m_lastOfCpu.find(lost.cpu);
        if (last == m_lastOfCpu.end()) {
            report("lost-before", "events were lost before the first event of a CPU", std::max<std::uint64_t>(lost.events, 1));
            return;
        }
        Loss& loss = m_openLosses[lost.cpu];
        loss.range.begin = hostTime(last->second);
        loss.events += lost.events;
        loss.cpu = lost.cpu;
    }

    /// Ends the loss of the current event's CPU at the event.
    void closeLoss()
    {
        const auto open = m_openLosses.find(m_line.cpu);
        if (open == m_openLosses.end())
            return;
        open->second.range = makeLossRange(open->second.range.begin, hostTime(m_line.time));
        m_read.recording->losses.push_back(open->second);
        m_openLosses.erase(open);
    }

    /// Takes the marker "trace_event_clock_sync: realtime_ts=MS" or "trace_event_clock_sync: parent_ts=SECONDS".
    void takeMarker(std::string_view text)
    {
        constexpr std::string_view Parent = "trace_event_clock_sync: parent_ts=";
        if (text.starts_with(Parent) && !m_read.monotonic) {
            std::int64_t time = 0;
            // Programs write 0 if the clock of the text is CLOCK_MONOTONIC itself. Then, and if the difference is no more than the time
            // that it takes to write the marker, the times stay as printed.
            constexpr std::int64_t WritingTime = 1'000'000;
            if (parseSeconds(trimmed(text.substr(Parent.size())), time))
                m_read.monotonic = time == 0 || std::abs(time - m_line.time) < WritingTime ? 0 : time - m_line.time;
            return;
        }
        constexpr std::string_view Marker = "trace_event_clock_sync: realtime_ts=";
        if (!text.starts_with(Marker) || m_read.wallClock)
            return;
        text.remove_prefix(Marker.size());
        std::int64_t milliseconds = 0;
        constexpr std::int64_t Most = std::int64_t{1} << 43; // Larger times in ns do not fit into 64 bits.
        if (std::from_chars(text.data(), text.data() + text.size(), milliseconds).ec == std::errc() && milliseconds > 0
            && milliseconds < Most)
            m_read.wallClock = milliseconds * 1'000'000 - m_line.time;
    }

    /// Names the threads by the names that stand before their events. The kernel looks these names up when it prints the text, so a name is
    /// the last one of its thread.
    void addNames()
    {
        for (const auto& [tid, thread] : m_names) {
            ProcessRecord record;
            record.time = hostTime(thread.time);
            record.tid = tid;
            record.pid = thread.tgid;
            record.name = thread.name;
            m_read.recording->records.push_back(std::move(record));
        }
    }

    struct NamedThread {
        std::int64_t time; ///< Time of the thread's first event in ns.
        std::int32_t tgid;
        std::int32_t tid;
        std::string name;
    };

    /// A leaf call (entry and exit in one line) whose exit event is still to be added.
    struct Leaf {
        std::int64_t end = 0; ///< Time of the call's exit in ns: its entry plus its printed duration.
        FtraceLine line; ///< Parsed line of the call; its strings are invalid and replaced by the members below.
        std::string function;
        std::string task;
        std::string flags;
    };

    LineReader m_lines;
    FtraceText m_read;
    FtraceLine m_line; ///< Line of the current event.
    std::string m_name; ///< Name of the current event.
    std::vector<StoredField> m_fields; ///< Fields of the current event.
    std::string m_stack; ///< Functions of the current event's stack.
    std::vector<std::byte> m_head; ///< Head of the current event.
    std::unordered_map<std::int32_t, std::int64_t> m_lastOfCpu; ///< For each CPU, the time of its last event in ns.
    std::map<std::int32_t, Loss> m_openLosses; ///< For each CPU, the loss after its last event.
    std::map<std::int32_t, NamedThread> m_names; ///< Threads by TID.
    /// Thread that the last switch line of the function graph tracer named for each CPU, keyed by CPU.
    std::map<std::int32_t, NamedThread> m_running;
    std::map<std::int32_t, Leaf> m_leaves; ///< Leaf call of each CPU whose exit event is still to be added, keyed by CPU.
    std::int64_t m_lastTime = 0;
    bool m_hasSwitches = false;
    bool m_hasFunctions = false; ///< True after the first event of the function tracer.
};

} // namespace

std::string_view traceIn(std::string_view text)
{
    constexpr std::string_view Tag = "class=\"trace-data\"";
    const std::size_t tag = text.find(Tag);
    const std::size_t begin = tag == std::string_view::npos ? tag : text.find('>', tag);
    if (begin == std::string_view::npos)
        return text;
    // A page may have several such elements. The lines between the first and the last one are skipped by the reader, as they are no events.
    const std::size_t last = text.rfind(Tag);
    const std::size_t end = text.find("</script>", last);
    return text.substr(begin + 1, end == std::string_view::npos ? end : end - begin - 1);
}

bool isFtraceText(std::string_view head, bool isWhole)
{
    // A binary recording may contain a text of ftrace. It has bytes below the tab character, which texts do not have.
    constexpr std::size_t Looked = 64;
    if (std::ranges::any_of(head.substr(0, Looked), [](char c) { return static_cast<unsigned char>(c) < '\t'; }))
        return false;
    head = traceIn(head);
    LineReader lines(head);
    std::string_view line;
    FtraceLine parsed;
    bool hasTracer = false;
    for (int others = 0; others < 20 && lines.next(line);) {
        if (!lines.hasEnd() && !isWhole)
            break;
        line = trimmed(withoutEscapes(line));
        if (parseFtraceLine(line, parsed) || parseLatencyLine(line, parsed) || parseGraphLine(line, parsed))
            return true;
        hasTracer = hasTracer || line.starts_with("# tracer:");
        if (!line.empty() && line.front() != '#')
            ++others;
    }
    return hasTracer;
}

Result<FtraceText> readFtraceText(std::string_view text, const std::string& file, const std::stop_token& stop)
{
    return Reader(traceIn(text), file).read(stop);
}

} // namespace helio::ftracetext
