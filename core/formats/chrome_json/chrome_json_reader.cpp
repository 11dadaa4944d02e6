#include "core/formats/chrome_json/chrome_json_reader.h"

#include "core/formats/chrome_json/chrome_event.h"
#include "core/formats/chrome_json/chrome_facts.h"
#include "core/formats/chrome_json/chrome_operations.h"
#include "core/formats/chrome_json/chrome_samples.h"
#include "core/formats/chrome_json/chrome_threads.h"
#include "core/formats/chrome_json/object_splitter.h"
#include "core/trace/stored/track_events.h"

#include <queue>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace helio::chromejson {
namespace {

bool isAsynchronous(char phase) { return std::string_view("bneSTpFNOD").find(phase) != std::string_view::npos; }

/// True if `phase` (the member "ph" of an event) is defined by the trace format.
bool isPhase(char phase)
{
    return phase != 0 && (isAsynchronous(phase) || std::string_view("BEXMiIRCstfPvVc").find(phase) != std::string_view::npos);
}

bool isSlice(char phase) { return phase == 'B' || phase == 'X'; }

constexpr std::int64_t NoEnd = std::numeric_limits<std::int64_t>::max();
/// Phase that the reader gives to an end event (E) at the time of its begin event (B). The format has no such phase.
constexpr char EndAtBegin = 'Z';
constexpr std::uint64_t MostOffset = std::uint64_t{1} << 56;

/// Time, thread, and position in the text of one event. The whole event is parsed again when it is written.
struct EventPlace {
    std::int64_t time = 0; ///< In ns.
    /// For slices (B, X): end time in ns; NoEnd if the end event is missing. For end events (E): offset in the text of the event that
    /// begins the slice. Until pairEnds() pairs the events B and E, it is the hash of their names (nameKey()). For ends of flows (f): 1 if
    /// the flow binds to the next slice, else 0.
    std::int64_t end = 0;
    /// Byte offset of the event in the text, shifted left by 8 bits, and the event's phase in the lowest 8 bits. An end event (E) without a
    /// begin event gets the phase 0; an end event at the time of its begin event gets the phase EndAtBegin.
    std::uint64_t offsetAndPhase = 0;
    std::uint32_t size = 0; ///< Size of the event's text in bytes.
    std::uint32_t thread = 0;

    char phase() const { return static_cast<char>(offsetAndPhase & 0xff); }
    std::uint64_t offset() const { return offsetAndPhase >> 8; }
    void setPhase(char phase) { offsetAndPhase = offset() << 8 | static_cast<unsigned char>(phase); }
    std::int64_t endOfSlice() const { return phase() == EndAtBegin ? time : end; }
    /// True for the end of a flow ('f') that belongs to the next slice of its thread; `end` is then 1.
    bool isFlowToNext() const { return phase() == 'f' && end != 0; }

    /// Rank of the event among events with the same time, in the order in which they are written: ends of slices that began earlier (0),
    /// ends of flows that bind to the next slice (1), begins of slices, and ends of slices without duration (2), all other events (3).
    int rank() const
    {
        switch (phase()) {
        case 'E': return 0;
        case 'f': return isFlowToNext() ? 1 : 3;
        case 'B':
        case 'X':
        case EndAtBegin: return 2;
        default: return 3;
        }
    }
};
static_assert(sizeof(EventPlace) == 32, "There are tens of millions.");

bool comesBefore(const EventPlace& a, const EventPlace& b)
{
    return a.time != b.time ? a.time < b.time : a.offsetAndPhase < b.offsetAndPhase;
}

/// Order for sorting events with the same time: by rank(); among slices that begin, the one that ends last comes first, because it is the
/// outer one.
bool comesBeforeAtOnce(const EventPlace& a, const EventPlace& b)
{
    if (a.rank() != b.rank())
        return a.rank() < b.rank();
    if (a.rank() == 2 && a.endOfSlice() != b.endOfSlice())
        return a.endOfSlice() > b.endOfSlice();
    return a.offsetAndPhase < b.offsetAndPhase;
}

/// Returns a number that identifies a slice's name; 0 for an event without a name.
std::int64_t nameKey(std::string_view name)
{
    return name.empty() ? 0 : static_cast<std::int64_t>(std::hash<std::string_view>{}(name) | 1);
}

/// Open begin events (B) of one thread.
class OpenBegins {
public:
    static constexpr std::size_t NotFound = ~std::size_t{0};

