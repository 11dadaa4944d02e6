#pragma once

// KernelScript: a kernel trace that a test writes event by event, and the results of the kernel analysis as text.

#include "core/analysis/analysis.h"
#include "core/store/store.h"
#include "tests/support/indexed.h"
#include "tests/support/made_trace.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace helio::test {

using Value = std::variant<std::int64_t, std::string, double>;

/// Name and value of a field. A name that begins with '$' is a field of the event's context.
struct Field {
    template <std::integral Number>
    Field(std::string n, Number v)
        : name(std::move(n))
        , value(static_cast<std::int64_t>(v))
    {
    }
    Field(std::string n, double v)
        : name(std::move(n))
        , value(v)
    {
    }
    Field(std::string n, const char* v)
        : name(std::move(n))
        , value(std::string(v))
    {
    }
    std::string name;
    Value value;
};
using Fields = std::vector<Field>;

/// A synthetic trace of events in time order. Requires: all events of one name have the same fields in the same order.
class KernelScript : public MadeTrace {
public:
    explicit KernelScript(std::string release = "6.1.0-50-amd64") { m_info.environment.emplace_back("kernel_release", release); }

    KernelScript& event(std::int64_t time, int cpu, const std::string& name, const Fields& fields = {})
    {
        Event& event = m_events.emplace_back();
        event.record.time = hostTime(time);
        event.record.cpu = cpu;
        event.record.type = typeOf(name, fields);
        pack(event, fields, true);
        event.record.payloadOffset = static_cast<std::uint32_t>(event.bytes.size() * 8);
        pack(event, fields, false);
        return *this;
    }

    /// Declares an event type without adding an event.
    KernelScript& declare(const std::string& name, const Fields& fields = {})
    {
        typeOf(name, fields);
        return *this;
    }

    KernelScript& loss(int cpu, std::int64_t begin, std::int64_t end)
    {
        Loss loss;
        loss.range = {hostTime(begin), hostTime(end)};
        loss.events = 1;
        loss.cpu = cpu;
        m_losses.push_back(loss);
        return *this;
    }

    KernelScript& environment(const std::string& name, const std::string& value)
    {
        m_info.environment.emplace_back(name, value);
        return *this;
    }

    KernelScript& of(RecordingScope part)
    {
        m_info.part = std::move(part);
        return *this;
    }

    /// Gives the CPU's events their own stream, whose first packet begins at `begin`.
    KernelScript& stream(int cpu, std::int64_t begin)
    {
        StreamInfo& stream = m_streams.emplace_back();
        stream.cpu = cpu;
        stream.packets.emplace_back().range = HostRange{hostTime(begin), hostTime(begin + 1)};
        return *this;
    }

    // Functions that add the most common events, with the names of LTTng 2.7 and later.

