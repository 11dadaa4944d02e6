#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QTest>

using namespace helio;

namespace {

constexpr std::array views{"control-flow", "resources"};

void addViews()
{
    QTest::addColumn<QString>("view");
    for (const char* view : views)
        QTest::newRow(view) << view;
}

ProgramResult table(const QString& command, const QString& view, const QStringList& more = {})
{
    return heliograph(QStringList{command, sampleTrace(), "--view", view, "--format", "csv", "--quiet"} + more);
}

struct Sum {
    qint64 count = 0, total = 0, min = INT64_MAX, max = 0;
    bool operator==(const Sum&) const = default;
};

using Sums = QMap<QPair<QByteArray, QByteArray>, Sum>; // Count, total, minimum and maximum of interval durations in ns, by row and state.

/// Returns the expected sums: the intervals in the output of the command states, added up one by one.
Sums sumsOf(const QList<CsvRow>& states)
{
    Sums sums;
    for (const CsvRow& state : states) {
        Sum& sum = sums[{state["row"], state["state"]}];
        const qint64 length = state["end_ns"].toLongLong() - state["begin_ns"].toLongLong();
        ++sum.count;
        sum.total += length;
        sum.min = std::min(sum.min, length);
        sum.max = std::max(sum.max, length);
    }
    return sums;
}

Sums sumsOfStats(const QList<CsvRow>& stats)
{
    Sums sums;
    for (const CsvRow& row : stats)
        sums[{row["row"], row["state"]}] = {row["count"].toLongLong(), row["total_ns"].toLongLong(), row["min_ns"].toLongLong(),
                                            row["max_ns"].toLongLong()};
    return sums;
}

} // namespace

class TablesOutputTest : public QObject {
    Q_OBJECT

private slots:
    void aPluginsViewIsOneOfTheOthers()
    {
        const QStringList plugin{"--plugin", PLUGINS "/numbers.so"};
        const auto views = csvRows(heliograph(QStringList{"views", sampleTrace(), "--format", "csv", "--quiet"} + plugin));
        const auto own = std::ranges::find_if(views, [](const auto& view) { return view["id"] == "numbers"; });
        QVERIFY(own != views.end());
        QCOMPARE((*own)["analysis"], QByteArray("numbers"));
        const auto states = csvRows(table("states", "numbers", plugin));
        QCOMPARE(states.size(), qsizetype(1));
        QCOMPARE(states[0]["state"], QByteArray("low"));
        QCOMPARE(heliograph({"states", sampleTrace(), "--view", "numbers"}).status, 2);
    }

    void viewsAreListedWithTheirRowsOrTheReasonForNone()
    {
        const ProgramResult answer = heliograph({"views", sampleTrace(), "--format", "csv", "--quiet"});
        QCOMPARE(answer.status, 0);
        QList<CsvRow> all = csvRows(answer);
        all.removeIf([](const CsvRow& view) { return view["available"] == "no" && !view["reason"].isEmpty(); });
        // Only the kernel's views are compared, because shipped XML analyses have views, too.
        const auto isOfKernel = [](const CsvRow& view) { return view["analysis"] == "kernel"; };
        QVERIFY(std::ranges::any_of(all, [](const CsvRow& view) { return view["analysis"] == "irq-time" && view["available"] == "yes"; }));
        all.removeIf([&](const CsvRow& view) { return !isOfKernel(view); });
        QCOMPARE(all.size(), 2);
        for (const CsvRow& view : all) {
            QCOMPARE(view["kind"], QByteArray("states"));
            QCOMPARE(view["available"], QByteArray("yes"));
            const auto rows = csvRows(table("tracks", view["id"]));
            QCOMPARE(view["rows"].toInt(), int(std::ranges::count_if(rows, [](const CsvRow& row) { return !row["trace"].isEmpty(); })));
        }
        QCOMPARE(all[1]["title"], QByteArray("Resources"));

        const auto without = csvRows(heliograph({"views", SOURCE_DIR "/tests/fixtures/ust-callstack", "--format", "csv", "--quiet"}));
        for (const char* id : {"resources", "disk"}) {
            const auto view = std::ranges::find_if(without, [id](const CsvRow& it) { return it["id"] == id; });
            QVERIFY2(view != without.end(), id);
            QCOMPARE((*view)["available"], QByteArray("no"));
            QVERIFY2(!(*view)["reason"].isEmpty(), id);
        }
    }

