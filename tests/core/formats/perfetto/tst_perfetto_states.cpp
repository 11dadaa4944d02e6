// Input: a trace-cmd recording, converted to a Perfetto trace. Property: both have the same states of threads and CPUs.

#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "tests/support/files.h"
#include "tests/support/indexed.h"
#include "tests/support/made_perfetto.h"
#include "tests/support/open_trace.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace helio;

namespace {

/// Protobuf field number of an event in the message FtraceEvent, and the event's field names in the order of their numbers
/// (protos/perfetto/trace/ftrace/*.proto).
struct ProtoEvent {
    std::uint32_t number = 0;
    QStringList fields;
};
const std::map<QString, ProtoEvent> ProtoEvents{
    {"sched_switch", {4, {"prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio"}}},
    {"sched_wakeup", {17, {"comm", "pid", "prio", "success", "target_cpu"}}},
    {"sched_waking", {20, {"comm", "pid", "prio", "success", "target_cpu"}}},
    {"sched_wakeup_new", {114, {"comm", "pid", "prio", "success", "target_cpu"}}},
    {"softirq_entry", {24, {"vec"}}},
    {"softirq_exit", {25, {"vec"}}},
    {"softirq_raise", {26, {"vec"}}},
    {"irq_handler_entry", {36, {"irq", "name"}}},
    {"irq_handler_exit", {37, {"irq", "ret"}}},
    {"sched_process_exec", {237, {"filename", "pid", "old_pid"}}},
    {"sched_process_exit", {238, {"comm", "pid", "tgid", "prio"}}},
    {"sched_process_fork", {239, {"parent_comm", "parent_pid", "child_comm", "child_pid"}}},
    {"sched_process_free", {240, {"comm", "pid", "prio"}}},
    {"sys_enter", {329, {"id"}}},
    {"sys_exit", {330, {"id", "ret"}}},
    {"sched_migrate_task", {491, {"comm", "pid", "prio", "orig_cpu", "dest_cpu"}}},
};

/// Builds Perfetto's CompactSched message: switches and wake-ups of one CPU, stored by columns.
struct Columns {
    std::vector<std::string> comms;
    std::vector<std::int64_t> columns[12];
    std::int64_t lastSwitch = 0;
    std::int64_t lastWaking = 0;

