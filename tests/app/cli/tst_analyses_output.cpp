// Output of the command analyses for XML analysis files: the list, errors in a file, and statistics of a file's rules on a trace.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

const QByteArray Good = R"(<tmfxml>
<stateProvider id="switches" version="1">
<head><label value="Switches"/></head>
<definedValue name="a" value="1"/>
<definedValue name="a" value="2"/>
<eventHandler eventName="sched_switch">
  <stateChange><stateAttribute type="eventField" value="cpu"/><stateValue type="eventField" value="next_tid"/></stateChange>
</eventHandler>
<eventHandler eventName="sched_.*"><stateChange>
  <if><condition><field name="prio"/><stateValue type="int" value="-1"/></condition></if>
  <then><stateAttribute type="constant" value="x"/><stateValue type="int" value="1"/></then>
</stateChange></eventHandler>
</stateProvider>
<pattern id="waits" version="1"><patternHandler><fsm id="f">
<state id="s"><transition event="sched_switch" target="d"/></state><final id="d"/>
</fsm></patternHandler></pattern>
<timeGraphView id="switch-rows"><head><analysis id="switches"/></head></timeGraphView>
<xyView id="switch-curves"><head><analysis id="switches"/></head><entry path="x"/></xyView>
</tmfxml>
)";

const QByteArray Bad = R"(<tmfxml>
<stateProvider id="switches" version="1">
<eventHandler eventName="sched_("><stateChange>
  <stateAttribute type="location" value="nowhere"/><stateValue type="int" value="many"/>
</stateChange></eventHandler>
</stateProvider>
</tmfxml>
)";

/// Home folder with the user's analysis files, and a system folder with others.
class Files {
public:
    Files()
    {
        write("good.xml", Good);
        write("bad.xml", Bad);
        write("kernel.xml", QByteArray(Good).replace("\"switches\"", "\"kernel\""));
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void write(const QString& name, const QByteArray& text) const
    {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(path(name)));
    }
    void remove(const QString& name) const { QFile::remove(path(name)); }

    ProgramResult analyses(const QStringList& arguments) const { return answer("analyses", arguments); }
    ProgramResult answer(const QString& command, const QStringList& arguments) const
    {
        auto environment = plainEnvironment();
        environment.insert("XDG_DATA_HOME", path("data"));
        environment.insert("XDG_DATA_DIRS", path("system"));
        environment.insert("XDG_CACHE_HOME", path("cache"));
        return runTool(HELIOGRAPH_PROGRAM, QStringList(command) + arguments, environment);
    }

private:
    QTemporaryDir m_folder;
};

CsvRow rowOf(const ProgramResult& answer, const char* id, int which = 0)
{
    for (const CsvRow& row : csvRows(answer))
        if (row["id"] == id && which-- == 0)
            return row;
    return {};
}

int eventsOf(const QStringList& filter)
{
    return heliograph(QStringList{"events", sampleTrace(), "--count", "--quiet"} + filter).out.trimmed().toInt();
}

} // namespace

class AnalysesOutputTest : public QObject {
    Q_OBJECT

private slots:
    void aGoodFileIsSummedUp()
    {
        const ProgramResult answer = m_files.analyses({"check", m_files.path("good.xml")});
        QCOMPARE(answer.status, 0);
        const QByteArray file = m_files.path("good.xml").toUtf8();
        QCOMPARE(answer.out,
                 file
                     + ":5:1: definedValue: warning: the value \"a\" is defined twice; the first one counts\n"
                       "stateProvider switches: 2 event handlers\n"
                       "pattern waits: 1 state machine, 1 transition\n"
                       "timeGraphView switch-rows\n"
                       "xyView switch-curves\n");
        QCOMPARE(answer.err, QByteArray());
    }