    void columnsAreTheDocumentedOnes()
    {
        QCOMPARE(table("tracks", "control-flow").lines().first(), "view,id,parent,kind,label,host,trace,pid,tid,cpu,begin_ns,end_ns");
        QCOMPARE(table("states", "control-flow").lines().first(), "trace,row,tid,cpu,begin_ns,end_ns,state,detail");
        QCOMPARE(table("stats", "control-flow").lines().first(), "trace,row,label,tid,cpu,state,count,total_ns,min_ns,mean_ns,max_ns");
        QCOMPARE(table("links", "control-flow").lines().first(), "kind,from_trace,from_row,from_ns,to_trace,to_row,to_ns,detail");
    }

    void csvLinesEndAsRfc4180Says() { QVERIFY(table("tracks", "control-flow").out.contains("end_ns\r\n")); }

    void parentsAreRows_data() { addViews(); }
    void parentsAreRows()
    {
        QFETCH(QString, view);
        const auto tracks = csvRows(table("tracks", view));
        QSet<QByteArray> ids;

        QVERIFY(tracks.size() > 10);
        for (const CsvRow& track : tracks) {
            QVERIFY2(track["parent"].isEmpty() || ids.contains(track["parent"]), track["id"].constData());
            QVERIFY2(!ids.contains(track["id"]), "an id stands twice");
            QVERIFY(track["begin_ns"].toLongLong() <= track["end_ns"].toLongLong());
            ids << track["id"];
        }
    }

    void statesCoverARowsLifeWithoutGaps_data() { addViews(); }
    void statesCoverARowsLifeWithoutGaps()
    {
        QFETCH(QString, view);
        QMap<QByteArray, QPair<qint64, qint64>> covered;
        for (const CsvRow& state : csvRows(table("states", view))) {
            const qint64 begin = state["begin_ns"].toLongLong();
            const qint64 end = state["end_ns"].toLongLong();
            QVERIFY(begin < end);
            if (!covered.contains(state["row"]))
                covered[state["row"]] = {begin, begin};
            auto& range = covered[state["row"]];
            QVERIFY2(range.second == begin, ("row " + state["row"] + " has a gap at " + QByteArray::number(begin)).constData());
            range.second = end;
        }
        const auto tracks = csvRows(table("tracks", view));

        QCOMPARE(covered.size(), tracks.size());
        for (const CsvRow& track : tracks) {
            const auto range = covered[track["id"]];
            QCOMPARE(range.first, track["begin_ns"].toLongLong());
            QCOMPARE(range.second, track["end_ns"].toLongLong());
        }
    }

