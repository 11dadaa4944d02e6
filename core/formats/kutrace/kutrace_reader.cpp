#include "core/formats/kutrace/kutrace_reader.h"

#include "core/formats/kutrace/cpu_spans.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

namespace helio::kutrace {
namespace {

constexpr char HasThread = 1; ///< Bit flag in NewEvent::variant: the event belongs to a thread.
constexpr char IsSample = 2; ///< The event is a PC sample: its context begins with the process ID, which KUtrace does not record.

EventType makeType(const NewEvent& event, std::span<const StoredField> fields)
{
    EventType type;
    type.name = event.name;
    const bool hasThread = (event.variant & HasThread) != 0;
    std::vector<Member> context;
    std::vector<Member> members;
    if ((event.variant & IsSample) != 0) {
        context.push_back({"", makeStoredInteger(32, true), true});
        members = makeSampleMembers(false);
    }
    context.push_back({hasThread ? "tid" : "", makeStoredInteger(32, true), !hasThread});
    std::ranges::move(makeStoredMembers(fields), std::back_inserter(members));
    type.streamContext = makeStoredStruct(std::move(context));
    type.payload = makeStoredStruct(std::move(members));
    return type;
}

bool isPcSample(std::int32_t event) { return event == code::SampleUser || event == code::SampleKernel; }

/// Returns the function in the name of a PC sample, e.g. "memcpy" in "PC=memcpy". If KUtrace's tool samptoname did not find the symbol, the
/// name has the address of the code, with 12 or more hexadecimal digits, which is returned as "0x...".
std::string sampledFunctionIn(std::string_view name)
{
    constexpr std::string_view Prefix = "PC=";
    constexpr std::size_t FewestDigits = 12;
    if (name.starts_with(Prefix))
        name.remove_prefix(Prefix.size());
    if (name.size() < FewestDigits || name.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
        return std::string(name);
    const std::size_t first = std::min(name.find_first_not_of('0'), name.size() - 1);
    return "0x" + std::string(name.substr(first));
}

/// Returns true if the row marks the end of all rows: it begins at 999 s, and has the event number 0 and no name.
bool isEndRow(const Row& row, std::string_view name)
{
    return row.begin == std::int64_t{999} * 1'000'000'000 && row.event == 0 && name.empty();
}

/// Removes the thread ID from the name that KUtrace gives to a thread: "bash.8292" becomes "bash".
std::string_view threadNameIn(std::string_view name, std::int32_t tid)
{
    const std::string number = '.' + std::to_string(tid);
    return name.ends_with(number) ? name.substr(0, name.size() - number.size()) : name;
}

/// Returns the result of a system call with its sign. KUtrace stores only the low 16 bits: the error -2 is stored as 65534.
std::int64_t resultOf(std::int64_t stored)
{
    constexpr std::int64_t Values = 1 << 16;
    constexpr std::int64_t LargestError = 4095; // Value of MAX_ERRNO in the kernel's include/linux/err.h.
    return stored >= Values - LargestError && stored < Values ? stored - Values : stored;
}

/// Returns true if KUtrace computed the rows with this event number for its drawing. The CPUs and threads in these rows have no meaning.
bool isDrawnAfterwards(std::int32_t event)
{
    return event == code::MessageReceived || event == code::MessageSent || event == code::LeftMark || event == code::RightMark;
}

class Reader final : private SpanEvents {
public:
    Reader(std::string_view text, const std::string& file)
        : m_json(timelineIn(text))
        , m_parser(m_texts)
        , m_spans(*this)
    {
        m_read.recording = std::make_unique<StoredRecording>(file, makeType);
    }

    Result<TimelineFile> read(const std::stop_token& stop)
    {
        if (auto done = collect(stop); !done)
            return done.error();
        if (m_rows.empty())
            return Error{Error::Kind::Corrupt, "the text has no rows of KUtrace"};
        std::ranges::stable_sort(m_rows, {}, &Row::begin);
        collectNamesAndWaits();
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (i % 4096 == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            take(m_rows[i]);
        }
        end();
        m_read.recording->finish();
        return std::move(m_read);
    }

private:
    void report(const char* kind, std::uint64_t offset, const std::string& what,
                Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        const std::string_view before = m_json.substr(0, offset);
        const bool isFirst = m_reported.insert(kind).second;
        const auto line = isFirst ? static_cast<std::uint64_t>(std::ranges::count(before, '\n')) + 1 : 0;
        m_read.recording->events.report(kind, line, offset, what, severity);
    }

    Status collect(const std::stop_token& stop)
    {
        const TimelineParts parts = findParts(m_json);
        if (parts.header.empty())
            return Error{Error::Kind::Corrupt, "the text is no timeline of KUtrace: \"events\" is missing"};
        m_read.header = parseHeader(parts.header);
        if (m_read.header.empty())
            report("header", 0, "the members before \"events\" are damaged");
        RowSplitter splitter(m_json, parts.events);
        std::string_view text;
        Row row;
        bool hasCodes = false;
        for (std::uint64_t count = 0; splitter.next(text, row.offset); ++count) {
            if (count % 4096 == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            const std::size_t offset = row.offset;
            if (text.empty() || !m_parser.parse(text, row)) {
                report("bad-row", offset, "not a row of KUtrace, e.g. [1.5, 0.1, 0, 100, 0, 2048, 0, 0, 0, \"read\"]");
                continue;
            }
            row.offset = offset;
            if (isEndRow(row, m_texts.at(row.name)))
                continue;
            hasCodes = hasCodes || row.ipc != 0;
            m_read.hasIpc = m_read.hasIpc || m_parser.hasIpc();
            m_rows.push_back(row);
        }
        if (splitter.isCut())
            report("truncated", m_json.size(), "the text ends before the end of the rows", Diagnostic::Severity::Error);
        m_read.hasIpc = m_read.hasIpc && (hasCodes || saysIpc());
        return Done{};
    }

    /// Returns true if the header says that KUtrace recorded instructions per cycle.
    bool saysIpc() const
    {
        constexpr int IpcFlag = 0x80;
        const auto flags = std::ranges::find(m_read.header, "flags", [](const auto& it) { return std::string_view(it.first); });
        int number = 0;
        if (flags != m_read.header.end())
            std::from_chars(flags->second.data(), flags->second.data() + flags->second.size(), number);
        return (number & IpcFlag) != 0;
    }

    /// Collects the first name of each thread, and the begin of each wait for a CPU.
    void collectNamesAndWaits()
    {
        for (const Row& row : m_rows) {
            if (row.event == code::WaitCpu)
                m_cpuWaits.emplace_back(row.pid, row.begin);
            else if (levelOf(row.event) == Level::User)
                m_names.try_emplace(row.pid, row.name);
        }
        std::ranges::sort(m_cpuWaits);
    }

    void take(const Row& row)
    {
        const Level level = row.cpu >= 0 ? levelOf(row.event) : Level::None;
        if (level == Level::User)
            m_names[row.pid] = row.name;
        if (level != Level::None && !m_spans.take(row, level))
            report("overlap", row.offset, "a span begins before the preceding span of its CPU ends; it is not part of the states");
        addRow(row, level);
    }

    /// Stores the row itself as an event, e.g. as "kutrace:span".
    void addRow(const Row& row, Level level)
    {
        m_fields.clear();
        if (row.event == code::Wakeup) {
            addInteger("tid", row.arg);
            return add("sched_waking", row.begin, row.cpu, row.pid);
        }
        if (row.event == code::Frequency) {
            addInteger("state", row.arg * 1000);
            addInteger("cpu_id", row.cpu);
            return add("power_cpu_frequency", row.begin, row.cpu, -1); // The row's PID does not name the thread on the CPU.
        }
        m_fields.push_back({"name", m_texts.at(row.name)});
        addInteger("event", row.event);
        const bool isWait = row.event >= code::WaitA && row.event <= code::WaitZ;
        if (isWait)
            m_fields.push_back({"reason", waitReasonOf(row.event)});
        addInteger("duration", row.duration);
        if (row.event >= code::LockTry && row.event <= code::LockRelease) {
            addInteger("lock_addr", row.arg & 0xffffffff);
        } else if (!isWait) {
            addInteger("arg", row.arg);
            addInteger("retval", row.result);
        }
        addInteger("rpc", row.rpc);
        if (level != Level::None && m_read.hasIpc)
            addInteger("ipc", row.ipc);
        if (isPcSample(row.event))
            return addPcSample(row);
        const bool hasPlace = !isDrawnAfterwards(row.event);
        add(level != Level::None ? std::string_view("kutrace:span") : eventNameOf(row.event), row.begin, hasPlace ? row.cpu : -1,
            hasPlace ? row.pid : -1);
    }

    /// Stores a row as a sample of the thread on the CPU, with the fields in m_fields. The row lasts from the CPU's preceding sample to the
    /// sample itself.
    void addPcSample(const Row& row)
    {
        m_lastTime = std::max(m_lastTime, row.end());
        m_head.clear();
        appendNumber(std::int32_t{-1}, m_head);
        appendNumber(row.pid, m_head);
        const auto variant = static_cast<char>(IsSample | (row.pid >= 0 ? HasThread : 0));
        SampleEvent* const kind =
            m_read.recording->addSample({eventNameOf(row.event), variant, row.end(), row.cpu, m_head, {}}, {1, stackOf(row)}, m_fields);
        if (!kind)
            return reportManyTypes();
        kind->name = "pc-samples"; // The two event types, for user and kernel code, are one kind of samples.
        kind->isCounted = true;
        ++kind->counted;
    }

    /// Returns the call stack of a PC sample, which has one frame.
    std::uint32_t stackOf(const Row& row)
    {
        const auto [known, isNew] = m_sampleStacks.try_emplace({row.event, row.name}, 0);
        if (isNew) {
            ParsedFrame frame;
            const std::string function = sampledFunctionIn(m_texts.at(row.name));
            frame.function = function;
            const bool isKernel = row.event == code::SampleKernel;
            frame.module = isKernel ? "[kernel]" : "[user]";
            TextStacks& stacks = m_read.recording->stacks;
            bool isCut = false;
            known->second = stacks.call(0, stacks.addFrame(frame, isKernel ? Module::Kind::Kernel : Module::Kind::File), isCut);
            if (isCut)
                report("many-stacks", row.offset, "too many different functions in PC samples; further ones are missing");
        }
        return known->second;
    }

    void reportManyTypes() { report("many-types", 0, "too many kinds of events; events of further kinds are missing"); }

    /// Stores an event at the end of the last CPU span, so that the trace does not end before it.
    void end()
    {
        if (m_spans.end() > m_lastTime) {
            m_fields.clear();
            add("kutrace:end", m_spans.end(), -1, -1);
        }
        m_spans.finish(m_lastTime);
    }

    void addInteger(std::string_view name, std::int64_t number)
    {
        StoredField field{name, {}};
        field.kind = StoredField::Kind::Integer;
        field.number = number;
        m_fields.push_back(field);
    }

    void add(std::string_view name, std::int64_t time, std::int32_t cpu, std::int32_t tid)
    {
        m_lastTime = std::max(m_lastTime, time);
        m_head.clear();
        appendNumber(tid, m_head);
        const char variant = tid >= 0 ? HasThread : '\0';
        if (m_read.recording->events.add({name, variant, time, cpu, m_head, {}}, m_fields) == StoredEvents::NoType)
            reportManyTypes();
    }

    std::string nameOf(std::int32_t tid, std::int32_t cpu) const
    {
        if (tid == 0)
            return "swapper/" + std::to_string(cpu);
        const auto known = m_names.find(tid);
        return known == m_names.end() ? std::string() : std::string(threadNameIn(m_texts.at(known->second), tid));
    }

    /// Returns true if the thread `tid` begins to wait for a CPU at `time` (in ns) or up to 20 ns later.
    bool waitsForCpu(std::int32_t tid, std::int64_t time) const
    {
        constexpr std::int64_t Late = 20; // Tolerance in ns: KUtrace lets a wait begin 10 ns after the thread's last CPU span.
        const auto wait = std::ranges::lower_bound(m_cpuWaits, std::pair(tid, time));
        return wait != m_cpuWaits.end() && wait->first == tid && wait->second <= time + Late;
    }

    void addSwitch(std::int64_t time, std::int32_t cpu, std::int32_t prev, std::int32_t next) override
    {
        const std::string prevName = nameOf(prev, cpu);
        const std::string nextName = nameOf(next, cpu);
        m_fields.clear();
        m_fields.push_back({"prev_comm", prevName});
        addInteger("prev_tid", prev);
        m_fields.push_back({"prev_state", prev == 0 || waitsForCpu(prev, time) ? "R" : ""});
        m_fields.push_back({"next_comm", nextName});
        addInteger("next_tid", next);
        add("sched_switch", time, cpu, prev);
    }

    void addEntry(const Row& row, Level level) override
    {
        m_fields.clear();
        if (level == Level::Syscall)
            addInteger("arg", row.arg);
        addRoutine(row.begin, row, level, true);
    }

    void addExit(std::int64_t time, const Row& row, Level level, bool hasResult) override
    {
        m_fields.clear();
        if (level == Level::Syscall && hasResult)
            addInteger("ret", resultOf(row.result));
        addRoutine(time, row, level, false);
    }

    void addRoutine(std::int64_t time, const Row& row, Level level, bool isEntry)
    {
        const std::string_view name = m_texts.at(row.name);
        if (level == Level::Syscall) {
            m_name = isEntry ? "syscall_entry_" : "syscall_exit_";
            m_name += name;
        } else if (level == Level::Softirq) {
            m_name = isEntry ? "softirq_entry" : "softirq_exit";
            addInteger("vec", row.arg);
        } else if (level == Level::Trap) {
            m_name = name == "page_fault" ? name : std::string_view("trap");
            m_name += isEntry ? "_entry" : "_exit";
            addInteger("trap", row.event & 0xff);
            m_fields.push_back({"name", name});
        } else if (const std::string_view vector = vectorNameOf(name); !vector.empty()) {
            m_name = vector;
            m_name += isEntry ? "_entry" : "_exit";
            addInteger("vector", row.event & 0xff);
        } else {
            m_name = isEntry ? "irq_handler_entry" : "irq_handler_exit";
            addInteger("irq", row.event & 0xff);
            m_fields.push_back({"name", name});
        }
        add(m_name, time, row.cpu, row.pid);
    }

    void addGap(std::int64_t begin, std::int64_t end, std::int32_t cpu) override
    {
        Loss loss;
        loss.range = {hostTime(begin), hostTime(end)};
        loss.cpu = cpu;
        m_read.recording->losses.push_back(loss);
    }

    const std::string_view m_json;
    TimelineFile m_read;
    RowTexts m_texts;
    RowParser m_parser;
    CpuSpans m_spans;
    std::vector<Row> m_rows; ///< Rows of the file; read() sorts them by begin.
    std::set<std::string_view> m_reported; ///< Kinds of the diagnostics that were reported so far.
    /// Current name of each thread as an index into m_texts, keyed by thread ID. Until a row names the thread, the name is its first name
    /// in the file.
    std::unordered_map<std::int32_t, std::uint32_t> m_names;
    std::vector<std::pair<std::int32_t, std::int64_t>> m_cpuWaits; ///< Thread ID and begin in ns of each wait for a CPU; sorted.
    std::map<std::pair<std::int32_t, std::uint32_t>, std::uint32_t> m_sampleStacks; ///< Stacks of PC samples by Row::event and Row::name.
    std::vector<StoredField> m_fields; ///< Fields of the event that is being added.
    std::string m_name; ///< Name of the event that is being added.
    std::vector<std::byte> m_head;
    std::int64_t m_lastTime = 0; ///< Time of the latest event in ns.
};

} // namespace

bool isTimeline(std::string_view head)
{
    const std::string_view json = timelineIn(head);
    const TimelineParts parts = findParts(json);
    if (parts.header.empty())
        return false;
    constexpr int Tried = 100;
    RowSplitter splitter(json, parts.events);
    RowTexts texts;
    RowParser parser(texts);
    std::string_view text;
    std::size_t offset = 0;
    Row row;
    for (int i = 0; i < Tried && splitter.next(text, offset); ++i) // Several rows are tried, because the first ones may be damaged.
        if (!text.empty() && parser.parse(text, row))
            return true;
    return false;
}

Result<TimelineFile> readTimeline(std::string_view text, const std::string& file, const std::stop_token& stop)
{
    return Reader(text, file).read(stop);
}

} // namespace helio::kutrace
