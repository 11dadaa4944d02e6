#include "core/formats/stack_text/script_reader.h"

#include "core/base/line_reader.h"
#include "core/formats/stack_text/frame_line.h"
#include "core/formats/stack_text/head_line.h"
#include "core/formats/stack_text/script_scope.h"
#include "core/trace/tracepoint/printed_fields.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace helio::stacktext {
namespace {

using namespace text;

constexpr std::size_t LongestScriptLine = std::size_t{1} << 20; // In bytes. C++ names may have tens of thousands of characters.
constexpr std::size_t MostScriptFrames = std::size_t{1} << 20; // Maximum number of frames of one stack.
constexpr std::string_view Unnamed = ":-1"; // Name that perf prints for a thread that has ended; the thread's ids are -1.
constexpr std::uint64_t ScriptStopStep = 4096; // Number of lines between two checks of `stop`.

bool parsePerfFrame(std::string_view line, ParsedFrame& frame, Module::Kind& kind)
{
    const bool isFrame = parseFrame(line, frame);
    kind = kindOfModule(frame.module);
    return isFrame;
}

/// Result of frameLike(): whether a line after the first line of a sample looks like a frame of its call stack. An offset or a module after
/// the address shows a frame (Yes). If -F omits both, only the address is left, which perf pads to 16 characters; the line may then be a
/// frame (Perhaps).
enum class FrameLike { No, Perhaps, Yes };
FrameLike frameLike(std::string_view line)
{
    ParsedFrame frame;
    if (!line.starts_with('\t') || !parseFrame(line, frame) || !frame.address)
        return FrameLike::No;
    if (frame.offset || !frame.module.empty() || frame.isInlined)
        return FrameLike::Yes;
    return line[1] == ' ' || line.find(' ') == 17 ? FrameLike::Perhaps : FrameLike::No;
}

/// True for a comment line such as "# hostname : vm"; false for a sample of a thread whose name begins with '#'.
bool isComment(std::string_view line)
{
    ParsedSampleHead head;
    const bool isApart = line.size() < 2 || isBlank(line[1]);
    return line.front() == '#' && !(parseHead(line, head) && head.tid >= 0 && (head.time || (!isApart && !head.event.empty())));
}

/// Reads the output of perf script line by line. A sample consists of a head, its frames and a blank line.
class ScriptReader {
public:
    ScriptReader(std::string_view text, SampleRecording& recording)
        : m_lines(text)
        , m_recording(recording)
    {
    }

