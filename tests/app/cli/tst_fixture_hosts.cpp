// Input: fixtures with several hosts in one experiment. Property: each host has the same rows, states, arrows and events as if it were
// opened alone.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

#include <tuple>

using namespace helio;

namespace {

QString fixture(const QString& name) { return QStringLiteral(SOURCE_DIR "/tests/fixtures/") + name; }

void addHosts()
{
    QTest::addColumn<QString>("experiment");
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<QByteArray>("trace"); // Index of the trace in the experiment; traces are sorted by path.
    QTest::newRow("db") << "two-hosts-small"
                        << "db" << QByteArray("db") << QByteArray("0");
    QTest::newRow("web") << "two-hosts-small"
                         << "web" << QByteArray("web") << QByteArray("1");
    QTest::newRow("guest") << "host-guest-small"
                           << "guestA" << QByteArray("guestA") << QByteArray("0");
    QTest::newRow("its host") << "host-guest-small"
                              << "host" << QByteArray("nest") << QByteArray("1");
}

void addExperiments()
{
    QTest::addColumn<QString>("experiment");
    for (const char* name : {"two-hosts-small", "host-guest-small"})
        QTest::newRow(name) << name;
}

QList<CsvRow> table(const QString& command, const QString& path, const QString& view)
{
    return csvRows(heliograph({command, path, "--view", view, "--format", "csv", "--quiet", "--no-sync"}));
}

/// Reference counts, computed from babeltrace2's text and stored beside the trace.
struct Reference {
    QMap<QByteArray, int> types;
    qint64 events = 0, begin = 0, end = 0;
};

qint64 nanoseconds(QByteArray seconds) { return seconds.replace(".", "").toLongLong(); } // Nine digits follow the decimal point.

Reference reference(const QString& path)
{
    QFile file(path + ".stats.txt");
    Reference facts;
    if (!file.open(QIODevice::ReadOnly))
        return facts;
    QByteArray section;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const auto words = line.simplified().split(' ');
        if (line.startsWith('#'))
            section = line;
        else if (section == "# events per name" && words.size() == 2)
            facts.types[words[1]] = words[0].toInt();
        else if (words[0] == "events")
            facts.events = words.value(1).toLongLong();
        else if (words[0] == "first" && words.size() > 3)
            std::tie(facts.begin, facts.end) = std::pair(nanoseconds(words[1]), nanoseconds(words[3]));
    }
    return facts;
}

/// Returns the rows of one trace, without the column of the trace's index.
QList<CsvRow> rowsOfTrace(QList<CsvRow> rows, const QByteArray& trace)
{
    rows.removeIf([&](const CsvRow& row) { return row["trace"] != trace; });
    for (CsvRow& row : rows)
        row.remove("trace");
    return rows;
}

/// Converts rows to those of a single host: removes the host's row, and the host from labels.
QList<CsvRow> withoutHosts(QList<CsvRow> rows, const QByteArray& host)
{
    for (CsvRow& row : rows) {
        if (row["parent"] == "host:" + host)
            row["parent"].clear();
        row.remove("host");
        if (row["label"].endsWith(" on " + host))
            row["label"].chop(4 + host.size());
    }
    return rows;
}

/// Returns the fields that identify a TCP packet on both hosts; an empty text if the event has no such fields. In the output, a "="
/// inside of a field's value is written as "\=".
QString packet(const QByteArray& fields)
{
    static const QRegularExpression field(R"([,{]((?:id|source_port|dest_port|seq|ack_seq|flags)\\=\w+))");
    QStringList found;
    for (auto match = field.globalMatch(QString::fromUtf8(fields)); match.hasNext();)
        found << match.next().captured(1);
    return found.join(' ');
}

} // namespace

class FixtureHostsTest : public QObject {
    Q_OBJECT

private slots:
    void aProgramIsComparedOnOneHostOrOnAll()
    {
        const QStringList both{
            "compare",   "--a",    fixture("two-hosts-small/web"), fixture("two-hosts-small/db"), "--b", fixture("two-hosts-small/web"),
            "--process", "python3"};
        QVERIFY2(heliograph(both).out.startsWith("python3: 3 in A, 2 in B;"), heliograph(both).out);
        QVERIFY(heliograph(both + QStringList{"--host", "web"}).out.startsWith("python3: 2 in A, 2 in B;"));
        QCOMPARE(heliograph(both + QStringList{"--host", "db"}).status, 2); // Side B has no host "db".
    }