    void everyFaultIsSaidWithItsPlace()
    {
        const ProgramResult answer = m_files.analyses({"check", m_files.path("bad.xml")});
        QCOMPARE(answer.status, 1);
        const QByteArray file = m_files.path("bad.xml").toUtf8();
        const auto lines = answer.lines();
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].startsWith(file + ":3:1: eventHandler: the event name \"sched_(\" is not a valid regular expression: "));
        QCOMPARE(lines[1], file + ":4:3: stateAttribute: there is no location \"nowhere\"");
        QCOMPARE(lines[2], file + ":4:52: stateValue: the attribute \"value\" is \"many\", not an int");
    }

    void whatIsNoFileOrNotAllowedIsRefused()
    {
        const ProgramResult none = m_files.analyses({"check", m_files.path("none.xml")});
        QCOMPARE(none.status, 1);
        QCOMPARE(none.out, m_files.path("none.xml").toUtf8() + ": cannot be read: No such file or directory\n");
        const ProgramResult folder = m_files.analyses({"check", m_files.path(".")});
        QCOMPARE(folder.status, 1);
        const ProgramResult builtin = m_files.analyses({"check", m_files.path("kernel.xml")});
        QCOMPARE(builtin.status, 1);
        QVERIFY(builtin.out.contains("kernel.xml:2:1: stateProvider: a built-in analysis or view uses the same ID\n"));
    }

    void rulesAreCountedOnATrace()
    {
        const ProgramResult answer = m_files.analyses({"check", m_files.path("good.xml"), "--trace", sampleTrace(), "--format", "csv"});
        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.lines().first(), QByteArray("line,element,events,fired,missing_fields"));
        const auto rows = csvRows(answer);
        QCOMPARE(rows.size(), 3);
        const QByteArray switches = QByteArray::number(eventsOf({"--filter", "name == \"sched_switch\""}));
        const QByteArray all = QByteArray::number(eventsOf({"--filter", "name =~ \"^sched_.\""}));
        QCOMPARE(rows[0]["line"], QByteArray("6"));
        QCOMPARE(rows[0]["element"], QByteArray("eventHandler"));
        QCOMPARE(rows[0]["events"], switches);
        QCOMPARE(rows[0]["fired"], switches);
        QCOMPARE(rows[0]["missing_fields"], QByteArray());
        QCOMPARE(rows[1]["line"], QByteArray("9"));
        QCOMPARE(rows[1]["events"], all);
        QCOMPARE(rows[1]["fired"], QByteArray("0"));
        // "prio" is missing, because the event sched_switch has no field with this name.
        QCOMPARE(rows[1]["missing_fields"], QByteArray("prio"));
        QCOMPARE(rows[2]["line"], QByteArray("15"));
        QCOMPARE(rows[2]["element"], QByteArray("transition"));
        QCOMPARE(rows[2]["fired"], switches);
        // Warnings go to standard error, not into the CSV.
        QVERIFY(answer.err.contains("good.xml:5:1: definedValue: warning: "));

        const ProgramResult both = m_files.analyses({"check", m_files.path("good.xml"), "--trace", sampleTrace(), "--trace",
                                                     QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small"), "--format", "csv"});
        QCOMPARE(both.status, 0);
        QVERIFY(csvRows(both)[0]["events"].toInt() > switches.toInt());
    }

    /// Input: an analysis file that is valid but yields no result, because of a mistyped name. Property: a warning names the mistake.
    void whatShowsNothingIsWarnedOf()
    {
        const auto rule = [](const QByteArray& event, const QByteArray& field) {
            return "<eventHandler eventName=\"" + event
                + "\"><stateChange><stateAttribute type=\"constant\" value=\"Switches\"/>"
                  "<stateAttribute type=\"constant\" value=\"n\"/><stateValue type=\"eventField\" value=\""
                + field + "\"/></stateChange></eventHandler>";
        };
        const auto view = [](const QByteArray& path) {
            return "<timeGraphView id=\"slips-rows\"><head><analysis id=\"slips\"/></head><entry path=\"" + path
                + "\"><display type=\"self\"/></entry></timeGraphView>";
        };
        const auto warnings = [&](const QByteArray& rules, const QByteArray& views) {
            m_files.write("slips.xml",
                          "<tmfxml><stateProvider id=\"slips\" version=\"1\">\n" + rules + "\n</stateProvider>\n" + views + "</tmfxml>");
            const ProgramResult answer =
                m_files.analyses({"check", m_files.path("slips.xml"), "--trace", sampleTrace(), "--format", "csv"});
            return answer.status == 0 ? answer.err : "status";
        };
        const QByteArray good = rule("sched_switch", "next_prio");
        QCOMPARE(warnings(good, view("Switches/*")), QByteArray());
        const QByteArray path = warnings(good, view("Switchs/*"));
        QVERIFY2(path.contains("slips.xml:4:") && path.contains("entry: warning: nothing is shown: no rule sets Switchs/*"),
                 path.constData());
        const QByteArray event = warnings(good + '\n' + rule("schedswitch", "next_prio"), view("Switches/*"));
        QVERIFY2(event.contains("slips.xml:3:1: eventHandler: warning: no such event in the trace: schedswitch"), event.constData());
        QCOMPARE(event.count("warning"), 1);
        const QByteArray field = warnings(rule("sched_switch", "next_prioo"), view("Switches/*"));
        QVERIFY2(field.contains("slips.xml:2:1: eventHandler: warning: none of its "), field.constData());
        QVERIFY2(field.contains(" events has a field next_prioo"), field.constData());
    }

    void anAnalysisOfAllTracesIsRunOnce()
    {
        // The pattern has one scenario, which ends at the first sched_switch. Without a trace type, the pattern runs once on each of the
        // two traces and fires twice in total. With the type of an experiment, the pattern runs once on both traces together and fires
        // once.
        const auto fired = [&](const QByteArray& head) {
            m_files.write("all.xml", "<tmfxml><pattern id=\"of-all\" version=\"1\">" + head + R"(<patternHandler>
<fsm id="f" multiple="false"><state id="s"><transition event="sched_switch" target="d"/></state><final id="d"/></fsm>
</patternHandler></pattern></tmfxml>)");
            const QString two = QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small/");
            const ProgramResult answer =
                m_files.analyses({"check", m_files.path("all.xml"), "--trace", two + "db", "--trace", two + "web", "--format", "csv"});
            return answer.status == 0 ? csvRows(answer)[0]["fired"].toInt() : -1;
        };
        QCOMPARE(fired({}), 2);
        QCOMPARE(fired("<head><traceType id=\"my.experiment\"/></head>"), 1);
    }

    void rulesAreCountedForPeopleToo()
    {
        const ProgramResult answer = m_files.analyses({"check", m_files.path("good.xml"), "--trace", sampleTrace()});
        QCOMPARE(answer.status, 0);
        for (const char* word :
             {"stateProvider switches: 2 event handlers\n", "eventHandler sched_switch ", "transition f.s: sched_switch -> d "})
            QVERIFY2(answer.out.contains(word), answer.out.constData());
        const ProgramResult bad = m_files.analyses({"check", m_files.path("bad.xml"), "--trace", sampleTrace()});
        QCOMPARE(bad.status, 1);
        QVERIFY(!bad.out.contains("missing_fields"));
        QCOMPARE(m_files.analyses({"check", m_files.path("good.xml"), "--trace", m_files.path("none")}).status, 1);
    }

    void analysesAreListedWithWhereTheyAreFrom()
    {
        m_files.write("data/heliograph/analyses/mine.xml", Good);
        m_files.write("system/heliograph/analyses/theirs.xml", QByteArray(Good).replace("\"waits\"", "\"others\""));
        const ProgramResult plain = m_files.analyses({"--format", "csv"});
        QCOMPARE(plain.status, 0);
        QCOMPARE(plain.lines().first(), QByteArray("id,kind,label,file,applies,reason,on"));
        const CsvRow mine = rowOf(plain, "switches");
        QCOMPARE(mine["kind"], QByteArray("stateProvider"));
        QCOMPARE(mine["label"], QByteArray("Switches"));
        QCOMPARE(mine["file"], m_files.path("data/heliograph/analyses/mine.xml").toUtf8());
        QCOMPARE(mine["applies"], QByteArray()); // The column "applies" is empty, because no trace is open.
        QCOMPARE(mine["on"], QByteArray("yes"));
        QCOMPARE(rowOf(plain, "waits")["kind"], QByteArray("pattern"));
        // The analysis in the system folder has the same id as the user's analysis, so it runs only on request.
        const CsvRow theirs = rowOf(plain, "switches", 1);
        QCOMPARE(theirs["file"], m_files.path("system/heliograph/analyses/theirs.xml").toUtf8());
        QCOMPARE(theirs["reason"], "an analysis in " + m_files.path("data/heliograph/analyses/mine.xml").toUtf8() + " uses the same ID");
        QCOMPARE(theirs["on"], QByteArray("no"));
        QCOMPARE(rowOf(plain, "others")["on"], QByteArray("no"));

        const ProgramResult given = m_files.analyses({"--analysis", m_files.path("good.xml"), "--format", "csv", sampleTrace()});
        QCOMPARE(given.status, 0);
        QCOMPARE(rowOf(given, "switches")["file"], m_files.path("good.xml").toUtf8());
        QCOMPARE(rowOf(given, "switches")["applies"], QByteArray("yes"));
        QCOMPARE(rowOf(given, "switches", 1)["applies"], QByteArray("no"));
        m_files.remove("data/heliograph/analyses/mine.xml");
        m_files.remove("system/heliograph/analyses/theirs.xml");
    }

    void whyOneDoesNotApplyIsSaid()
    {
        m_files.write(
            "data/heliograph/analyses/types.xml",
            QByteArray(Good).replace("<head><label", "<head><traceType id=\"org.eclipse.linuxtools.lttng2.ust.tracetype\"/><label"));
        m_files.write("data/heliograph/analyses/z.xml",
                      QByteArray(Good)
                          .replace("sched_switch", "no_such_event")
                          .replace("sched_", "none_")
                          .replace("\"switches\"", "\"z\"")
                          .replace("\"waits\"", "\"w\""));
        const QByteArray types = "<head><traceType id=\"custom.txt.trace:Mine\"/>"
                                 "<traceType id=\"org.eclipse.linuxtools.lttng2.ust.tracetype\"/>"
                                 "<traceType id=\"btf.trace\"/><label";
        m_files.write("data/heliograph/analyses/mine.xml",
                      QByteArray(Good).replace("<head><label", types).replace("\"switches\"", "\"mine\"").replace("\"waits\"", "\"v\""));
        const ProgramResult answer = m_files.analyses({"--format", "csv", sampleTrace()});
        QCOMPARE(rowOf(answer, "switches")["applies"], QByteArray("no"));
        QCOMPARE(rowOf(answer, "switches")["reason"], QByteArray("it is for user-space traces"));
        QCOMPARE(rowOf(answer, "waits")["applies"], QByteArray("yes"));
        QCOMPARE(rowOf(answer, "mine")["reason"],
                 QByteArray("it is for traces of text that the custom parser \"Mine\" reads (not supported yet) or user-space "
                            "traces or traces of the type btf.trace"));
        QCOMPARE(rowOf(answer, "z")["applies"], QByteArray("no"));
        QVERIFY2(rowOf(answer, "z")["reason"].contains("lttng enable-event -k no_such_event"), rowOf(answer, "z")["reason"].constData());
        m_files.remove("data/heliograph/analyses/types.xml");
        m_files.remove("data/heliograph/analyses/mine.xml");
        m_files.remove("data/heliograph/analyses/z.xml");
    }

    void curvesStandInTheOrderOfTheirNames()
    {
        const QByteArray curves = R"(<tmfxml><stateProvider id="c" version="1"><eventHandler eventName="sched_switch"><stateChange>
            <stateAttribute type="constant" value="N"/><stateAttribute type="eventField" value="next_tid"/>
            <stateValue type="int" value="1" increment="true"/></stateChange></eventHandler></stateProvider>
            <xyView id="c.view"><head><analysis id="c"/></head><entry path="N/*"><display type="self"/></entry></xyView></tmfxml>)";
        m_files.write("data/heliograph/analyses/curves.xml", curves);
        const ProgramResult answer = m_files.answer("counters", {sampleTrace(), "--view", "c.view", "--format", "csv"});
        QList<int> order;
        for (const CsvRow& row : csvRows(answer))
            if (const int tid = row["series"].split('/').back().toInt(); order.isEmpty() || order.back() != tid)
                order << tid;
        QVERIFY(order.size() > 10);
        QVERIFY(std::ranges::is_sorted(order));
        m_files.remove("data/heliograph/analyses/curves.xml");
    }

    void aViewWithoutRowsSaysWhatWouldMakeSome()
    {
        const QByteArray views =
            R"(<tmfxml><stateProvider id="n" version="1"><eventHandler eventName="sched_switch|sched_wak*"><stateChange>
            <if><condition><field name="next_tid"/><stateValue type="int" value="-5"/></condition></if>
            <then><stateAttribute type="constant" value="N"/><stateAttribute type="eventField" value="cpu"/>
            <stateValue type="int" value="1"/></then></stateChange></eventHandler></stateProvider>
            <timeGraphView id="n.view"><head><analysis id="n"/></head><entry path="N/*"><display type="self"/></entry></timeGraphView>
            <timeGraphView id="n.slip"><head><analysis id="n"/></head><entry path="M"><entry path="*"><display type="constant" value="x"/></entry></entry>
            </timeGraphView></tmfxml>)";
        m_files.write("data/heliograph/analyses/none.xml", views);
        const ProgramResult rows = m_files.answer("states", {sampleTrace(), "--view", "n.view", "--format", "csv"});
        QVERIFY2(rows.err.contains("The analysis n found nothing for this view. Its rows are the attributes N/* that have a value. They "
                                   "are set at the events sched_switch and sched_wak*."),
                 rows.err.constData());
        const ProgramResult slip = m_files.answer("states", {sampleTrace(), "--view", "n.slip", "--format", "csv"});
        QVERIFY2(slip.err.contains("Its rows are the attributes M/*/x that have a value. No rule of the analysis sets them."),
                 slip.err.constData());
        for (const CsvRow& row : csvRows(m_files.answer("views", {sampleTrace(), "--format", "csv"})))
            if (row["id"] == "n.view")
                QVERIFY2(row["reason"].contains("They are set at the events"), row["reason"].constData());
        m_files.remove("data/heliograph/analyses/none.xml");
    }

    /// Input: an analysis for a trace type that Heliograph cannot read. Property: this is reported, even without a trace.
    void anAnalysisOfTracesThatNothingReadsSaysSo()
    {
        const QByteArray types =
            "<head><traceType id=\"custom.txt.trace:Robots:Walk log\"/><traceType id=\"custom.xml.trace:Runs\"/><label";
        m_files.write("data/heliograph/analyses/robots.xml",
                      QByteArray(Good).replace("<head><label", types).replace("\"switches\"", "\"robots\"").replace("\"waits\"", "\"w\""));
        for (const QStringList& traces : {QStringList(), QStringList(sampleTrace())}) {
            const CsvRow row = rowOf(m_files.analyses(QStringList{"--format", "csv"} + traces), "robots");
            QCOMPARE(row["applies"], QByteArray("no"));
            QCOMPARE(row["reason"],
                     QByteArray("it is for traces of text that the custom parser \"Robots:Walk log\" reads (not supported yet) or "
                                "traces of XML that the custom parser \"Runs\" reads (not supported yet)"));
        }
        m_files.remove("data/heliograph/analyses/robots.xml");
    }

    void aBadFileIsSaidAndOthersGoOn()
    {
        m_files.write("data/heliograph/analyses/a.xml", Bad);
        m_files.write("data/heliograph/analyses/b.xml", Good);
        const ProgramResult found = m_files.analyses({"--format", "csv"});
        QCOMPARE(found.status, 0);
        QVERIFY(found.err.contains("a.xml:4:3: stateAttribute: there is no location \"nowhere\"\n"));
        QCOMPARE(rowOf(found, "switches")["on"], QByteArray("yes"));
        m_files.remove("data/heliograph/analyses/a.xml");
        m_files.remove("data/heliograph/analyses/b.xml");

        QCOMPARE(m_files.analyses({"--analysis", m_files.path("bad.xml")}).status, 1);
        QCOMPARE(heliograph({"views", sampleTrace(), "--analysis", m_files.path("bad.xml")}).status, 1);
    }

    void wrongUsageIsSaid_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no file") << QStringList{"check"} << QByteArray("check: exactly one FILE is needed");
        QTest::newRow("two files") << QStringList{"check", "a", "b"} << QByteArray("check: exactly one FILE is needed");
        QTest::newRow("a trace without check") << QStringList{"--trace", sampleTrace()} << QByteArray("--trace: only valid with check");
    }
    void wrongUsageIsSaid()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const ProgramResult answer = m_files.analyses(arguments);
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains(said), answer.err.constData());
    }

private:
    const Files m_files;
};

HELIO_TEST(AnalysesOutputTest)

#include "tst_analyses_output.moc"