    Status run(const std::stop_token& stop)
    {
        std::string_view line;
        while (m_lines.next(line)) {
            if (m_lines.number() % ScriptStopStep == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            take(line);
        }
        if (m_isOpen && !m_lines.hasEnd())
            m_recording.events.report("cut-text", m_lines.number(), m_lines.offset(),
                                      "the text ends within a line; its last sample may lack frames");
        close();
        m_recording.hasTimes = m_hasTimes || m_recording.events.events().empty();
        m_recording.recordedThreads = m_scope.recordedThreads();
        if (!m_recording.recordedThreads.empty())
            m_recording.events.report(
                "recorded-in-part", 0, 0,
                "recorded without -a, as the switches show: only threads with samples have states, from an event that shows where a thread "
                "runs until it leaves the CPU; other threads, and CPUs in the meantime, are unknown. Record all threads with perf record "
                "-a");
        return Done{};
    }

private:
    void report(const char* kind, const std::string& what, std::uint64_t count = 1)
    {
        m_recording.events.report(kind, m_lines.number(), m_lines.offset(), what, Diagnostic::Severity::Warning, count);
    }

    void take(std::string_view line)
    {
        if (line.empty())
            return close();
        if (line.size() > LongestScriptLine)
            return report("long-line", "longer than a megabyte; skipped");
        if (line.front() == '\t') {
            m_hasTabs = true;
            return takeFrame(line);
        }
        if (isComment(line))
            return takeFact(line);
        if (line.size() > 1 && line.front() == '|' && isDigit(line[1]))
            return; // Skip a line of source code, from -F srccode.
        ParsedSampleHead head;
        if (m_isOpen && (line.front() == ' ' || isUnindentedFrame(line)) && !isHeadInside(line, head))
            return takeIndented(line);
        if (line.find('\0') != std::string_view::npos)
            return report("binary", "contains NUL bytes; skipped");
        close();
        if (trimmed(line).empty())
            return;
        if (!head.event.empty() || head.time || !head.rest.empty() || parseHead(line, head))
            return open(head);
        // The line contains only a command, or a command and an event, because -F omitted all other parts. It is a head if frames follow.
        m_loneComm = trimmed(line);
        m_loneLine = m_lines.number();
        m_loneOffset = m_lines.offset();
    }

    /// True if a line is a frame although it is not indented. Like stackcollapse-perf.pl, accepts such a frame only with an address and a
    /// module.
    static bool isUnindentedFrame(std::string_view line)
    {
        ParsedFrame frame;
        return parseFrame(line, frame) && frame.address && (!frame.module.empty() || frame.isInlined || line.ends_with("([unknown])"));
    }

    /// True if a line indented by blanks is the head (first line) of another sample. perf script indents heads only if it prints no call
    /// chains, because it then right-aligns the names. Other lines of a sample, such as " ilen: 3 insn: 0f 05 c3", look like heads without
    /// a time.
    bool isHeadInside(std::string_view line, ParsedSampleHead& head) const
    {
        if (!parseHead(line, head) || (m_hasTimes && !head.time))
            return false;
        const bool isNamed = head.tid >= 0 || head.comm == Unnamed;
        return (isNamed && (head.time || !head.event.empty())) || (!head.comm.empty() && (head.time || !head.rest.empty()));
    }

    void takeIndented(std::string_view line)
    {
        // perf indents frames with tabs; programs that imitate perf use blanks. If the sample has frames with tabs, lines with blanks are
        // not frames but additional output of perf: with -F srcline, " file.c:12" after each frame; with -F phys_addr, numbers after all
        // frames.
        ParsedFrame frame;
        if (m_hasTabs)
            return;
        if (parseFrame(line, frame) && frame.address)
            takeFrame(line);
    }

    void takeFrame(std::string_view line)
    {
        if (!m_isOpen && !m_loneComm.empty()) {
            ParsedSampleHead head;
            head.comm = std::exchange(m_loneComm, {});
            // "COMM EVENT:" is the head of -F comm,event,ip,sym.
            const std::size_t blank = head.comm.rfind(' ');
            if (blank != std::string_view::npos && head.comm.ends_with(':') && blank + 2 < head.comm.size()) {
                head.event = head.comm.substr(blank + 1, head.comm.size() - blank - 2);
                head.comm = trimmed(head.comm.substr(0, blank));
            }
            open(head);
        }
        if (!m_isOpen)
            return report("frame-without-sample", "a frame without a sample");
        const std::int64_t frame = m_recording.stacks.findOrAddFrame(line, parsePerfFrame);
        if (frame < 0)
            return report("bad-frame", "not a frame");
        if (m_frames.size() == MostScriptFrames)
            return report("deep-stack", "a stack has more than a million frames; the outermost are missing");
        m_frames.push_back(static_cast<std::uint32_t>(frame));
    }

    /// Stores a name and a value of the environment from a line such as "# hostname : vm".
    void takeFact(std::string_view line)
    {
        const std::size_t colon = line.find(" : ");
        if (colon == std::string_view::npos || line.size() > 4096 || ++m_facts > 256 || line.find('\0') != std::string_view::npos)
            return;
        const std::string_view name = trimmed(line.substr(1, colon - 1));
        if (name == "cmdline")
            m_scope.takeCommand(trimmed(line.substr(colon + 3)));
        if (name != "event" && !name.empty())
            m_recording.addFact(name, trimmed(line.substr(colon + 3)));
    }

    void open(const ParsedSampleHead& head)
    {
        reportLoneLine();
        if (!std::exchange(m_wasOpened, true))
            m_recording.setHasPids(head.pid >= 0);
        if (head.event.starts_with("PERF_RECORD_"))
            return takeRecord(head);
        constexpr const char* NoTime = "a sample without a time among samples with times; skipped";
        if (m_hasTimes && !head.time)
            return report("no-time", NoTime);
        if (head.time && !std::exchange(m_hasTimes, true) && !m_recording.events.events().empty()) {
            // Count the samples before this sample, too: they have no time, although this sample has one.
            report("no-time", NoTime, m_recording.events.events().size());
            m_recording.events.dropEvents();
        }
        m_head = head;
        m_isOpen = true;
        m_hasTabs = false;
        nameThread(head);
    }

    /// Adds the frame of a sample without a call chain, which is at the end of the head's line.
    void addFrameOfHead()
    {
        const bool hasFields = isTracepoint(m_head.event);
        const std::string_view frame = frameInHead(m_head.rest, hasFields);
        if (frame.empty() || (m_hasDataInHeads && frame.data() == m_head.rest.data()))
            return;
        if (hasFields)
            m_head.rest = trimmed(m_head.rest.substr(0, static_cast<std::size_t>(frame.data() - m_head.rest.data())));
        if (const std::int64_t index = m_recording.stacks.findOrAddFrame(frame, parsePerfFrame); index >= 0)
            m_frames.push_back(static_cast<std::uint32_t>(index));
    }

    /// Returns the command of a head; empty if unknown, for which perf prints ":123".
    static std::string_view commandOf(const ParsedSampleHead& head) { return head.comm.starts_with(':') ? std::string_view() : head.comm; }

    void nameThread(const ParsedSampleHead& head)
    {
        if (head.tid <= 0 || commandOf(head).empty())
            return;
        std::string& name = m_names[head.tid];
        if (name == head.comm)
            return;
        name = head.comm;
        ProcessRecord record;
        record.time = hostTime(head.time.value_or(0));
        record.pid = head.pid;
        record.tid = head.tid;
        record.name = name;
        m_recording.records.push_back(std::move(record));
    }

    /// Processes a loss such as "PERF_RECORD_LOST lost 12".
    void takeLost(std::string_view rest)
    {
        const std::size_t digits = rest.find_last_not_of("0123456789") + 1;
        std::uint64_t count = 0;
        std::from_chars(rest.data() + digits, rest.data() + rest.size(), count);
        report("lost-events", "perf lost events during recording", std::clamp<std::uint64_t>(count, 1, LargestCount));
    }

    /// Processes a record such as "PERF_RECORD_COMM: name:1/2" or "PERF_RECORD_FORK(1:2):(3:4)". Ignores records that no view shows.
    void takeRecord(const ParsedSampleHead& head)
    {
        close();
        if (head.event.starts_with("PERF_RECORD_LOST"))
            return takeLost(trimmed(head.rest));
        ProcessRecord record;
        record.time = hostTime(head.time.value_or(0));
        std::string_view rest = head.rest;
        if (head.event == "PERF_RECORD_COMM") {
            const bool isExec = rest.starts_with(" exec");
            record.kind = isExec ? ProcessRecord::Kind::Exec : ProcessRecord::Kind::Comm;
            rest = trimmed(isExec ? rest.substr(std::min(rest.find(':') + 1, rest.size())) : rest);
            const std::size_t ids = rest.rfind(':');
            if (ids == std::string_view::npos || !readPair(rest.substr(ids + 1), '/', record.pid, record.tid))
                return;
            record.name = rest.substr(0, ids);
            m_names[record.tid] = record.name;
        } else if (head.event == "PERF_RECORD_FORK" || head.event == "PERF_RECORD_EXIT") {
            record.kind = head.event.ends_with("FORK") ? ProcessRecord::Kind::Fork : ProcessRecord::Kind::Exit;
            const std::size_t middle = rest.find("):(");
            if (!rest.starts_with('(') || middle == std::string_view::npos || !rest.ends_with(')')
                || !readPair(rest.substr(1, middle - 1), ':', record.pid, record.tid)
                || !readPair(rest.substr(middle + 3, rest.size() - middle - 4), ':', record.parentPid, record.parentTid))
                return;
        } else {
            return;
        }
        m_recording.records.push_back(std::move(record));
    }

    static bool readPair(std::string_view text, char between, std::int32_t& first, std::int32_t& second)
    {
        const char* const end = text.data() + text.size();
        const auto one = std::from_chars(text.data(), end, first);
        if (one.ec != std::errc() || one.ptr == end || *one.ptr != between)
            return false;
        const auto two = std::from_chars(one.ptr + 1, end, second);
        return two.ec == std::errc() && two.ptr == end;
    }

    void close()
    {
        if (!m_isOpen)
            return reportLoneLine();
        m_isOpen = false;
        if (m_frames.empty())
            addFrameOfHead();
        else if (!m_head.rest.empty() && !isTracepoint(m_head.event))
            m_hasDataInHeads = true;
        tracepoint::parsePrintedFields(m_head.event, isTracepoint(m_head.event) ? m_head.rest : std::string_view(), m_fields);
        NewSample event;
        event.name = m_head.event.empty() ? std::string_view("samples") : m_head.event;
        event.time = m_head.time.value_or(0);
        event.hasPeriod = m_head.period.has_value();
        event.period = m_head.period.value_or(1);
        event.pid = m_head.pid;
        event.tid = m_head.tid;
        event.cpu = m_head.cpu;
        event.command = commandOf(m_head);
        if (isTracepoint(m_head.event))
            event.text = m_head.rest;
        bool isCut = false;
        event.stack = m_recording.stacks.stackOf(m_frames, isCut);
        m_frames.clear();
        if (isCut)
            report("many-stacks", "too many different stacks; some frames are missing");
        if (event.period > LargestCount || event.period > LargestSum - m_sum)
            return report("large-count", "the period is too large; skipped");
        m_sum += event.period;
        m_scope.take(m_head, m_fields);
        if (!m_recording.add(event, m_fields))
            report("many-events", "too many kinds of events; skipped");
    }

    void reportLoneLine()
    {
        if (!m_loneComm.empty())
            m_recording.events.report("bad-line", m_loneLine, m_loneOffset, "neither a sample's first line nor a frame; skipped");
        m_loneComm = {};
    }

    LineReader m_lines;
    SampleRecording& m_recording;
    ScriptScope m_scope;
    ParsedSampleHead m_head; ///< Head of the current sample.
    std::vector<StoredField> m_fields;
    std::vector<std::uint32_t> m_frames;
    std::unordered_map<std::int32_t, std::string> m_names; ///< Last name of each thread, keyed by tid.
    std::string_view m_loneComm; ///< Command of the previous line if that line contained nothing else; otherwise empty.
    std::uint64_t m_loneLine = 0;
    std::uint64_t m_loneOffset = 0;
    int m_facts = 0;
    bool m_isOpen = false;
    bool m_hasTabs = false; ///< True if the frames of the current sample are indented by tabs, as perf prints them.
    /// True if a sample with a call chain had more data in its head line. In samples without a call chain, an address at the start of that
    /// data is then no frame.
    bool m_hasDataInHeads = false;
    bool m_wasOpened = false;
    bool m_hasTimes = false;
    std::uint64_t m_sum = 0; ///< Sum of all periods.
};

} // namespace

bool isScript(std::string_view begin, bool isWhole)
{
    LineReader lines(begin);
    std::string_view line;
    bool isAfterName = false;
    int perhaps = 0;
    // Look at up to 20 lines: warnings may precede the first sample if perf's standard output and standard error were written to one file.
    for (int looked = 0; looked < 20 && lines.next(line);) {
        if ((!lines.hasEnd() && !isWhole) || line.find('\0') != std::string_view::npos)
            return false;
        if (line.empty() || isComment(line))
            continue;
        ++looked;
        if (const FrameLike like = isAfterName ? frameLike(line) : FrameLike::No; like != FrameLike::No) {
            if (like == FrameLike::Yes || ++perhaps == 2)
                return true;
            continue; // Look for a second line: assembly or prose may contain a single line that looks like a frame.
        }
        ParsedSampleHead head;
        if (parseHead(line, head)) {
            const bool hasFrame = !head.comm.empty() && !frameInHead(line, true).empty();
            const bool isNamed = head.tid >= 0 || head.comm.empty() || head.comm == Unnamed;
            if (hasFrame || (isNamed && (head.time || !head.event.empty())))
                return true;
        }
        isAfterName = !isBlank(line.front());
    }
    return false;
}

bool beginsWithTimedSample(std::string_view begin)
{
    LineReader lines(begin);
    std::string_view line;
    while (lines.next(line) && (line.empty() || isComment(line)))
        continue;
    ParsedSampleHead head;
    return parseHead(line, head) && head.time && head.tid >= 0;
}

Status readScript(std::string_view text, SampleRecording& recording, std::stop_token stop)
{
    return ScriptReader(text, recording).run(stop);
}

} // namespace helio::stacktext