    void eventsAreThoseThatBabeltraceCounted_data() { addHosts(); }
    void eventsAreThoseThatBabeltraceCounted()
    {
        QFETCH(QString, experiment);
        QFETCH(QString, folder);
        QFETCH(QByteArray, host);
        QFETCH(QByteArray, trace);
        const Reference expected = reference(fixture(experiment + '/' + folder));
        QVERIFY(expected.types.size() > 10);

        QMap<QByteArray, int> types;
        for (const CsvRow& row : csvRows(heliograph({"events", fixture(experiment), "--by-type", "--format", "csv", "--quiet"})))
            if (row["host"] == host)
                types[row["name"]] = row["count"].toInt();
        QCOMPARE(types, expected.types);

        const QByteArray text = heliograph({"info", fixture(experiment), "--json", "--quiet", "--no-sync"}).out;
        const QJsonObject info = QJsonDocument::fromJson(text).object()["traces"].toArray().at(trace.toInt()).toObject();
        QCOMPARE(info["host"].toString().toUtf8(), host);
        QCOMPARE(info["events"].toInteger(), expected.events);
        QCOMPARE(info["begin_ns"].toInteger(), expected.begin);
        QCOMPARE(info["end_ns"].toInteger(), expected.end);
    }

    void everyRowIsBelowTheHostOfItsTrace_data() { addExperiments(); }
    void everyRowIsBelowTheHostOfItsTrace()
    {
        QFETCH(QString, experiment);
        for (const char* view : {"control-flow", "resources"}) {
            QByteArray host; // Label of the last host row. Each host row comes directly before the rows of its host.
            QMap<QByteArray, QByteArray> hosts;
            QList<QByteArray> ids;
            for (const CsvRow& row : table("tracks", fixture(experiment), view)) {
                if (row["kind"] == "host") {
                    host = row["label"];
                    ids = {row["id"]};
                    continue;
                }
                QCOMPARE(row["host"], host);
                QVERIFY2(ids.contains(row["parent"]), row["id"].constData());
                QVERIFY2(!ids.contains(row["id"]), row["id"].constData());
                ids << row["id"];
                QCOMPARE(hosts.value(row["trace"], host), host);
                hosts[row["trace"]] = host;
            }
            QCOMPARE(hosts.size(), 2);
            QVERIFY(hosts["0"] != hosts["1"]);
        }
    }

    void aHostsRowsAreTheSameAloneAndWithAnother_data() { addHosts(); }
    void aHostsRowsAreTheSameAloneAndWithAnother()
    {
        QFETCH(QString, experiment);
        QFETCH(QString, folder);
        QFETCH(QByteArray, host);
        QFETCH(QByteArray, trace);
        for (const char* view : {"control-flow", "resources"}) {
            for (const char* command : {"tracks", "states", "stats"}) {
                const auto alone = rowsOfTrace(table(command, fixture(experiment + '/' + folder), view), "0");
                const auto both = rowsOfTrace(table(command, fixture(experiment), view), trace);
                QVERIFY(alone.size() >= 2);
                QCOMPARE(withoutHosts(both, host), withoutHosts(alone, host));
            }
        }
    }

    void noArrowButAPacketsLeadsToAnotherHost_data() { addExperiments(); }
    void noArrowButAPacketsLeadsToAnotherHost()
    {
        QFETCH(QString, experiment);
        QMap<QByteArray, int> arrows;
        for (const CsvRow& link : table("links", fixture(experiment), "control-flow")) {
            QVERIFY(link["kind"] == "packet" || link["from_trace"].isEmpty()
                    || link["from_trace"] == link["to_trace"]); // The field from_trace is empty if an interrupt woke the thread.
            ++arrows[link["to_trace"]];
        }
        QCOMPARE(arrows.size(), 2);
        QVERIFY(arrows["0"] > 10 && arrows["1"] > 10);
    }