    bool isEmpty() const { return m_open.empty(); }
    void push(std::size_t event, std::int64_t name)
    {
        m_open.push_back({event, name});
        if (m_open.size() > Shallow)
            ++m_deepNames[name];
    }
    /// Removes the innermost slice and returns the index of its event.
    std::size_t pop()
    {
        const Begin begin = m_open.back();
        if (m_open.size() > Shallow)
            if (const auto deep = m_deepNames.find(begin.name); --deep->second == 0)
                m_deepNames.erase(deep);
        m_open.pop_back();
        return begin.event;
    }
    /// Returns the number of slices in the innermost slice with this name (nameKey()); NotFound if no open slice has it. The innermost
    /// slice matches the name 0, and a slice without a name any name.
    std::size_t depthOf(std::int64_t name) const
    {
        const bool hasNoDeepMatch = m_open.size() > Shallow && !m_deepNames.contains(name) && !m_deepNames.contains(0) && name != 0;
        for (std::size_t i = hasNoDeepMatch ? Shallow : m_open.size(); i-- > 0;)
            if (name == 0 || m_open[i].name == 0 || m_open[i].name == name)
                return m_open.size() - 1 - i;
        return NotFound;
    }

private:
    struct Begin {
        std::size_t event = 0;
        std::int64_t name = 0;
    };
    static constexpr std::size_t Shallow = 64;

    std::vector<Begin> m_open; ///< Outermost first.
    /// Number of slices at depth Shallow or deeper, keyed by name: shows without a search that none of them has a name.
    std::unordered_map<std::int64_t, std::uint32_t> m_deepNames;
};

class Reader {
public:
    Reader(std::string_view text, const std::string& file)
        : m_text(text)
        , m_file(file)
        , m_recording(std::make_unique<StoredRecording>(file, makeTrackEventType))
        , m_writer(m_recording->events)
        , m_operations(m_writer, m_threads)
        , m_samples(*m_recording, m_threads)
    {
    }