    KernelScript& sw(std::int64_t time, int cpu, std::int64_t prev, std::int64_t state, std::int64_t next)
    {
        const auto name = [](std::int64_t tid) { return tid == 0 ? std::string("swapper/0") : "t" + std::to_string(tid); };
        return event(time, cpu, "sched_switch",
                     {{"prev_comm", name(prev).c_str()},
                      {"prev_tid", prev},
                      {"prev_prio", 20},
                      {"prev_state", state},
                      {"next_comm", name(next).c_str()},
                      {"next_tid", next},
                      {"next_prio", 20}});
    }
    KernelScript& waking(std::int64_t time, int cpu, std::int64_t tid, int target) { return wake("sched_waking", time, cpu, tid, target); }
    KernelScript& wakeup(std::int64_t time, int cpu, std::int64_t tid, int target) { return wake("sched_wakeup", time, cpu, tid, target); }
    KernelScript& wake(const char* event_, std::int64_t time, int cpu, std::int64_t tid, int target)
    {
        return event(time, cpu, event_,
                     {{"comm", ("t" + std::to_string(tid)).c_str()}, {"tid", tid}, {"prio", 20}, {"target_cpu", target}});
    }
    KernelScript& call(std::int64_t time, int cpu, const std::string& name)
    {
        return event(time, cpu, "syscall_entry_" + name, {{"fd", 1}});
    }
    KernelScript& ret(std::int64_t time, int cpu, const std::string& name)
    {
        return event(time, cpu, "syscall_exit_" + name, {{"ret", 0}});
    }
    KernelScript& fork(std::int64_t time, int cpu, std::int64_t parent, std::int64_t child, std::int64_t process)
    {
        return event(time, cpu, "sched_process_fork",
                     {{"parent_comm", ("t" + std::to_string(parent)).c_str()},
                      {"parent_tid", parent},
                      {"parent_pid", parent},
                      {"child_comm", ("t" + std::to_string(parent)).c_str()},
                      {"child_tid", child},
                      {"child_pid", process}});
    }
    KernelScript& dump(std::int64_t time, std::int64_t tid, std::int64_t pid, std::int64_t ppid, int type, int status)
    {
        return event(time, 0, "lttng_statedump_process_state",
                     {{"tid", tid},
                      {"pid", pid},
                      {"ppid", ppid},
                      {"name", ("t" + std::to_string(tid)).c_str()},
                      {"type", type},
                      {"status", status},
                      {"cpu", 0}});
    }
    KernelScript& irq(std::int64_t time, int cpu, const char* what, int number, const char* name = "eth0")
    {
        const std::string event_ = std::string("irq_handler_") + what;
        return event_ == "irq_handler_entry" ? event(time, cpu, event_, {{"irq", number}, {"name", name}})
                                             : event(time, cpu, event_, {{"irq", number}, {"ret", 1}});
    }
    KernelScript& softirq(std::int64_t time, int cpu, const char* what, int vector)
    {
        return event(time, cpu, std::string("irq_softirq_") + what, {{"vec", vector}});
    }

    /// Times at which the script reports a gap of lost events to the analysis: at the gap's beginning and end, or only at its end, like a
    /// reader that cannot look ahead.
    enum class Gaps { ReportedAtBegin, ReportedAtEnd };

    /// Runs the analysis `kind`. `end`: end of the trace, by default the time of the last event. `needed`: stores of the analyses that
    /// `kind` needs and uses.
    void run(std::int64_t end = -1, Gaps gaps = Gaps::ReportedAtBegin, const AnalysisKind& kind = analysisOf("kernel"),
             const std::vector<std::shared_ptr<const Store>>& needed = {}, const std::vector<ThreadEnd>& ends = {})
    {
        const HostTimestamp first = m_events.empty() ? HostTimestamp() : m_events.front().record.time;
        auto builder = makeMemoryStoreBuilder(first);
        const auto analysis = kind.make({*this, needed, ends}, *builder);
        analysis->begin(first);
        HostTimestamp before = HostTimestamp::min();
        const auto reportLosses = [&](HostTimestamp now) {
            for (const Loss& loss : m_losses) {
                if (gaps == Gaps::ReportedAtBegin && before <= loss.range.begin && loss.range.begin < now)
                    analysis->onLossBegin(loss);
            }
            for (const Loss& loss : m_losses) {
                if (before < loss.range.end && loss.range.end <= now)
                    analysis->onLoss(loss);
            }
            before = now;
        };
        for (const Event& event : m_events) {
            reportLosses(event.record.time);
            analysis->onEvents({{&event.record, 1}, {event.bytes.data(), event.bytes.size() * 8, 0}, streamOf(event.record.cpu)});
        }
        reportLosses(HostTimestamp::max());
        StoreSummary summary;
        summary.events = m_events.size();
        summary.range = {first, end >= 0 ? hostTime(end) : m_events.empty() ? first : m_events.back().record.time};
        analysis->finish(summary.range.end);
        summary.anomalies = analysis->diagnostics();
        m_store = *builder->finish(summary);
    }