    void eventsOfAHostAreTheSameAloneAndWithAnother_data() { addHosts(); }
    void eventsOfAHostAreTheSameAloneAndWithAnother()
    {
        QFETCH(QString, experiment);
        QFETCH(QString, folder);
        QFETCH(QByteArray, host);
        QFETCH(QByteArray, trace);
        const auto alone = csvRows(heliograph({"events", fixture(experiment + '/' + folder), "--format", "csv", "--quiet"}));
        const auto both = csvRows(heliograph({"events", fixture(experiment), "--format", "csv", "--quiet", "--no-sync"}));
        const auto chosen = csvRows(heliograph({"events", fixture(experiment), "--host", host, "--format", "csv", "--quiet", "--no-sync"}));

        QCOMPARE(rowsOfTrace(both, trace), rowsOfTrace(alone, "0"));
        QCOMPARE(rowsOfTrace(chosen, trace), rowsOfTrace(alone, "0"));
        QCOMPARE(chosen.size(), alone.size());
    }

    void clocksThatNothingRelatesAreReported()
    {
        const QString unrelated = fixture("host-guest-small") + "/guestA";
        QVERIFY(heliograph({"info", fixture("two-hosts-small") + "/web", unrelated}).out.contains("clocks        not synchronized"));
        QVERIFY(heliograph({"info", fixture("two-hosts-small"), "--no-sync"}).out.contains("clocks        not synchronized"));
        // There is no warning, because packets between the hosts relate their clocks.
        QVERIFY(!heliograph({"info", fixture("two-hosts-small")}).out.contains("not synchronized"));
        // There is no warning, because hypercalls relate the clocks of host and guest.
        QVERIFY(!heliograph({"info", fixture("host-guest-small")}).out.contains("not synchronized"));
    }

    /// Input: the clocks' true difference (README.md of the fixtures). Property: each packet arrives after it was sent, in both
    /// directions.
    void packetsArriveAfterTheyWereSent()
    {
        const auto events = csvRows(heliograph({"events", fixture("two-hosts-small"), "--offset", "db/kernel=5217910000", "--filter",
                                                "name =~ \"^net_(dev_queue|if_receive_skb)$\"", "--format", "csv", "--quiet"}));
        QMap<QString, CsvRow> sent;
        QMap<QByteArray, int> arrived; // Number of packets that arrived in each trace. Key: index of the trace.
        for (const CsvRow& event : events)
            if (event["name"] == "net_dev_queue" && !packet(event["fields"]).isEmpty())
                sent[packet(event["fields"])] = event;
        for (const CsvRow& event : events) {
            const auto sender = sent.constFind(packet(event["fields"]));
            if (event["name"] != "net_if_receive_skb" || sender == sent.constEnd() || (*sender)["trace"] == event["trace"])
                continue;
            QVERIFY2((*sender)["time_ns"].toLongLong() < event["time_ns"].toLongLong(), qPrintable(sender.key()));
            ++arrived[event["trace"]];
        }
        QCOMPARE(arrived, (QMap<QByteArray, int>{{"0", 41}, {"1", 22}}));
    }

    /// Input: traces of a host and a guest; --offset gives the true difference of their clocks. Property: each hypercall event of the host
    /// lies between the two messages that the guest wrote before and after the hypercall.
    void hypercallsLieBetweenTheGuestsMessages()
    {
        const auto events =
            csvRows(heliograph({"events", fixture("host-guest-small"), "--offset", "guestA/kernel=-37245200000", "--filter",
                                "name == \"lttng_logger\" || (name == \"kvm_x86_hypercall\" && a1 == 101)", "--format", "csv", "--quiet"}));
        QStringList order;
        for (const CsvRow& event : events) {
            QStringList fields = QString::fromUtf8(event["fields"]).split(';');
            order << (event["name"] == "lttng_logger" ? fields.last().remove("msg=") : "call " + fields[1].remove("a0="));
        }
        QCOMPARE(order.join(", "), QString("gh 101 3, call 3, hg 101 3, gh 101 4, call 4, hg 101 4, gh 101 5, call 5, hg 101 5"));
    }
};

HELIO_TEST(FixtureHostsTest)
#include "tst_fixture_hosts.moc"
