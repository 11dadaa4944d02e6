#include "core/formats/chrome_json/chrome_json_reader.h"

#include "core/formats/chrome_json/chrome_event.h"
#include "core/formats/chrome_json/chrome_threads.h"
#include "core/formats/chrome_json/object_splitter.h"

#include <algorithm>
#include <limits>

namespace helio::chromejson {
namespace {

EventType makeType(const NewEvent& event, std::span<const StoredField> fields)
{
    EventType type;
    type.name = event.name;
    const bool hasProcess = event.variant != 0;
    type.streamContext = makeStoredStruct({{hasProcess ? "vpid" : "", makeStoredInteger(32, true), !hasProcess},
                                           {"vtid", makeStoredInteger(32, true)},
                                           {"pid_ns", makeStoredInteger(32, false), true},
                                           {"procname", makeStoredText(NameSize), true}});
    type.payload = makeStoredStruct(makeStoredMembers(fields));
    return type;
}

/// Returns the name of the events of a phase that is no slice.
const char* pointName(char phase)
{
    switch (phase) {
    case 'i':
    case 'I': return "instant";
    case 'R': return "mark";
    case 'C': return "counter";
    case 'b':
    case 'S': return "async_begin";
    case 'n':
    case 'T':
    case 'p': return "async_step";
    case 'e':
    case 'F': return "async_end";
    case 's': return "flow_begin";
    case 't': return "flow_step";
    case 'f': return "flow_end";
    case 'P': return "sample";
    case 'N': return "object_created";
    case 'O': return "object_snapshot";
    case 'D': return "object_deleted";
    case 'v':
    case 'V': return "memory_dump";
    case 'c': return "clock_sync";
    default: return nullptr;
    }
}

/// True for all phases of the format.
bool isPhase(char phase) { return pointName(phase) || phase == 'B' || phase == 'E' || phase == 'X' || phase == 'M'; }

/// An event in the text.
struct EventPlace {
    std::int64_t time = 0; ///< In ns.
    std::uint64_t offset = 0; ///< Offset of the event in the text.
    std::uint32_t size = 0; ///< Size of the event in the text in bytes.
    std::uint32_t thread = 0;
    char phase = 0;
    std::int64_t duration = 0; ///< Duration of a complete event (X) in ns.
};

constexpr std::int64_t NoEnd = std::numeric_limits<std::int64_t>::max();

/// A slice: a complete event (X), or a begin (B) with its end (E).
struct Slice {
    EventPlace event; ///< X or B.
    std::int64_t end = NoEnd; ///< In ns; NoEnd if the end is missing.
    std::uint64_t endOffset = 0; ///< Offset in the text of the event that ends the slice (E).
    std::uint32_t endSize = 0; ///< Size in bytes of that event; 0 for a complete event.
};

/// Begin or end of a slice, or another event.
struct Mark {
    std::int64_t time = 0; ///< In ns.
    /// Order of marks at the same time: ends (0), other events (1), begins (2). Ends of slices without duration follow their begins.
    std::uint8_t rank = 1;
    bool isEnd = false;
    std::int64_t order = 0; ///< Order of marks with the same time and rank: outer slices begin first and end last.
    std::uint32_t index = 0; ///< Index in the slices or, if the rank is 1, in the other events.
};

bool comesBefore(const Mark& a, const Mark& b)
{
    if (a.time != b.time)
        return a.time < b.time;
    return a.rank != b.rank ? a.rank < b.rank : a.order < b.order; // Otherwise in the order of the text, by a stable sort.
}

class Reader {
public:
    Reader(std::string_view text, const std::string& file)
        : m_text(text)
        , m_file(file)
        , m_recording(std::make_unique<StoredRecording>(file, makeType))
    {
    }