    /// Runs the kernel analysis on batches of up to 50 events, as a reader returns them. Requires: no losses. With `isOrdered` false, the
    /// batches count as unordered, and the analysis processes each event by itself.
    void runTogether(bool isOrdered)
    {
        const HostTimestamp first = m_events.front().record.time;
        auto builder = makeMemoryStoreBuilder(first);
        const auto analysis = analysisOf("kernel").make({*this}, *builder);
        analysis->begin(first);
        for (std::size_t i = 0; i < m_events.size();) {
            std::vector<std::byte> bytes;
            std::vector<EventRecord> records;
            for (; i < m_events.size() && records.size() < 50; ++i) {
                records.push_back(m_events[i].record);
                records.back().headerBit = bytes.size() * 8;
                bytes.insert(bytes.end(), m_events[i].bytes.begin(), m_events[i].bytes.end());
            }
            analysis->onEvents({records, {bytes.data(), bytes.size() * 8, 0}, 0, isOrdered});
        }
        StoreSummary summary;
        summary.range = {first, m_events.back().record.time};
        analysis->finish(summary.range.end);
        m_store = *builder->finish(summary);
    }

    // Results, valid after run():

    const Store& store() const { return *m_store; }
    std::shared_ptr<const Store> sharedStore() const { return m_store; }

    const Track* row(const std::string& key) const
    {
        for (const Track& track : m_store->tracks()) {
            if (track.key == key && !track.view.empty())
                return &track;
        }
        return nullptr;
    }

    /// States of a row as text: "unknown 0-10, running-syscall(read) 10-20"; empty if the row does not exist.
    std::string states(const std::string& key) const
    {
        for (std::size_t i = 0; i < m_store->tracks().size(); ++i) {
            if (m_store->tracks()[i].key == key && !m_store->tracks()[i].view.empty())
                return describe(static_cast<TrackId>(i));
        }
        return {};
    }

    /// Innermost function of a stack: its recorded name; module path and address if it has no name.
    std::string function(StackId stack) const
    {
        const StackFrame frame = m_store->stacks().nodes()[static_cast<std::size_t>(stack)].frame();
        const auto module = static_cast<std::size_t>(frame.module);
        if (module != 0 && m_store->modules()[module].names)
            return std::string(m_store->modules()[module].names->at(frame.address).function);
        return (module != 0 ? m_store->modules()[module].path + "+" : std::string()) + std::to_string(frame.address);
    }

    /// Values of a row's attribute as text: "sh 0-10, ls 10-20".
    std::string attribute(const std::string& key, const std::string& kind) const
    {
        const auto tracks = m_store->tracks();
        for (std::size_t i = 0; i < tracks.size(); ++i) {
            if (tracks[i].kind == kind && tracks[i].view.empty() && keyOf(tracks[i].parent) == key)
                return describe(static_cast<TrackId>(i));
        }
        return {};
    }