    std::int64_t indexOf(const std::string& comm)
    {
        const auto found = std::ranges::find(comms, comm);
        if (found != comms.end())
            return found - comms.begin();
        comms.push_back(comm);
        return std::int64_t(comms.size()) - 1;
    }
    MadeMessage message() const
    {
        MadeMessage message;
        for (const std::string& comm : comms)
            message.text(5, comm);
        for (std::uint32_t i = 1; i < std::size(columns); ++i)
            for (const std::int64_t value : columns[i])
                message.number(i, value);
        return message;
    }
};

using Values = std::map<QString, QString>;

Values valuesOf(const EventView& event)
{
    Values values;
    for (const NamedValue& field : decodeSection(event, Section::Payload))
        values[QString::fromStdString(field.name)] = QString::fromStdString(displayText(field.value));
    return values;
}

int tidOf(const EventView& event)
{
    for (const NamedValue& field : decodeContext(event))
        if (field.name == "tid" || field.name == "common_pid")
            return QString::fromStdString(displayText(field.value)).toInt();
    return 0;
}

MadeMessage contentOf(const ProtoEvent& proto, const Values& values)
{
    MadeMessage content;
    for (int i = 0; i < proto.fields.size(); ++i) {
        const auto value = values.find(proto.fields[i]);
        if (value == values.end())
            continue;
        bool isNumber = false;
        const qlonglong number = value->second.toLongLong(&isNumber, 0);
        const bool isText = proto.fields[i].endsWith("comm") || proto.fields[i] == "filename" || proto.fields[i] == "name";
        if (isText || !isNumber)
            content.text(std::uint32_t(i) + 1, value->second.toStdString());
        else
            content.number(std::uint32_t(i) + 1, number);
    }
    return content;
}

/// Converts all events of a kernel trace to a Perfetto trace. If `isCompact`, switches and wake-ups are stored as CompactSched.
/// `firstSwitches` receives the time in ns from which every CPU has had a switch.
QByteArray converted(const Trace& trace, bool isCompact, std::int64_t& firstSwitches)
{
    std::map<int, MadeMessage> bundles;
    std::map<int, Columns> columns;
    std::map<int, std::int64_t> firsts;
    MergedEvents events(trace);
    while (events.next()) {
        const EventView& event = events.event();
        const QString name = QString::fromStdString(event.type->name);
        const std::int64_t time = nanoseconds(event.time());
        const Values values = valuesOf(event);
        const auto [bundle, isNew] = bundles.try_emplace(event.cpu());
        if (isNew)
            bundle->second.number(1, event.cpu());
        const auto numberOf = [&](const char* field) { return values.at(field).toLongLong(nullptr, 0); };
        if (name == "sched_switch")
            firsts.try_emplace(event.cpu(), time);
        if (isCompact && name == "sched_switch") {
            Columns& own = columns[event.cpu()];
            const std::int64_t cells[] = {time - own.lastSwitch, numberOf("prev_state"), numberOf("next_pid"), numberOf("next_prio")};
            for (std::size_t i = 0; i < 4; ++i)
                own.columns[i + 1].push_back(cells[i]);
            own.columns[6].push_back(own.indexOf(values.at("next_comm").toStdString()));
            own.lastSwitch = time;
            continue;
        }
        if (isCompact && name == "sched_waking") {
            Columns& own = columns[event.cpu()];
            const std::int64_t cells[] = {time - own.lastWaking, numberOf("pid"), numberOf("target_cpu"), numberOf("prio")};
            for (std::size_t i = 0; i < 4; ++i)
                own.columns[i + 7].push_back(cells[i]);
            own.columns[11].push_back(own.indexOf(values.at("comm").toStdString()));
            own.lastWaking = time;
            continue;
        }
        const auto proto = ProtoEvents.find(name);
        MadeMessage content;
        std::uint32_t number = 327;
        if (proto != ProtoEvents.end()) {
            number = proto->second.number;
            content = contentOf(proto->second, values);
        } else {
            content.text(1, event.type->name);
            for (const auto& [field, value] : values) {
                bool isNumber = false;
                const qlonglong integer = value.toLongLong(&isNumber, 0);
                MadeMessage of;
                of.text(1, field.toStdString());
                isNumber ? of.number(4, integer) : of.text(3, value.toStdString());
                content.message(2, of);
            }
        }
        bundle->second.message(2, madeFtraceEvent(time, tidOf(event), number, content));
    }
    firstSwitches = 0;
    for (const auto& [cpu, time] : firsts)
        firstSwitches = std::max(firstSwitches, time);
    MadePerfetto made;
    made.packet(MadeMessage().message(45, MadeMessage().message(1, MadeMessage().text(3, trace.info().text("kernel_release")))));
    for (auto& [cpu, bundle] : bundles) {
        if (columns.contains(cpu))
            bundle.message(4, columns.at(cpu).message());
        made.ftrace(bundle);
    }
    return made.bytes();
}

QString nameOf(const Store& store, const Track& track, const HostInterval& interval)
{
    const auto& states = store.stateSets()[std::size_t(track.states)].states;
    return std::size_t(interval.state) < states.size() ? QString::fromStdString(states[std::size_t(interval.state)].name) : QString();
}

/// Returns the state intervals that begin at `from` or later: one line "BEGIN..END STATE" each, keyed by the path of the track. Times in
/// ns. STATE is the number of the state, or its name if `hasNames`.
std::map<QString, QStringList> statesOf(const Trace& trace, std::int64_t from, bool hasNames = false)
{
    const auto pass = test::indexed(trace, {&test::analysisOf("kernel")});
    if (!pass)
        qFatal("cannot index");
    const Store& store = *pass->stores.front();
    std::map<QString, QStringList> states;
    for (std::size_t i = 0; i < store.tracks().size(); ++i) {
        QString path;
        for (TrackId id{std::uint32_t(i)}; id != NoTrack; id = store.tracks()[std::size_t(id)].parent) {
            const Track& track = store.tracks()[std::size_t(id)];
            path.prepend('/' + QString::fromStdString(track.key + ' ' + track.label).trimmed());
        }
        QStringList& lines = states[path];
        for (const HostInterval& interval : store.intervals(TrackId{std::uint32_t(i)}, {HostTimestamp::min(), HostTimestamp::max()}))
            if (nanoseconds(interval.range.begin) >= from)
                lines << QString("%1..%2 %3")
                             .arg(nanoseconds(interval.range.begin))
                             .arg(nanoseconds(interval.range.end))
                             .arg(hasNames ? nameOf(store, store.tracks()[i], interval) : QString::number(int(interval.state)));
    }
    return states;
}

} // namespace

class PerfettoStatesTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: states of threads of a kernel other than Linux (GenericKernelTaskStateEvent): 1 created, 2 runnable, 3 running, 4 and 5
    /// asleep, 7 dead, 8 destroyed. Property: rows of threads and CPUs show them. A CPU is idle without a running thread, or with an idle
    /// thread of the process tree. The order of events at one time does not matter.
    void statesOfOtherKernelsAreShown()
    {
        MadePerfetto made;
        const auto add = [&](std::int64_t time, int tid, int state, int cpu = 9) {
            made.packet(time, 117, MadeMessage().number(1, cpu).text(2, "t" + std::to_string(tid)).number(3, tid).number(4, state));
        };
        made.packet(100, 122, MadeMessage().message(2, MadeMessage().number(1, 50).number(2, 1).text(3, "idle").number(5, 1)));
        add(100, 10, 1);
        add(110, 10, 2);
        add(120, 10, 3, 0);
        add(130, 11, 3, 0); // The state of the former thread follows.
        add(130, 10, 2);
        add(140, 11, 4); // No thread follows: the CPU is idle.
        add(150, 10, 3, 1);
        add(160, 50, 3, 1); // The idle thread; the new state of thread 10 follows later.
        add(170, 10, 5);
        add(180, 11, 3, 0);
        add(190, 11, 7);
        add(195, 11, 8);
        add(200, 10, 2);
        QTemporaryDir folder;
        const auto trace = openTrace("Perfetto", test::writeFile(folder.filePath("trace.pftrace"), made.bytes()).toStdString());
        QVERIFY(trace);
        QVERIFY(trace->diagnostics().empty());
        const auto states = statesOf(*trace, 0, true);
        QCOMPARE(states.at("/tid:10 t10"),
                 QStringList({"100..110 waiting", "110..120 wait-cpu", "120..130 running", "130..150 preempted", "150..160 running",
                              "160..170 unknown", "170..200 blocked"}));
        QCOMPARE(states.at("/tid:11 t11"), QStringList({"100..130 unknown", "130..140 running", "140..180 sleeping", "180..190 running"}));
        QCOMPARE(states.at("/cpu:0 CPU 0"),
                 QStringList(
                     {"100..120 unknown", "120..130 running", "130..140 running", "140..180 idle", "180..190 running", "190..200 idle"}));
        QCOMPARE(states.at("/cpu:1 CPU 1"), QStringList({"100..150 unknown", "150..160 running", "160..200 idle"}));
        QVERIFY(!states.contains("/cpu:9 CPU 9"));
        const auto missing = test::analysisOf("kernel").missing(*trace);
        QVERIFY(std::ranges::none_of(missing, [](const MissingEvents& it) { return it.isEssential; }));
    }

    void statesEqualThoseOfTraceCmd_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<bool>("isCompact");
        QTest::newRow("vm") << "ftrace-vm" << false;
        QTest::newRow("vm, compact") << "ftrace-vm" << true;
        QTest::newRow("host") << "ftrace-host" << false; // Not compact: the recording lost switches, which CompactSched cannot represent.
    }
    void statesEqualThoseOfTraceCmd()
    {
        QFETCH(QString, collection);
        QFETCH(bool, isCompact);
        HELIO_REQUIRE_TRACE(path, collection, "trace-mono.dat");
        const auto original = openTrace("trace.dat", path.toStdString());
        QVERIFY(original);
        std::int64_t firstSwitches = 0;
        QTemporaryDir folder;
        const QString file = test::writeFile(folder.filePath("trace.pftrace"), converted(*original, isCompact, firstSwitches));

        const auto trace = openTrace("Perfetto", file.toStdString());

        QVERIFY(trace);
        QVERIFY(trace->diagnostics().empty());
        // States are compared only after the first switch of every CPU: CompactSched does not contain the thread that leaves the CPU at the
        // first switch, and the CPUs' streams begin at different times.
        const std::int64_t from = firstSwitches + 1;
        const auto expected = statesOf(*original, from);
        const auto states = statesOf(*trace, from);
        int compared = 0;
        for (const auto& [track, lines] : expected) {
            // CompactSched contains neither the name nor the priority of the thread that leaves the CPU.
            const bool isLessKnown = isCompact && (track.endsWith("/name") || track.endsWith("/priority"));
            if (isLessKnown || (!states.contains(track) && lines.isEmpty()))
                continue;
            QVERIFY2(states.contains(track), qPrintable(track));
            if (states.at(track) != lines)
                for (int i = 0; i < std::max(lines.size(), states.at(track).size()); ++i)
                    QCOMPARE(track + ' ' + states.at(track).value(i), track + ' ' + lines.value(i));
            compared += int(lines.size());
        }
        QVERIFY2(compared > 1000, QByteArray::number(compared));
    }
};

HELIO_TEST(PerfettoStatesTest)
#include "tst_perfetto_states.moc"
