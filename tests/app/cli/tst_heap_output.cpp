// Property: the output of the command "heap" equals the numbers that the recorded programs printed (shared/traces/README.md). It also
// equals sums over the blocks in use, which this test tracks in babeltrace2's output.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

/// Five numbers about a function: allocations, allocated bytes, frees, unfreed blocks and unfreed bytes.
using Numbers = QList<qint64>;

QString pidIn(const QString& session) { return session == "heap" ? "211" : "240"; }

QStringList ofProgram(const QString& session, const QStringList& more)
{
    return QStringList{"heap", realTrace("heap", session + "/ust")} + more
        + QStringList{"--filter",  "pid == " + pidIn(session), "--format", "csv", "--quiet", "--symbols", realTrace("heap", "bin"),
                      "--symbols", realTrace("heap", "libs")};
}

/// Reads the lines below a heading in the file of numbers that the program printed. Returns the five numbers of each line; the key is the
/// line's first word. Example of a line: "cache_insert 96 6291456 0 0 0".
QMap<QByteArray, Numbers> truth(const QString& session, const QByteArray& heading)
{
    QFile file(realTrace("heap", session + ".heap.truth.txt"));
    QMap<QByteArray, Numbers> all;
    if (!file.open(QIODevice::ReadOnly))
        return all;
    bool isBehind = false;
    while (!file.atEnd()) {
        const QByteArrayList words = file.readLine().simplified().split(' ');
        if (words.first() == "#")
            isBehind = words.join(' ').startsWith(heading);
        else if (isBehind && words.size() == 6)
            for (qsizetype i = 1; i < words.size(); ++i)
                all[words.first()] << words[i].toLongLong();
    }
    return all;
}

Numbers numbersOf(const CsvRow& row)
{
    Numbers all;
    for (const char* column : {"allocations", "bytes", "frees", "unfreed", "unfreed_bytes"})
        all << row[column].toLongLong();
    return all;
}

void add(QMap<QByteArray, Numbers>& all, const QByteArray& key, const Numbers& more)
{
    Numbers& numbers = all[key];
    numbers.resize(more.size());
    for (qsizetype i = 0; i < more.size(); ++i)
        numbers[i] += more[i];
}

} // namespace

class HeapOutputTest : public QObject {
    Q_OBJECT

private slots:
    void functionsAllocateAndFreeAsTheProgramCounted_data()
    {
        QTest::addColumn<QString>("session");
        for (const char* session : {"heap", "heap-ip"})
            QTest::addRow("%s", session) << session;
    }
    /// Property: memory allocated outside of recorded functions has a name if the address of the call was recorded.
    void functionsAllocateAndFreeAsTheProgramCounted()
    {
        QFETCH(QString, session);
        HELIO_REQUIRE_TRACE(trace, "heap", session + "/ust");
        const auto expected = truth(session, "# by innermost instrumented function");
        QCOMPARE(expected.size(), 15);
        QMap<QByteArray, Numbers> actual;
        for (const CsvRow& it : csvRows(heliograph(ofProgram(session, {}))))
            add(actual, it["module"] == "heap" && expected.contains(it["function"]) ? it["function"] : "(outside)", numbersOf(it));
        for (auto it = expected.begin(); it != expected.end(); ++it)
            QVERIFY2(actual[it.key()] == it.value(), it.key().constData());
    }

    void unknownFunctionsAreNamedUnknown()
    {
        HELIO_REQUIRE_TRACE(trace, "heap", "heap/ust");
        const auto functions = csvRows(heliograph(ofProgram("heap", {})));
        QVERIFY(std::ranges::any_of(functions, [](const CsvRow& it) { return it["function"] == "[unknown]"; }));
        QVERIFY(std::ranges::none_of(functions, [](const CsvRow& it) { return it["function"].isEmpty(); }));
        for (const CsvRow& it : csvRows(heliograph(ofProgram("heap", {"--by", "process"}))))
            QVERIFY(it["function"].isEmpty()); // A line about a process has no function.
    }

    void leaksAreNamedByTheLinesThatAllocatedThem()
    {
        HELIO_REQUIRE_TRACE(trace, "heap", "heap-ip/ust");
        const auto expected = truth("heap-ip", "# by source line of the call");
        QVERIFY(expected.size() > 20);
        QMap<QByteArray, Numbers> actual;
        for (const CsvRow& it : csvRows(heliograph(ofProgram("heap-ip", {"--by", "line"}))))
            add(actual, it["module"] == "heap" ? it["file"].split('/').last() + ':' + it["line"] : it["module"], numbersOf(it));
        for (auto it = expected.begin(); it != expected.end(); ++it)
            QVERIFY2(actual[it.key()] == it.value(), it.key().constData());

        const auto leaks = csvRows(heliograph(ofProgram("heap-ip", {"--by", "line", "--leaks"})));
        QCOMPARE(leaks.size(), 4);
        QCOMPARE(leaks[0]["function"], "leaky_session");
        QCOMPARE(leaks[0]["line"], "117");
        QCOMPARE(leaks[0]["unfreed"], "24");
        QCOMPARE(leaks[0]["largest_bytes"], "4096");
        QCOMPARE(leaks[1]["line"], "119");
        QCOMPARE(leaks[1]["unfreed"], "5");
        QCOMPARE(leaks[1]["unfreed_bytes"], "500");
    }