    void statsAreTheSumsOfStates_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QStringList>("window");
        for (const char* view : views) {
            QTest::addRow("%s", view) << view << QStringList();
            QTest::addRow("%s filtered", view) << view
                                               << QStringList{"--filter", "duration > 100us && duration < 100ms || state == \"idle\""};
            QTest::addRow("%s clipped", view) << view << QStringList{"--begin", "+0.123456789s", "--end", "+1.7s"};
        }
    }
    void statsAreTheSumsOfStates()
    {
        QFETCH(QString, view);
        QFETCH(QStringList, window);

        const Sums expected = sumsOf(csvRows(table("states", view, window)));
        const auto stats = csvRows(table("stats", view, window));

        QVERIFY(expected.size() > 20);
        QCOMPARE(sumsOfStats(stats), expected);
        for (const CsvRow& row : stats) {
            const qint64 total = row["total_ns"].toLongLong();
            const qint64 count = row["count"].toLongLong();
            QCOMPARE(row["mean_ns"].toLongLong(), (total + count / 2) / count);
        }
    }

    /// Property: each line of `stats --by` is the sum of the lines that `stats` prints for the group's threads, in any time range and with
    /// any filter. The busiest group is first.
    void sumsOfProcessesAndNamesAreThoseOfTheirThreads_data()
    {
        QTest::addColumn<QString>("by");
        QTest::addColumn<QStringList>("options");
        for (const char* by : {"process", "name"}) {
            QTest::addRow("%s", by) << by << QStringList();
            QTest::addRow("%s filtered", by) << by << QStringList{"--filter", "duration > 100us && name =~ \"^w\""};
            QTest::addRow("%s of a process, clipped", by)
                << by << QStringList{"--process", "mixwork", "--begin", "+0.123456789s", "--end", "+1.7s"};
        }
    }
    void sumsOfProcessesAndNamesAreThoseOfTheirThreads()
    {
        QFETCH(QString, by);
        QFETCH(QStringList, options);
        // Group of each row, keyed by row id: the PID if threads are grouped by process, else the thread's name.
        QMap<QByteArray, QByteArray> groups;
        for (const CsvRow& track : csvRows(table("tracks", "control-flow")))
            groups[track["id"]] = by == "process" ? track["pid"] : track["label"];
        Sums expected;
        QMap<QByteArray, QSet<QByteArray>> threads;
        for (const CsvRow& row : csvRows(table("stats", "control-flow", options))) {
            const QByteArray group = groups[row["row"]];
            threads[group] << row["row"];
            Sum& sum = expected[{group, row["state"]}];
            sum.count += row["count"].toLongLong();
            sum.total += row["total_ns"].toLongLong();
            sum.min = std::min(sum.min, row["min_ns"].toLongLong());
            sum.max = std::max(sum.max, row["max_ns"].toLongLong());
        }
        const ProgramResult printed = heliograph(QStringList{"stats", sampleTrace(), "--by", by, "--format", "csv", "--quiet"} + options);
        QCOMPARE(printed.status, 0);
        QCOMPARE(printed.lines().first(),
                 by == "process" ? "host,pid,label,threads,state,count,total_ns,min_ns,mean_ns,max_ns"
                                 : "host,label,threads,state,count,total_ns,min_ns,mean_ns,max_ns");
        Sums sums;
        QList<qint64> onCpu; // Time on a CPU in ns of each group, in the order of the output.
        QByteArray last;
        for (const CsvRow& row : csvRows(printed)) {
            const QByteArray group = row[by == "process" ? "pid" : "label"];
            QVERIFY2(group == last || !sums.contains({group, row["state"]}), group);
            sums[{group, row["state"]}] = {row["count"].toLongLong(), row["total_ns"].toLongLong(), row["min_ns"].toLongLong(),
                                           row["max_ns"].toLongLong()};
            QCOMPARE(row["threads"].toLongLong(), threads[group].size());
            QCOMPARE(row["mean_ns"].toLongLong(),
                     (row["total_ns"].toLongLong() + row["count"].toLongLong() / 2) / row["count"].toLongLong());
            if (group != last)
                onCpu << 0;
            last = group;
            if (row["state"].startsWith("running") || row["state"] == "page-fault" || row["state"] == "interrupted"
                || row["state"] == "exiting")
                onCpu.last() += row["total_ns"].toLongLong();
        }
        QVERIFY(sums.size() > 1);
        QCOMPARE(sums, expected);
        QVERIFY(std::ranges::is_sorted(onCpu, std::ranges::greater()));
    }

    void sumsNeedNoView()
    {
        const ProgramResult both = heliograph({"stats", sampleTrace(), "--by", "name", "--view", "control-flow", "--quiet"});
        QCOMPARE(both.status, 2);
        QVERIFY2(both.err.contains("--by: sums the threads of all views; not valid with --view"), both.err);
        const ProgramResult wrong = heliograph({"stats", sampleTrace(), "--by", "cpu", "--quiet"});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("--by: \"cpu\" is not one of process, name"), wrong.err);
    }

    void rowsAreChosen_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QStringList>("ids");
        const QStringList workers{"tid:252", "tid:253", "tid:254", "tid:255"};
        QTest::newRow("id") << QStringList{"--row", "tid:252"} << QStringList{"tid:252"};
        QTest::newRow("glob of ids") << QStringList{"--row", "tid:25[2-5]"} << workers;
        QTest::newRow("glob of labels") << QStringList{"--row", "worker-?"} << workers;
        QTest::newRow("thread") << QStringList{"--thread", "253"} << QStringList{"tid:253"};
        QTest::newRow("process") << QStringList{"--process", "mixwork"} << QStringList{"tid:251"} + workers;
        QTest::newRow("filter") << QStringList{"--filter", "name =~ \"^worker\" && tid < 254"} << QStringList{"tid:252", "tid:253"};
        QTest::newRow("nothing") << QStringList{"--thread", "99999"} << QStringList();
    }
    void rowsAreChosen()
    {
        QFETCH(QStringList, options);
        QFETCH(QStringList, ids);
        QStringList found;
        QStringList withStates;
        for (const CsvRow& row : csvRows(table("tracks", "control-flow", options)))
            found << row["id"];
        for (const CsvRow& row : csvRows(table("states", "control-flow", options)))
            if (!withStates.contains(row["row"]))
                withStates << row["row"];

        QCOMPARE(found, ids);
        QCOMPARE(withStates, ids);
    }

    void aFilterMaySpeakOfStatesAndDurations()
    {
        const auto all = csvRows(table("states", "control-flow", {"--thread", "252"}));
        qsizetype expected = 0;
        for (const CsvRow& state : all)
            expected += state["state"] == "sleeping" && state["end_ns"].toLongLong() - state["begin_ns"].toLongLong() > 10'000'000;

        const auto found =
            csvRows(table("states", "control-flow", {"--thread", "252", "--filter", "state == \"sleeping\" && duration > 10ms"}));

        QVERIFY(expected > 10);
        QCOMPARE(found.size(), expected);
        QCOMPARE(table("tracks", "control-flow", {"--filter", "duration > 10ms"}).status, 2);
    }

    void linksLieBetweenRows_data() { addViews(); }
    void linksLieBetweenRows()
    {
        QFETCH(QString, view);
        QSet<QByteArray> ids;
        for (const CsvRow& track : csvRows(table("tracks", view)))
            ids << track["id"];
        const auto links = csvRows(table("links", view));
        const QSet<QByteArray> kinds = view == "resources" ? QSet<QByteArray>{"migration"} : QSet<QByteArray>{"wakeup", "sched"};

        QVERIFY(links.size() > 10);
        for (const CsvRow& link : links) {
            QVERIFY2(kinds.contains(link["kind"]), link["kind"].constData());
            QVERIFY(link["from_row"].isEmpty() || ids.contains(link["from_row"]));
            QVERIFY2(ids.contains(link["to_row"]), link["to_row"].constData());
            QVERIFY(link["from_ns"].toLongLong() <= link["to_ns"].toLongLong());
            QCOMPARE(link["detail"].contains("target_cpu="), link["kind"] == "wakeup");
        }
    }

    void peopleReadTheNamesOfRows()
    {
        for (const char* command : {"states", "links"}) {
            const ProgramResult text = heliograph({command, sampleTrace(), "--view", "control-flow", "--thread", "252", "--quiet"});
            QVERIFY2(text.out.contains("tid:252 worker-"), command);
        }
    }

    void jsonIsOneObjectALineWithTheColumnsAsKeys_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command : {"tracks", "states", "stats", "links"})
            QTest::newRow(command) << command;
    }
    void jsonIsOneObjectALineWithTheColumnsAsKeys()
    {
        QFETCH(QString, command);
        const ProgramResult csv = table(command, "control-flow");
        const auto rows = csvRows(csv);
        const auto names = csvCells(csv.lines().first());
        const auto lines = heliograph({command, sampleTrace(), "--view", "control-flow", "--json", "--quiet"}).lines();

        QCOMPARE(lines.size(), rows.size());
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const QJsonObject object = QJsonDocument::fromJson(lines[i]).object();
            QCOMPARE(object.size(), names.size());
            for (const QByteArray& name : names) {
                const auto value = object[QString::fromUtf8(name)];
                if (value.isString())
                    QCOMPARE(value.toString().toUtf8(), rows[i][name]);
                else if (value.isNull())
                    QVERIFY(rows[i][name].isEmpty());
                else
                    QVERIFY(lines[i].contains('"' + name + "\":" + rows[i][name]));
            }
        }
    }
};

HELIO_TEST(TablesOutputTest)
#include "tst_tables_output.moc"