    /// Links of a kind as text, one a line: "wakeup cpu:0>tid:2 10-10 cpu 0 (eth0) target 1 ran 2".
    std::string links(LinkKind kind) const
    {
        constexpr std::array Words{"wakeup", "sched", "migration", "packet"};
        std::string text;
        for (const Link& link : m_store->links({hostTime(-1), hostTime(1'000'000'000)})) {
            if (link.kind != kind)
                continue;
            text += text.empty() ? "" : "\n";
            text += std::string(Words[static_cast<std::size_t>(kind)]) + " " + keyOf(link.from) + ">" + keyOf(link.to) + " "
                + std::to_string(nanoseconds(link.fromTime)) + "-" + std::to_string(nanoseconds(link.toTime)) + " cpu "
                + std::to_string(link.cpu);
            if (link.detail != StringId{})
                text += " (" + std::string(m_store->text(link.detail)) + ")";
            if (link.targetCpu != NoCpu)
                text += " target " + std::to_string(link.targetCpu);
            if (link.ranOn != NoCpu)
                text += " ran " + std::to_string(link.ranOn);
        }
        return text;
    }

    std::string keyOf(TrackId id) const { return id == NoTrack ? "none" : m_store->tracks()[static_cast<std::size_t>(id)].key; }

private:
    std::uint32_t streamOf(int cpu) const
    {
        const auto own = std::ranges::find_if(m_streams, [cpu](const StreamInfo& stream) { return stream.cpu == cpu; });
        return static_cast<std::uint32_t>(own - m_streams.begin());
    }

    struct Event {
        EventRecord record;
        std::vector<std::byte> bytes;
    };

    static bool isContext(const Field& field) { return field.name.starts_with('$'); }

    static FieldTypePtr structOf(const Fields& fields, bool context)
    {
        StructType members;
        for (const Field& field : fields) {
            if (isContext(field) != context)
                continue;
            FieldType type;
            type.alignment = 8;
            if (std::holds_alternative<std::string>(field.value)) {
                type.shape = StringType{};
            } else if (std::holds_alternative<double>(field.value)) {
                type.shape = FloatType{};
            } else {
                IntegerType integer;
                integer.bits = 64;
                integer.isSigned = true;
                type.shape = integer;
            }
            const std::string name = context ? field.name.substr(1) : field.name;
            members.members.push_back({name, std::make_shared<const FieldType>(std::move(type))});
        }
        return members.members.empty() ? nullptr : std::make_shared<const FieldType>(FieldType{8, std::move(members)});
    }

    EventTypeId typeOf(const std::string& name, const Fields& fields)
    {
        const auto known = m_typeByName.find(name);
        if (known != m_typeByName.end())
            return known->second;
        EventType type;
        type.name = name;
        type.eventContext = structOf(fields, true);
        type.payload = structOf(fields, false);
        return m_typeByName[name] = m_types.add(std::move(type));
    }

    static void pack(Event& event, const Fields& fields, bool context)
    {
        const auto append = [&](const void* data, std::size_t size) {
            const auto* bytes = static_cast<const std::byte*>(data);
            event.bytes.insert(event.bytes.end(), bytes, bytes + size);
        };
        for (const Field& field : fields) {
            if (isContext(field) != context)
                continue;
            if (const auto* text = std::get_if<std::string>(&field.value))
                append(text->c_str(), text->size() + 1);
            else if (const auto* real = std::get_if<double>(&field.value))
                append(real, 8);
            else
                append(&std::get<std::int64_t>(field.value), 8);
        }
    }

    std::string describe(TrackId id) const
    {
        const Track& track = m_store->tracks()[static_cast<std::size_t>(id)];
        std::string text;
        for (const HostInterval& interval : m_store->intervals(id, {hostTime(-1), hostTime(1'000'000'000)})) {
            const std::string range =
                std::to_string(nanoseconds(interval.range.begin)) + "-" + std::to_string(nanoseconds(interval.range.end));
            text += text.empty() ? "" : ", ";
            text += word(track, interval) + " " + range;
        }
        return text;
    }

    std::string word(const Track& track, const HostInterval& interval) const
    {
        const std::string value(m_store->text(static_cast<StringId>(interval.value)));
        if (track.view.empty() || track.valueKind == ValueKind::Number)
            return track.valueKind == ValueKind::Number ? std::to_string(static_cast<std::int32_t>(interval.value)) : value;
        const auto& states = m_store->stateSets()[static_cast<std::size_t>(track.states)].states;
        std::string text = states.at(static_cast<std::size_t>(interval.state)).name;
        if (track.valueKind == ValueKind::Frame)
            text += "(" + function(StackId{interval.value}) + ")";
        else if (track.valueKind == ValueKind::Track)
            text += interval.value == static_cast<std::uint32_t>(NoTrack) ? "" : "(" + keyOf(static_cast<TrackId>(interval.value)) + ")";
        else if (!value.empty())
            text += "(" + value + ")";
        return text;
    }

    std::map<std::string, EventTypeId> m_typeByName;
    std::vector<Event> m_events;
    std::vector<Loss> m_losses;
    std::shared_ptr<const Store> m_store;
};

} // namespace helio::test

/// Compares the states of a row with the expected text and reports a failure at the caller's line.
#define COMPARE_STATES(script, key, expected) QCOMPARE(QString::fromStdString((script).states(key)), QString(expected))