    Result<ChromeTrace> read(const std::stop_token& stop)
    {
        if (auto done = collect(stop); !done)
            return done.error();
        if (!std::ranges::is_sorted(m_places, comesBefore))
            std::ranges::sort(m_places, comesBefore);
        pairEnds();
        if (const auto begin = this->begin())
            declareThreads(*begin);
        for (std::size_t i = 0; i < m_places.size();) {
            if (stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            std::size_t end = i + 1;
            while (end < m_places.size() && m_places[end].time == m_places[i].time)
                ++end;
            if (end - i > 1)
                std::sort(m_places.begin() + std::ptrdiff_t(i), m_places.begin() + std::ptrdiff_t(end), comesBeforeAtOnce);
            const std::int64_t time = m_places[i].time;
            endSlices(time - 1);
            // At one time, slices with an event for their end (E) end first: they may be in complete events (X) that also end.
            for (; i < end && m_places[i].rank() == 0; ++i)
                take(m_places[i]);
            endSlices(time);
            for (; i < end; ++i)
                take(m_places[i]);
        }
        endSlices(NoEnd - 1);
        m_samples.finish();
        if (const auto begin = this->begin())
            m_recording->records = m_threads.names(hostTime(*begin));
        m_places = {};
        m_recording->finish();
        return ChromeTrace{std::move(m_recording), std::move(m_facts), std::move(m_embedded)};
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

    bool parse(std::uint64_t offset, std::uint64_t size)
    {
        return m_parser.parse(m_text.substr(offset, size), m_text.size() - offset - size, m_event);
    }

    /// First pass over the text: stores the position of each event in m_places, the names and sort keys of processes and threads in
    /// m_threads, the counters with real numbers in m_realCounters, and the trace's other members in m_facts.
    Status collect(const std::stop_token& stop)
    {
        ObjectSplitter splitter(m_text);
        std::string_view object;
        for (std::uint64_t count = 0; splitter.next(object); ++count) {
            if (count % 4096 == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            const auto offset = static_cast<std::uint64_t>(object.data() - m_text.data());
            if (object.size() > std::numeric_limits<std::uint32_t>::max() || offset >= MostOffset || !parse(offset, object.size()))
                report("invalid-event", offset, "an event is not valid JSON");
            else if (m_event.phase == 'M')
                takeMetadata();
            else
                addPlace(offset, static_cast<std::uint32_t>(object.size()));
        }
        if (splitter.isCut())
            report("truncated", m_text.size(), "the text ends early; its last event may be missing", Diagnostic::Severity::Error);
        for (const ObjectSplitter::Member& member : splitter.otherMembers())
            if (member.name == "stackFrames")
                if (auto done = m_samples.readFrames(member.value, stop); !done)
                    return done;
        for (const ObjectSplitter::Member& member : splitter.otherMembers()) {
            if (member.name == "samples") {
                if (auto done = m_samples.readSamples(member.value, stop); !done)
                    return done;
            } else if (member.name == "systemTraceEvents")
                takeSystemTrace(member.value);
            else if (member.name != "stackFrames")
                addFacts(member.name, member.value, m_facts);
        }
        return Done{};
    }

    /// Takes the member "systemTraceEvents": the text of an ftrace recording as a string, or the trace of another system, which is not
    /// read.
    void takeSystemTrace(std::string_view json)
    {
        // Many programs write the placeholder of the format's documentation instead of a trace.
        if (json == "\"\"" || json == "\"SystemTraceData\"")
            return;
        std::string text = textOfString(json);
        if (!text.empty())
            m_embedded.push_back({"systemTraceEvents", std::move(text)});
        else
            report("unread-system-trace", static_cast<std::uint64_t>(json.data() - m_text.data()),
                   "the trace of the system in the member \"systemTraceEvents\" is not read, because it is not a string");
    }

    void takeMetadata()
    {
        if (!m_parser.parseArguments(m_event, m_arguments))
            return;
        if (m_event.name == "process_name")
            m_threads.process(m_threads.processOf(m_event.process)).name = m_arguments.name;
        else if (m_event.name == "process_labels")
            m_threads.process(m_threads.processOf(m_event.process)).labels = m_arguments.labels;
        else if (m_event.name == "process_sort_index")
            m_threads.process(m_threads.processOf(m_event.process)).order = m_arguments.sortIndex.value_or(0);
        else if (m_event.name == "thread_name")
            m_threads.thread(m_threads.indexOf(m_event.process, m_event.thread)).name = m_arguments.name;
        else if (m_event.name == "thread_sort_index")
            m_threads.thread(m_threads.indexOf(m_event.process, m_event.thread)).order = m_arguments.sortIndex.value_or(0);
    }

    void addPlace(std::uint64_t offset, std::uint32_t size)
    {
        const char phase = m_event.phase;
        if (!m_event.time) {
            report("no-time", offset, "an event has no time (\"ts\")");
            return;
        }
        if (!isPhase(phase)) {
            report("unknown-phase", offset, std::string("events with an unknown phase (\"ph\"), first '") + phase + "', are not shown");
            return;
        }
        EventPlace place;
        place.time = *m_event.time;
        place.offsetAndPhase = offset << 8 | static_cast<unsigned char>(phase);
        place.size = size;
        place.thread = m_threads.indexOf(m_event.process, m_event.thread);
        if (phase == 'X') {
            if (!m_event.duration)
                report("no-duration", offset, "a complete event has no duration (\"dur\")");
            place.end = std::min(NoEnd - 1, sumOf(Duration(place.time), Duration(m_event.duration.value_or(0))).count());
        } else if (phase == 'B' || phase == 'E') {
            place.end = nameKey(m_event.name);
        } else if (phase == 'f') {
            place.end = m_event.bindsToEnclosing ? 0 : 1;
        } else if (phase == 'C' && m_parser.parseArguments(m_event, m_arguments)) {
            for (const ChromeNumber& number : m_arguments.numbers)
                if (number.isReal)
                    m_realCounters.insert(counterKey(place.thread, number.name));
        }
        if (m_places.size() == m_places.capacity())
            // Reserving too much costs nothing, because the kernel allocates no memory for pages that are never written.
            m_places.reserve(std::max(m_places.size() * 2, m_text.size() / 256));
        m_places.push_back(place);
    }

    /// Returns the key in m_realCounters for a series of the current event's counter: process, counter name, id and series name.
    std::string counterKey(std::uint32_t thread, const std::string& series) const
    {
        std::string key = std::to_string(m_threads.thread(thread).process);
        for (const std::string_view part : {m_event.name, m_event.id, std::string_view(series)})
            (key += '\0') += part;
        return key;
    }

    /// Pairs begin events (B) and end events (E) of each thread: an end event ends the slice that began last. An end event with a name ends
    /// the last slice with this name, and the slices in it, which have no end of their own. Sets EventPlace::end of both.
    void pairEnds()
    {
        std::vector<OpenBegins> open(m_threads.threadCount());
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            EventPlace& event = m_places[i];
            OpenBegins& begun = open[event.thread];
            if (event.phase() == 'B') {
                begun.push(i, std::exchange(event.end, NoEnd));
            } else if (event.phase() == 'E') {
                const std::size_t inner = begun.depthOf(event.end);
                if (inner == OpenBegins::NotFound) {
                    begun.isEmpty() ? report("end-without-begin", event.offset(), "the end of a slice (E) has no beginning (B)")
                                    : report("end-of-other-name", event.offset(),
                                             "the end of a slice (E) has a name that no open slice has; it ends none");
                    event.setPhase('\0');
                    continue;
                }
                if (inner > 0)
                    report("end-of-outer", event.offset(),
                           "the end of a slice (E) has the name of an outer slice; it also ends the slices in it, which have no end");
                for (std::size_t n = 0; n < inner; ++n) {
                    EventPlace& begin = m_places[begun.pop()];
                    begin.end = event.time;
                    m_withoutEnd.push_back(begin.offset());
                }
                EventPlace& begin = m_places[begun.pop()];
                begin.end = event.time;
                event.end = static_cast<std::int64_t>(begin.offset());
                if (begin.time == event.time)
                    event.setPhase(EndAtBegin);
            }
        }
        std::ranges::sort(m_withoutEnd);
    }

    /// Returns the time of the earliest event or sample so far in ns; nullopt if there is none.
    std::optional<std::int64_t> begin() const
    {
        if (m_places.empty())
            return m_samples.begin();
        return std::min(m_places.front().time, m_samples.begin().value_or(m_places.front().time));
    }

    void declareThreads(std::int64_t time)
    {
        for (std::uint32_t i = 0; i < m_threads.processCount(); ++i) {
            const ChromeProcess& process = m_threads.process(i);
            TrackContext context;
            context.pid = process.pid;
            const auto order = static_cast<std::int32_t>(std::clamp<std::int64_t>(process.order, INT32_MIN, INT32_MAX));
            m_writer.declareProcess(time, context, process.shownName(), process.labels, order);
        }
        for (std::uint32_t i = 0; i < m_threads.threadCount(); ++i)
            if (const ChromeThread& thread = m_threads.thread(i); thread.order != 0)
                m_writer.declareThread(time, m_threads.contextOf(i),
                                       static_cast<std::int32_t>(std::clamp<std::int64_t>(thread.order, INT32_MIN, INT32_MAX)));
    }

    void take(const EventPlace& place)
    {
        if (place.phase() == 0)
            return;
        if (place.phase() == 'E' || place.phase() == EndAtBegin)
            return takeEnd(place);
        parse(place.offset(), place.size);
        if (place.phase() != 'P' && (!m_event.stackFrame.empty() || !m_event.stack.empty()))
            addStack();
        if (isSlice(place.phase()))
            takeBegin(place);
        else if (isAsynchronous(place.phase()))
            takeOperation(place);
        else if (place.phase() == 'C')
            takeCounter(place);
        else
            takePoint(place);
    }

    /// Adds the call stack of the current event to its arguments.
    void addStack()
    {
        // An element of "stackFrames" may stand for a long text, which is stored with each event.
        constexpr std::uint64_t Ratio = 16;
        constexpr std::uint64_t Least = std::uint64_t{64} << 20;
        if (m_samples.addStack(m_event, std::max(Least, Ratio * m_text.size()), m_withStack))
            m_event.arguments = m_withStack;
    }

    /// A slice of a thread that has begun and not yet ended.
    struct OpenSlice {
        std::int64_t end = 0;
        std::uint64_t offset = 0; ///< Offset in the text of the event that begins the slice; identifies the slice.
        std::optional<std::int64_t> threadTime; ///< ChromeEvent::threadTime of the event that begins the slice.
        bool isComplete = false; ///< True for a complete event (X), whose end is in m_ends.
    };
    /// End of an open complete event (X). It is written when the reader reaches its time.
    struct ComingEnd {
        std::int64_t time = 0;
        /// Number of the slice in the order in which slices began. Among ends with the same time, the slice that began last (the innermost
        /// one) ends first.
        std::uint64_t number = 0;
        std::uint64_t offset = 0;
        std::uint32_t thread = 0;
        bool operator<(const ComingEnd& other) const { return time != other.time ? time > other.time : number < other.number; }
    };

    std::vector<OpenSlice>& openOf(std::uint32_t thread)
    {
        if (thread >= m_open.size())
            m_open.resize(thread + 1);
        return m_open[thread];
    }

    /// Returns the thread index of the row for a slice: the slice's thread if the slice nests in the thread's open slices; else an
    /// additional row of this thread (ChromeThreads::besides()). Returns NoThread if the slice does not fit on any of 100 additional rows.
    std::uint32_t rowFor(const EventPlace& slice)
    {
        constexpr std::uint32_t MostLevels = 100;
        std::uint32_t thread = slice.thread;
        const auto nests = [&] {
            const auto& open = openOf(thread);
            return open.empty() || slice.end <= open.back().end;
        };
        for (std::uint32_t level = 1; level <= MostLevels && !nests(); ++level) {
            thread = m_threads.besides(slice.thread, level);
            if (level == 1)
                report("overlap", slice.offset(), "a slice overlaps another one of its thread without nesting; it has a row of its own");
        }
        if (nests())
            return thread;
        report("many-overlaps", slice.offset(), "more than 100 slices of a thread overlap without nesting; further ones are missing");
        return NoThread;
    }

    void takeBegin(const EventPlace& slice)
    {
        const std::uint32_t thread = rowFor(slice);
        if (thread != slice.thread)
            m_moved[slice.offset()] = thread;
        if (thread == NoThread)
            return;
        const TrackPlace place{m_threads.contextOf(thread)};
        m_writer.beginSlice(slice.time, place, {m_event.name, m_event.category, m_event.arguments, {}},
                            slice.phase() == 'X' ? m_event.threadDuration : std::nullopt);
        if (!m_event.bindId.empty() && (m_event.isFlowIn || m_event.isFlowOut)) {
            const FlowPhase phase = !m_event.isFlowIn ? FlowPhase::Begin : m_event.isFlowOut ? FlowPhase::Step : FlowPhase::End;
            m_writer.addFlow(slice.time, place, {phase, {}, {}, m_event.bindId, false});
        }
        if (slice.phase() == 'X' && slice.end <= slice.time) {
            m_writer.endSlice(slice.end, place);
            return;
        }
        openOf(thread).push_back({slice.end, slice.offset(), m_event.threadTime, slice.phase() == 'X'});
        // The end of an outer slice also ends the slices in it that have no end of their own, unless they are on another row.
        if (slice.phase() == 'X' || (thread != slice.thread && std::ranges::binary_search(m_withoutEnd, slice.offset())))
            m_ends.push({slice.end, m_slices++, slice.offset(), thread});
    }

    /// Writes the ends of the open complete events (X) that end at or before `time` in ns.
    void endSlices(std::int64_t time)
    {
        while (!m_ends.empty() && m_ends.top().time <= time) {
            const ComingEnd end = m_ends.top();
            m_ends.pop();
            if (close(end.thread, end.offset))
                m_writer.endSlice(end.time, {m_threads.contextOf(end.thread)});
        }
    }

    void takeEnd(const EventPlace& place)
    {
        const auto begin = static_cast<std::uint64_t>(place.end);
        const auto moved = m_moved.find(begin);
        const std::uint32_t thread = moved == m_moved.end() ? place.thread : moved->second;
        if (thread == NoThread)
            return;
        auto& open = openOf(thread);
        // Complete events in the slice that end at the same time end before it.
        while (!open.empty() && open.back().offset != begin && open.back().isComplete && open.back().end == place.time) {
            open.pop_back();
            m_writer.endSlice(place.time, {m_threads.contextOf(thread)});
        }
        const bool isInnermost = !open.empty() && open.back().offset == begin;
        const auto slice = close(thread, begin);
        if (!slice)
            return;
        parse(place.offset(), place.size);
        std::optional<std::int64_t> cpuTime;
        if (std::int64_t used = 0;
            slice->threadTime && m_event.threadTime && !__builtin_sub_overflow(*m_event.threadTime, *slice->threadTime, &used) && used >= 0)
            cpuTime = used;
        m_writer.endSlice(place.time, {m_threads.contextOf(thread)}, m_event.arguments, isInnermost ? std::string_view() : m_event.name,
                          cpuTime);
    }

    /// Removes the slice that begins at `offset`, and the slices in it, from the open slices of `thread`. Returns nullopt if it is not
    /// open. The slice is not always the innermost one, because slices without an end of their own stay open.
    std::optional<OpenSlice> close(std::uint32_t thread, std::uint64_t offset)
    {
        auto& open = openOf(thread);
        const auto own = std::find_if(open.rbegin(), open.rend(), [&](const OpenSlice& it) { return it.offset == offset; });
        if (own == open.rend())
            return {};
        const OpenSlice closed = *own;
        open.erase(std::prev(own.base()), open.end());
        return closed;
    }

    void takeOperation(const EventPlace& place)
    {
        if (place.phase() == 'T' || place.phase() == 'p')
            m_parser.parseArguments(m_event, m_arguments);
        else
            m_arguments.step.clear();
        m_operations.take(place.time, place.thread, m_event, m_arguments.step);
    }

    void takeCounter(const EventPlace& place)
    {
        if (!m_parser.parseArguments(m_event, m_arguments))
            return;
        std::string name(m_event.name);
        if (!m_event.id.empty())
            (name += ' ') += m_event.id;
        for (const ChromeNumber& number : m_arguments.numbers) {
            TrackCounter counter;
            counter.name = name;
            counter.series = number.name == "value" ? std::string_view() : std::string_view(number.name);
            counter.isReal = m_realCounters.contains(counterKey(place.thread, number.name));
            counter.integer = number.integer;
            counter.real = number.isReal ? number.real : static_cast<double>(number.integer);
            m_writer.addCounter(place.time, TrackScope::Process, {m_threads.contextOf(place.thread)}, counter);
        }
        if (m_arguments.numbers.empty())
            report("no-values", place.offset(), "a counter (C) has no argument that is a number");
    }

    void takePoint(const EventPlace& place)
    {
        const TrackPlace thread{m_threads.contextOf(place.thread)};
        const SliceTexts texts{m_event.name, m_event.category, m_event.arguments, m_event.id};
        const auto addFlow = [&](FlowPhase phase) {
            m_writer.addFlow(place.time, thread, {phase, m_event.category, m_event.name, m_event.id, place.isFlowToNext()});
        };
        switch (place.phase()) {
        case 'i':
        case 'I':
        case 'R': {
            const TrackScope scope = m_event.scope == 'g' ? TrackScope::Global
                : m_event.scope == 'p'                    ? TrackScope::Process
                                                          : TrackScope::Thread;
            return m_writer.addInstant(place.time, scope, thread, texts);
        }
        case 's': return addFlow(FlowPhase::Begin);
        case 't': return addFlow(FlowPhase::Step);
        case 'f': return addFlow(FlowPhase::End);
        default: return addOther(place, thread.context);
        }
    }

    /// Adds a sample (P), or an event that no row shows: a sample without a call stack, a clock synchronization (c) or a memory dump (v,
    /// V).
    void addOther(const EventPlace& place, const TrackContext& context)
    {
        if (place.phase() == 'P' && m_samples.take(place.time, place.thread, m_event))
            return;
        const char* const name = place.phase() == 'P' ? "sample" : place.phase() == 'c' ? "clock_sync" : "memory_dump";
        if (place.phase() == 'v' || place.phase() == 'V')
            report("memory-dump", place.offset(), "a memory dump (v, V) is shown as an event only", Diagnostic::Severity::Info);
        m_fields.assign(1, {"name", m_event.name});
        m_fields.push_back({"cat", m_event.category});
        m_fields.push_back({"args", m_event.arguments});
        m_fields.push_back({"id", m_event.id});
        m_writer.addOther(place.time, context, name, m_fields);
    }

    static constexpr std::uint32_t NoThread = ~0U;

    const std::string_view m_text;
    std::string m_file;
    std::unique_ptr<StoredRecording> m_recording;
    TrackEventWriter m_writer;
    ChromeEventParser m_parser;
    ChromeThreads m_threads;
    ChromeOperations m_operations;
    ChromeSamples m_samples;
    std::vector<std::pair<std::string, std::string>> m_facts;
    std::vector<EmbeddedText> m_embedded;
    std::vector<EventPlace> m_places;
    /// Keys (counterKey()) of the counter series that have at least one value that is no integer.
    std::unordered_set<std::string> m_realCounters;
    std::vector<std::vector<OpenSlice>> m_open; ///< Open slices of each thread, outermost first; indexed by thread.
    std::priority_queue<ComingEnd> m_ends; ///< Ends of the open complete events (X); the earliest one is on top.
    std::uint64_t m_slices = 0; ///< Number of complete events (X) that have begun so far.
    /// Slices (B) that end with the named end of an outer slice; each is the offset of the event that begins the slice. Ascending.
    std::vector<std::uint64_t> m_withoutEnd;
    /// Row (thread index) of each slice that is not on the row of its own thread, keyed by the offset of the event that begins it; NoThread
    /// if the slice has no row and is left out.
    std::unordered_map<std::uint64_t, std::uint32_t> m_moved;
    ChromeEvent m_event; ///< The current event.
    std::string m_withStack; ///< Arguments of the current event if they contain its call stack.
    ChromeArguments m_arguments; ///< Arguments of the current event that the trace format defines; valid only after parseArguments().
    std::vector<StoredField> m_fields; ///< Fields of the current event.
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
        if (parser.parse(object, 0, event) && isPhase(event.phase))
            return true;
    return false;
}

Result<ChromeTrace> readChromeJson(std::string_view text, const std::string& file, const std::stop_token& stop)
{
    return Reader(text, file).read(stop);
}

} // namespace helio::chromejson