    Result<std::unique_ptr<StoredRecording>> read(const std::stop_token& stop)
    {
        if (auto done = collect(stop); !done)
            return done.error();
        pairEnds();
        const std::vector<Mark> marks = makeMarks();
        for (std::size_t i = 0; i < marks.size(); ++i) {
            if (i % 4096 == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            take(marks[i]);
        }
        if (!marks.empty())
            m_recording->records = m_threads.names(hostTime(marks.front().time));
        m_recording->finish();
        return std::move(m_recording);
    }

private:
    void report(const char* kind, std::uint64_t offset, const std::string& what,
                Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        auto& all = m_recording->events.diagnostics();
        const auto same = std::ranges::find(all, kind, &Diagnostic::kind);
        if (same != all.end())
            ++same->count;
        else
            all.push_back({severity, kind, m_file, offset, 1, what});
    }

    /// Finds the events of the text, without their names and arguments.
    Status collect(const std::stop_token& stop)
    {
        ObjectSplitter splitter(m_text);
        std::string_view object;
        ChromeEvent event;
        for (std::uint64_t count = 0; splitter.next(object); ++count) {
            if (count % 4096 == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            const auto offset = static_cast<std::uint64_t>(object.data() - m_text.data());
            if (object.size() > std::numeric_limits<std::uint32_t>::max() || !m_parser.parse(object, event))
                report("invalid-event", offset, "an event is not valid JSON");
            else if (event.phase == 'M')
                takeMetadata(event);
            else
                addPlace(event, offset, static_cast<std::uint32_t>(object.size()));
        }
        if (splitter.isCut())
            report("truncated", m_text.size(), "the text ends early; its last event may be missing", Diagnostic::Severity::Error);
        for (const std::string_view member : splitter.otherMembers())
            if (member == "stackFrames" || member == "samples" || member == "systemTraceEvents")
                report("unread-member", 0, "the member \"" + std::string(member) + "\" is not read", Diagnostic::Severity::Info);
        return Done{};
    }

    void takeMetadata(const ChromeEvent& event)
    {
        if (event.name == "process_name")
            m_threads.setProcessName(event.process, event.argumentName);
        else if (event.name == "thread_name")
            m_threads.setThreadName(m_threads.indexOf(event.process, event.thread), event.argumentName);
    }

    void addPlace(const ChromeEvent& event, std::uint64_t offset, std::uint32_t size)
    {
        if (!event.time) {
            report("no-time", offset, "an event has no time (\"ts\")");
            return;
        }
        const bool isSlice = event.phase == 'B' || event.phase == 'E' || event.phase == 'X';
        if (!isSlice && !pointName(event.phase)) {
            report("unknown-phase", offset,
                   std::string("events with an unknown phase (\"ph\"), first '") + event.phase + "', are not shown");
            return;
        }
        if (event.phase == 'X' && !event.duration)
            report("no-duration", offset, "a complete event has no duration (\"dur\")");
        (isSlice ? m_sliceEvents : m_points)
            .push_back(
                {*event.time, offset, size, m_threads.indexOf(event.process, event.thread), event.phase, event.duration.value_or(0)});
    }

    /// Makes the slices: joins the begins and ends of each thread, of which the last begin ends first.
    void pairEnds()
    {
        std::ranges::stable_sort(m_sliceEvents, {}, &EventPlace::time);
        std::vector<std::vector<std::size_t>> open; // For each thread, the slices that have begun and not ended.
        for (const EventPlace& event : m_sliceEvents) {
            if (event.thread >= open.size())
                open.resize(event.thread + 1);
            auto& begun = open[event.thread];
            if (event.phase == 'E') {
                if (begun.empty()) {
                    report("end-without-begin", event.offset, "the end of a slice (E) has no beginning (B)");
                    continue;
                }
                Slice& slice = m_slices[begun.back()];
                slice.end = event.time;
                slice.endOffset = event.offset;
                slice.endSize = event.size;
                begun.pop_back();
                continue;
            }
            Slice& slice = m_slices.emplace_back();
            slice.event = event;
            if (event.phase == 'X')
                slice.end = sumOf(Duration(event.time), Duration(event.duration)).count();
            else
                begun.push_back(m_slices.size() - 1);
        }
        m_sliceEvents = {};
    }

    std::vector<Mark> makeMarks() const
    {
        std::vector<Mark> marks;
        for (std::uint32_t i = 0; i < m_slices.size(); ++i) {
            const Slice& slice = m_slices[i];
            const std::int64_t begin = slice.event.time;
            marks.push_back({begin, 2, false, ~slice.end, i});
            if (slice.end != NoEnd)
                marks.push_back(slice.end > begin ? Mark{slice.end, 0, true, ~begin, i} : Mark{begin, 2, true, ~begin, i});
        }
        for (std::uint32_t i = 0; i < m_points.size(); ++i)
            marks.push_back({m_points[i].time, 1, false, 0, i});
        std::ranges::stable_sort(marks, comesBefore);
        return marks;
    }

    void take(const Mark& mark)
    {
        if (mark.rank == 1)
            takePoint(m_points[mark.index]);
        else if (mark.isEnd)
            takeEnd(mark.index);
        else
            takeBegin(mark.index);
    }

    std::vector<std::uint32_t>& openOf(std::uint32_t thread)
    {
        if (thread >= m_open.size())
            m_open.resize(thread + 1);
        return m_open[thread];
    }

    void parse(std::uint64_t offset, std::uint32_t size) { m_parser.parse(m_text.substr(offset, size), m_event); }

    void takeBegin(std::uint32_t index)
    {
        const Slice& slice = m_slices[index];
        std::uint32_t thread = slice.event.thread;
        constexpr std::uint32_t MostLevels = 100;
        const auto nests = [&] {
            const auto& open = openOf(thread);
            return open.empty() || slice.end <= m_slices[open.back()].end;
        };
        for (std::uint32_t level = 1; level <= MostLevels && !nests(); ++level) {
            thread = m_threads.besides(slice.event.thread, level);
            if (level == 1)
                report("overlap", slice.event.offset,
                       "a slice overlaps another one of its thread without nesting; it has a row of its own");
        }
        if (!nests()) {
            report("many-overlaps", slice.event.offset,
                   "more than 100 slices of a thread overlap without nesting; further ones are missing");
            return;
        }
        if (thread != slice.event.thread)
            m_moved[index] = thread;
        openOf(thread).push_back(index);
        parse(slice.event.offset, slice.event.size);
        setFields();
        add("span_begin", slice.event.time, thread);
    }

    void takeEnd(std::uint32_t index)
    {
        const Slice& slice = m_slices[index];
        const auto moved = m_moved.find(index);
        const std::uint32_t thread = moved == m_moved.end() ? slice.event.thread : moved->second;
        auto& open = openOf(thread);
        const auto own = std::find(open.rbegin(), open.rend(), index); // Usually the last one; slices without end stay before it.
        if (own == open.rend())
            return;
        open.erase(std::prev(own.base()));
        m_fields.clear();
        if (slice.endSize > 0) {
            parse(slice.endOffset, slice.endSize);
            if (!m_event.arguments.empty())
                m_fields.push_back({"args", m_event.arguments});
        }
        add("span_end", slice.end, thread);
    }

    void takePoint(const EventPlace& point)
    {
        parse(point.offset, point.size);
        setFields();
        if (point.phase == 'C') {
            m_fields.pop_back(); // The arguments are the series of the counter.
            for (const auto& [name, number] : m_event.numbers) {
                StoredField field{name, {}};
                field.kind = StoredField::Kind::Real;
                field.real = number;
                m_fields.push_back(field);
            }
        }
        if (!m_event.id.empty())
            m_fields.push_back({"id", m_event.id});
        add(pointName(point.phase), point.time, point.thread);
    }

    /// Sets the fields name, cat and args of the current event.
    void setFields()
    {
        m_fields.assign(1, {"name", m_event.name});
        m_fields.push_back({"cat", m_event.category});
        m_fields.push_back({"args", m_event.arguments});
    }

    void add(std::string_view name, std::int64_t time, std::uint32_t index)
    {
        const ChromeThread& thread = m_threads.at(index);
        m_head.clear();
        appendNumber(thread.pid, m_head);
        appendNumber(thread.tid, m_head);
        appendNumber(thread.space, m_head);
        appendText(m_threads.nameOf(index), NameSize, m_head);
        if (m_recording->events.add({name, static_cast<char>(thread.pid >= 0), time, -1, m_head, m_event.arguments}, m_fields)
            == StoredEvents::NoType)
            report("many-types", 0, "too many kinds of counters; further ones are missing");
    }

    const std::string_view m_text;
    std::string m_file;
    std::unique_ptr<StoredRecording> m_recording;
    ChromeEventParser m_parser;
    ChromeThreads m_threads;
    std::vector<EventPlace> m_sliceEvents; ///< Events B, E and X; empty once the slices are made.
    std::vector<EventPlace> m_points; ///< All other events.
    std::vector<Slice> m_slices;
    std::vector<std::vector<std::uint32_t>> m_open; ///< Open slices of each thread, the outermost first.
    std::map<std::uint32_t, std::uint32_t> m_moved; ///< Slices that have a row of their own: index and row.
    ChromeEvent m_event; ///< The current event.
    std::vector<StoredField> m_fields; ///< Fields of the current event.
    std::vector<std::byte> m_head;
};

} // namespace

bool isChromeJson(std::string_view head)
{
    constexpr int Tried = 100;
    ObjectSplitter splitter(head);
    std::string_view object;
    ChromeEventParser parser;
    ChromeEvent event;
    for (int i = 0; i < Tried && splitter.next(object); ++i) // The first events may be damaged.
        if (parser.parse(object, event) && isPhase(event.phase))
            return true;
    return false;
}

Result<std::unique_ptr<StoredRecording>> readChromeJson(std::string_view text, const std::string& file, const std::stop_token& stop)
{
    return Reader(text, file).read(stop);
}

} // namespace helio::chromejson