    void theProcessAsAWhole_data() { functionsAllocateAndFreeAsTheProgramCounted_data(); }
    void theProcessAsAWhole()
    {
        QFETCH(QString, session);
        HELIO_REQUIRE_TRACE(trace, "heap", session + "/ust");
        const auto rows = csvRows(heliograph(ofProgram(session, {"--by", "process"})));
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0]["process"], "heap");
        QCOMPARE(rows[0]["peak_bytes"], "8389895");
        QCOMPARE(rows[0]["unfreed"], "32");
        QCOMPARE(rows[0]["unfreed_bytes"], "99252");
        QCOMPARE(rows[0]["largest_bytes"], "1048576");
        QCOMPARE(rows[0]["double_frees"], "0");
        QCOMPARE(rows[0]["unknown_frees"], "0");
    }

    /// Property: after every event, memory in use equals the total size of the live blocks. The test computes the live blocks from the
    /// events that babeltrace2 prints.
    void memoryInUseIsWhatAHeapKeptByHandHas()
    {
        HELIO_REQUIRE_TRACE(trace, "heap", "heap/ust");
        static const QRegularExpression Line(R"(^\[(\d+)\.(\d{9})\] \S+ lttng_ust_libc:(\w+): .*\bvpid = 211\b.*\{ ([^{}]*) \}$)");
        static const QRegularExpression Field(R"((\w+) = (-?\w+))");
        QMap<quint64, qint64> live;
        QByteArrayList expected;
        qint64 held = -1;
        for (const QByteArray& line : babeltrace2({"--clock-seconds", "--no-delta", trace}).lines()) {
            const auto found = Line.match(QString::fromUtf8(line));
            if (!found.hasMatch())
                continue;
            QMap<QString, quint64> fields;
            for (auto it = Field.globalMatch(found.captured(4)); it.hasNext();) {
                const auto field = it.next();
                fields[field.captured(1)] = field.captured(2).toULongLong(nullptr, 0);
            }
            const QString call = found.captured(3);
            live.remove(call == "free" ? fields["ptr"] : fields.value("in_ptr"));
            if (const quint64 block = fields.value(call == "posix_memalign" ? "out_ptr" : "ptr"); call != "free" && block != 0)
                live[block] = static_cast<qint64>(fields["size"] * (call == "calloc" ? fields["nmemb"] : 1));
            qint64 sum = 0;
            for (const qint64 bytes : live)
                sum += bytes;
            if (std::exchange(held, sum) != sum && !(expected.isEmpty() && sum == 0))
                expected << (found.captured(1) + found.captured(2)).toUtf8() + ' ' + QByteArray::number(sum);
        }
        QByteArrayList actual;
        for (const CsvRow& it :
             csvRows(heliograph({"counters", trace, "--view", "heap", "--row", "pid:211/heap-bytes", "--format", "csv", "--quiet"})))
            actual << it["time_ns"] + ' ' + it["value"];
        QVERIFY(actual.size() > 6000);
        QCOMPARE(actual, expected);
        QCOMPARE(expected.last().split(' ').last(), "99252");
    }

    void latenciesOfBlocksAreByFunction()
    {
        HELIO_REQUIRE_TRACE(trace, "heap", "heap-ip/ust");
        QMap<QByteArray, int> counts;
        for (const CsvRow& it : csvRows(heliograph({"latency", trace, "--of", "allocation", "--process", "heap", "--format", "csv",
                                                    "--quiet", "--symbols", realTrace("heap", "bin")}))) {
            counts[it["name"]] += it["count"].toInt();
            QCOMPARE(it["self_ns"], "");
        }
        // parse_node calls operator new, which calls malloc(). The blocks must count for parse_node, not for operator new.
        QCOMPARE(counts["parse_node"], 1000);
        QCOMPARE(counts["leaky_session"], 29);
    }

    void theMostFrequentComeFirstWhereThatIsAsked()
    {
        HELIO_REQUIRE_TRACE(trace, "heap", "heap-ip/ust");
        const auto firstBy = [](const char* order) {
            return csvRows(heliograph(ofProgram("heap-ip", {"--by", "line", "--sort", order}))).first()["line"];
        };
        QCOMPARE(firstBy("bytes"), "71");
        QCOMPARE(firstBy("largest"), "72");
        QCOMPARE(firstBy("unfreed"), "117");
    }

    void whatIsNotThereIsSaid()
    {
        const ProgramResult none = heliograph({"heap", "--quiet", sampleTrace()});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.startsWith("heliograph: "), none.err.constData());
        QCOMPARE(heliograph({"heap", sampleTrace(), "--by", "moon"}).status, 2);
    }
};

HELIO_TEST(HeapOutputTest)
#include "tst_heap_output.moc"
