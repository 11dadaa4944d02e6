// Output of the command sync: clocks that it finds, and clocks that the user sets.

#include "tests/app/cli/made_packet_trace.h"
#include "tests/app/cli/two_hosts.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

QString fixture() { return QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small"); }
QStringList webFirst() { return {fixture() + "/web", fixture() + "/db"}; }

QJsonObject hostIn(const QJsonObject& document, const QString& host)
{
    for (const auto& it : document["hosts"].toArray())
        if (it.toObject()["host"].toString() == host)
            return it.toObject();
    return {};
}

QString written(const QTemporaryDir& folder, const QByteArray& text, const char* name = "clocks.json")
{
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        return {};
    return file.fileName();
}

QByteArray eventTimes(const QStringList& arguments)
{
    return heliograph(QStringList{"events", "--format", "csv", "--quiet"} + arguments).out;
}

/// Returns how many ns the second host's clock is ahead of the first host's clock when the first clock shows `at`. Uses the conversions of
/// both clocks to the reference clock, because either host may be the reference.
qint64 offsetAt(const SyncLine& first, const SyncLine& second, qint64 at)
{
    const qint64 is = first(at);
    qint64 low = at - 100'000'000'000, high = at + 100'000'000'000;
    while (low < high) { // Binary search for the second host's time with the same experiment time.
        const qint64 middle = low + (high - low) / 2;
        if (second(middle) < is)
            low = middle + 1;
        else
            high = middle;
    }
    return low - at;
}

constexpr qint64 Begin = 1'795'260'000'000'000'000;

/// Writes packets from host a to host b and, with `isBoth`, packets back. A packet takes 1 ms; the clock of b is 3 s ahead. `jitter`: time
/// in ns by which b's times are later for even packets and earlier for odd packets.
bool writeTwoHosts(const QString& folder, bool isBoth, qint64 jitter = 0)
{
    constexpr qint64 Ahead = 3'000'000'000, Way = 1'000'000;
    std::vector<MadePacketEvent> a, b;
    for (quint32 i = 0; i < 200; ++i) {
        const qint64 at = Begin + qint64(i) * 10'000'000;
        const qint64 off = i % 2 == 0 ? jitter : -jitter;
        a.push_back({at, true, 1'000 + i, 0});
        b.push_back({at + Ahead + Way + off, false, 1'000 + i, 0});
        if (isBoth) {
            b.push_back({at + Ahead + 2 * Way + off, true, 5'000 + i, 1});
            a.push_back({at + 3 * Way, false, 5'000 + i, 1});
        }
    }
    const auto byTime = [](std::vector<MadePacketEvent>& it) { std::ranges::stable_sort(it, {}, &MadePacketEvent::time); };
    byTime(a);
    byTime(b);
    return writePacketTrace(folder, "a", 1, a) && writePacketTrace(folder, "b", 2, b);
}

} // namespace

class SyncOutputTest : public QObject {
    Q_OBJECT

private slots:
    void textSaysWhatWasFound()
    {
        const ProgramResult answer = heliograph(QStringList{"sync", "--quiet"} + webFirst());
        QCOMPARE(answer.status, 0);
        const auto lines = answer.lines();
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0], QByteArray("web: the reference"));
        static const QRegularExpression sentence(
            "^db: 5\\.21\\d+ s behind web, drift (-?[\\d.]+) \u00b1 ([\\d.]+) ppm, accurate to \u00b1(\\d+) "
            "\u00b5s \\(\u00b1\\d+ \u00b5s at best\\), from 63 packets$");
        const auto match = sentence.match(QString::fromUtf8(lines[1]));
        QVERIFY2(match.hasMatch(), lines[1].constData());
        // The text output has the maximum error of the clock over the trace, `error_ns`, and not the error at the best time.
        const qint64 error = hostIn(syncObject(webFirst()), "db")["error_ns"].toInteger();
        QVERIFY2(std::abs(match.captured(3).toLongLong() * 1000 - error) <= 1000, lines[1].constData());
        // Expected drift: one clock is slewed by -30 ppm, the other by +50 ppm.
        QVERIFY2(std::abs(match.captured(1).toDouble() + 80.8) <= match.captured(2).toDouble(), lines[1].constData());
    }

    void documentHasWhatTheContractSays()
    {
        const QJsonObject document = syncObject(webFirst());
        QCOMPARE(document["reference"].toString(), "web");
        QCOMPARE(document["pieces"].toArray().size(), 0);
        const QJsonObject web = hostIn(document, "web");
        QCOMPARE(web["method"].toString(), "reference");
        QCOMPARE(web["matches"].toInt(), 0);
        QCOMPARE(web["path"].toArray(), QJsonArray{"web"});
        const QJsonObject db = hostIn(document, "db");
        QCOMPARE(db["method"].toString(), "packets");
        QCOMPARE(db["quality"].toString(), "accurate");
        QCOMPARE(db["matches"].toInt(), 63);
        QCOMPARE(db["matches_to"].toInt(), 41);
        QCOMPARE(db["matches_from"].toInt(), 22);
        QCOMPARE(db["traces"].toArray(), QJsonArray{1});
        QCOMPARE(db["path"].toArray(), (QJsonArray{"web", "db"}));
        const SyncLine line = syncLines(webFirst())["db"];
        QCOMPARE(line(line.at), line.is);
        // 5'217'910'000 ns is the true difference of the clocks of db and web (README.md of the fixtures).
        QVERIFY(std::abs(line.is - line.at - 5'217'910'000) < 500'000);
        QVERIFY(db["error_ns"].toInteger() > 0 && db["error_ns"].toInteger() < 1'000'000);
    }

    void bothNumbersOfALineSayTheSame()
    {
        const QByteArray text = heliograph(QStringList{"sync", "--json", "--quiet"} + webFirst()).out;
        const auto line = syncLines(webFirst())["db"];
        static const QRegularExpression rate("\"rate\":([01]\\.\\d{20})");
        QCOMPARE(rate.globalMatch(QString::fromLatin1(text)).hasNext(), true);
        const SyncLine byOffset{0, line.host["offset_ns"].toInteger(), line.gain, {}};
        for (const qint64 at : {line.at - 1'000'000'000, line.at, line.at + 1'000'000'000})
            QVERIFY(std::abs(byOffset(at) - line(at)) <= 1);
    }

    void anotherReferenceIsTheInverse()
    {
        const auto document = syncObject(webFirst() + QStringList{"--reference", "db"});
        QCOMPARE(document["reference"].toString(), "db");
        QCOMPARE(hostIn(document, "db")["method"].toString(), "reference");
        QCOMPARE(hostIn(document, "web")["matches_to"].toInt(), 22);
        const auto there = syncLines(webFirst())["db"];
        const auto back = syncLines(webFirst() + QStringList{"--reference", "db"})["web"];
        QVERIFY(std::abs(back(there(there.at)) - there.at) <= 2);
        const ProgramResult wrong = heliograph(QStringList{"sync", "--reference", "nobody", "--quiet"} + webFirst());
        QCOMPARE(wrong.status, 2);
        QVERIFY(wrong.err.contains("there are: web, db"));
    }

    void whatWasFoundCanBeGivenExactly()
    {
        const QTemporaryDir folder;
        const QByteArray found = heliograph(QStringList{"sync", "--json", "--quiet"} + webFirst()).out;
        const QString file = written(folder, found);
        QCOMPARE(eventTimes(webFirst() + QStringList{"--sync", file}), eventTimes(webFirst()));
        const QByteArray again = heliograph(QStringList{"sync", "--json", "--quiet", "--sync", file} + webFirst()).out;
        const auto points = [](const QByteArray& text) { return QJsonDocument::fromJson(text).object().value("points"); };
        QVERIFY(!points(found).toArray().isEmpty());
        QCOMPARE(points(again), points(found));
        // A clock file keeps everything: with the file, the method, quality, matches and errors of the host "db" are those of the clock
        // that was written to the file.
        QCOMPARE(hostIn(QJsonDocument::fromJson(again).object(), "db"), hostIn(QJsonDocument::fromJson(found).object(), "db"));
        const QByteArray text = heliograph(QStringList{"sync", "--quiet"} + webFirst()).lines()[1];
        const QByteArray ofFile = heliograph(QStringList{"sync", "--quiet", "--sync", file} + webFirst()).lines()[1];
        QCOMPARE(ofFile, text + ", from a clock file");
    }

    void aHandThatStatesNoErrorClaimsNone()
    {
        const QTemporaryDir folder;
        const QString file = written(folder, "{\"reference\":\"web\",\"hosts\":[{\"host\":\"db\",\"offset_ns\":-5217910000}]}");
        const QStringList given = webFirst() + QStringList{"--sync", file};
        const QJsonObject db = hostIn(syncObject(given), "db");
        QCOMPARE(db["method"].toString(), "manual");
        QCOMPARE(db["quality"].toString(), "none");
        QVERIFY(db["error_ns"].isNull() && db["bound_ns"].isNull());
        const ProgramResult text = heliograph(QStringList{"sync", "--quiet"} + given);
        QVERIFY2(text.lines()[1].contains(", set by hand, accuracy unknown"), text.out.constData());
        const ProgramResult latency = heliograph(QStringList{"latency", "--of", "packet", "--format", "csv"} + given);
        QVERIFY2(!latency.err.contains("accurate to") && latency.err.contains("accuracy of some cross-host times is unknown"),
                 latency.err.constData());
        const QByteArray list = heliograph(QStringList{"latency", "--of", "packet", "--list", "--format", "csv", "--quiet"} + given).out;
        QVERIFY(list.count('\n') > 40 && !list.contains("error_ns="));
        const ProgramResult byOffset =
            heliograph(QStringList{"sync", "--quiet", "--offset", webFirst()[1] + "/kernel=-5217910000"} + webFirst());
        QVERIFY2(byOffset.out.contains("db: 5.21791 s ahead of web, set by hand, accuracy unknown"), byOffset.out.constData());
    }

    /// Input: a clock file with different rates of db's clock in two parts of the time ("pieces"). Property: three raw times of db, a
    /// second apart, are converted with these rates.
    void piecewiseClocksAreApplied()
    {
        const QTemporaryDir folder;
        const qint64 begin = syncLines(webFirst())["db"].at;
        const QByteArray from = QByteArray::number(begin - 1'000'000'000), middle = QByteArray::number(begin);
        // In the second half, the clock gains 100 ppm.
        const auto piece = [](const QByteArray& at, const QByteArray& is, const char* rate) {
            return "{\"host\":\"db\",\"from_ns\":" + at + ",\"at_ns\":" + at + ",\"is_ns\":" + is + ",\"rate\":" + rate
                + ",\"error_ns\":7000}";
        };
        const QByteArray fromIs = QByteArray::number(begin - 1'000'000'000 + 5'000'000'000),
                         middleIs = QByteArray::number(begin + 5'000'000'000);
        const QString file = written(folder,
                                     "{\"reference\":\"web\",\"hosts\":[{\"host\":\"db\",\"at_ns\":" + middle + ",\"is_ns\":" + middleIs
                                         + "}],\"pieces\":[" + piece(from, fromIs, "1.0") + "," + piece(middle, middleIs, "1.0001") + "]}");
        const auto raw = csvRows({0, eventTimes({fixture() + "/db"}), {}});
        auto given = csvRows({0, eventTimes(webFirst() + QStringList{"--sync", file, "--host", "db"}), {}});
        QCOMPARE(given.size(), raw.size());
        int before = 0, behind = 0;
        for (qsizetype i = 0; i < raw.size(); ++i) {
            const qint64 t = raw[i]["time_ns"].toLongLong() - begin;
            const qint64 expected = t < 0 ? t : t + qint64(double(t) * 1e-4);
            QVERIFY(std::abs(given[i]["time_ns"].toLongLong() - begin - 5'000'000'000 - expected) <= 1);
            ++(t < 0 ? before : behind);
        }
        QVERIFY(before > 10 && behind > 10);
        const auto document = syncObject(webFirst() + QStringList{"--sync", file});
        QCOMPARE(document["pieces"].toArray().size(), 2);
        QCOMPARE(document["pieces"].toArray()[1].toObject()["error_ns"].toInt(), 7000);
        const QString again =
            written(folder, heliograph(QStringList{"sync", "--json", "--quiet", "--sync", file} + webFirst()).out, "2.json");
        QCOMPARE(eventTimes(webFirst() + QStringList{"--sync", again}), eventTimes(webFirst() + QStringList{"--sync", file}));
    }

    void aFileIsTurnedToAnotherReference()
    {
        const QTemporaryDir folder;
        const QString file = written(folder, heliograph(QStringList{"sync", "--json", "--quiet"} + webFirst()).out);
        const QStringList turned = webFirst() + QStringList{"--reference", "db"};
        const auto now = csvRows({0, eventTimes(turned + QStringList{"--sync", file}), {}});
        const auto found = csvRows({0, eventTimes(turned), {}});
        QVERIFY(now.size() == found.size() && now.size() > 100);
        for (qsizetype i = 0; i < now.size(); ++i)
            QVERIFY(std::abs(now[i]["time_ns"].toLongLong() - found[i]["time_ns"].toLongLong()) <= 2);
        const ProgramResult unknown = heliograph(QStringList{"sync", "--quiet", "--sync", file, "--reference", "elsewhere"} + webFirst());
        QCOMPARE(unknown.status, 2);
        QVERIFY2(unknown.err.contains("clocks.json does not relate the clock of \"elsewhere\""), unknown.err.constData());
    }

    void hostsOfAFileThatAreNotOpenAreNamed()
    {
        const QTemporaryDir folder;
        const QString file = written(folder, "{\"reference\":\"web\",\"hosts\":[{\"host\":\"dbb\",\"offset_ns\":5}]}");
        const ProgramResult answer = heliograph(QStringList{"sync", "--sync", file} + webFirst());
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.err.contains("no host is named \"dbb\", so it is ignored; available: web, db"), answer.err.constData());
    }

    void anErrorThatIsNotKnownIsNotNone()
    {
        const QTemporaryDir folder;
        const QString file =
            written(folder, "{\"reference\":\"web\",\"hosts\":[{\"host\":\"db\",\"offset_ns\":5000000000,\"error_ns\":null}]}");
        const QJsonObject db = hostIn(syncObject(webFirst() + QStringList{"--sync", file}), "db");
        QCOMPARE(db["method"].toString(), "manual");
        QVERIFY(db["error_ns"].isNull());
    }

    void timesThatAreLeftRawComeBackRaw()
    {
        const QTemporaryDir folder;
        const QString file = written(folder, "{\"reference\":\"web\",\"hosts\":[{\"host\":\"db\",\"raw\":true}]}");
        const QByteArray document = heliograph(QStringList{"sync", "--json", "--quiet", "--sync", file} + webFirst()).out;
        QCOMPARE(hostIn(QJsonDocument::fromJson(document).object(), "db")["raw"].toBool(), true);
        const QString again = written(folder, document, "again.json");
        const ProgramResult answer = heliograph(QStringList{"sync", "--quiet", "--sync", again} + webFirst());
        QVERIFY2(answer.out.contains("db: its times are left raw"), answer.out.constData());
        QCOMPARE(eventTimes(webFirst() + QStringList{"--sync", again}), eventTimes(webFirst() + QStringList{"--no-sync"}));
    }

    void aRateWithAnOffsetIsAsExactAsAMoment()
    {
        const QTemporaryDir folder;
        const SyncLine line = syncLines(webFirst())["db"];
        const QByteArray text = heliograph(QStringList{"sync", "--json", "--quiet"} + webFirst()).out;
        const QByteArray rate = text.mid(text.indexOf("\"rate\":", text.indexOf("\"host\":\"db\"")) + 7, 22);
        const QByteArray offset = QByteArray::number(line.host["offset_ns"].toInteger());
        const QString byOffset = written(folder,
                                         "{\"reference\":\"web\",\"hosts\":[{\"host\":\"db\",\"offset_ns\":" + offset + ",\"rate\":" + rate
                                             + ",\"error_ns\":50}]}",
                                         "offset.json");
        const QString byMoment = written(folder,
                                         "{\"reference\":\"web\",\"hosts\":[{\"host\":\"db\",\"at_ns\":" + QByteArray::number(line.at)
                                             + ",\"is_ns\":" + QByteArray::number(line.is) + ",\"rate\":" + rate + "}]}",
                                         "moment.json");
        const auto first = csvRows({0, eventTimes(webFirst() + QStringList{"--sync", byOffset, "--host", "db"}), {}});
        const auto second = csvRows({0, eventTimes(webFirst() + QStringList{"--sync", byMoment, "--host", "db"}), {}});
        QVERIFY(first.size() == second.size() && first.size() > 100);
        for (qsizetype i = 0; i < first.size(); ++i)
            QVERIFY(std::abs(first[i]["time_ns"].toLongLong() - second[i]["time_ns"].toLongLong()) <= 2);
        QVERIFY(hostIn(syncObject(webFirst() + QStringList{"--sync", byOffset}), "db")["error_ns"].toInteger() <= 55);
    }

    void packetsAtTheBeginSayLessOfWhatComesLater()
    {
        const QTemporaryDir folder;
        std::vector<MadePacketEvent> a, b;
        for (quint32 i = 0; i < 8; ++i) {
            a.push_back({Begin + i * 1'000'000, true, 1'000 + i, 0});
            b.push_back({Begin + i * 1'000'000 + 100'000, false, 1'000 + i, 0});
            b.push_back({Begin + i * 1'000'000 + 300'000, true, 5'000 + i, 1});
            a.push_back({Begin + i * 1'000'000 + 400'000, false, 5'000 + i, 1});
        }
        a.push_back({Begin + 600'000'000'000, true, 9'999, 0});
        b.push_back({Begin + 600'000'000'000, true, 9'998, 1});
        QVERIFY(writePacketTrace(folder.path(), "a", 1, a) && writePacketTrace(folder.path(), "b", 2, b));
        const QByteArray text = heliograph({"sync", "--quiet", folder.filePath("a"), folder.filePath("b")}).out;
        static const QRegularExpression seconds("accurate to \u00b1[\\d.]+ s \\(\u00b110[01] \u00b5s at best\\)");
        QVERIFY2(seconds.match(QString::fromUtf8(text)).hasMatch(), text.constData());
    }

    void hostsOfOneNameComeBackEachAsItWas()
    {
        const QTemporaryDir folder;
        std::vector<MadePacketEvent> client, first, second;
        for (quint32 i = 0; i < 50; ++i) {
            const qint64 at = Begin + i * 1'000'000;
            client.push_back({at, true, 1'000 + i, 0});
            first.push_back({at + 5'000'100'000, false, 1'000 + i, 0});
            first.push_back({at + 5'000'300'000, true, 5'000 + i, 1});
            client.push_back({at + 400'000, false, 5'000 + i, 1});
        }
        for (quint32 i = 0; i < 50; ++i) {
            const qint64 at = Begin + 1'000'000'000 + i * 1'000'000;
            client.push_back({at, true, 11'000 + i, 0});
            second.push_back({at - 7'000'000'000 + 100'000, false, 11'000 + i, 0});
            second.push_back({at - 7'000'000'000 + 300'000, true, 15'000 + i, 1});
            client.push_back({at + 400'000, false, 15'000 + i, 1});
        }
        QVERIFY(writePacketTrace(folder.path(), "client", 1, client) && writePacketTrace(folder.filePath("1"), "vm", 2, first)
                && writePacketTrace(folder.filePath("2"), "vm", 3, second));
        const QStringList traces{folder.filePath("client"), folder.filePath("1/vm"), folder.filePath("2/vm")};
        const QString file = written(folder, heliograph(QStringList{"sync", "--json", "--quiet"} + traces).out);
        const ProgramResult again = heliograph(QStringList{"sync", "--quiet", "--sync", file} + traces);
        QCOMPARE(again.status, 0);
        QVERIFY2(again.out.contains("vm: 5 s ahead of client") && again.out.contains("vm#2: 7 s behind client"), again.out.constData());
        QCOMPARE(eventTimes(traces + QStringList{"--sync", file}), eventTimes(traces));
    }

    void rawTimesStayRaw()
    {
        QCOMPARE(eventTimes(webFirst() + QStringList{"--no-sync", "--host", "db"}).count('\n'),
                 eventTimes({fixture() + "/db"}).count('\n'));
        const auto raw = csvRows({0, eventTimes({fixture() + "/db"}), {}});
        const auto left = csvRows({0, eventTimes(webFirst() + QStringList{"--no-sync", "--host", "db"}), {}});
        QCOMPARE(left.first()["time_ns"], raw.first()["time_ns"]);
        // With --no-sync, the clocks are not aligned, but the number of packets matched between the hosts is still reported.
        QCOMPARE(hostIn(syncObject(webFirst() + QStringList{"--no-sync"}), "db")["matches"].toInt(), 63);
    }

    void withoutPacketsNothingIsClaimed()
    {
        const QStringList hosts{fixture() + "/web", QStringLiteral(SOURCE_DIR "/tests/fixtures/host-guest-small/guestA")};
        const ProgramResult answer = heliograph(QStringList{"sync", "--quiet"} + hosts);
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.out.contains("its clock cannot be related to that of"), answer.out.constData());
        const auto document = syncObject(hosts);
        for (const auto& host : document["hosts"].toArray())
            if (host.toObject()["method"].toString() != "reference") {
                QCOMPARE(host.toObject()["method"].toString(), "none");
                QCOMPARE(host.toObject()["quality"].toString(), "none");
                QVERIFY(host.toObject()["error_ns"].isNull() && host.toObject()["path"].toArray().isEmpty());
            }
    }

    void packetsWithoutAddressesSuffice()
    {
        const QTemporaryDir folder;
        QVERIFY(writeTwoHosts(folder.path(), true));
        const QStringList traces{folder.filePath("a"), folder.filePath("b")};
        const QJsonObject b = hostIn(syncObject(traces), "b");
        QCOMPARE(b["quality"].toString(), "accurate");
        QCOMPARE(b["matches_to"].toInt(), 200);
        QCOMPARE(b["matches_from"].toInt(), 200);
        const SyncLine line = syncLines(traces)["b"];
        QVERIFY(std::abs(line(Begin + 3'000'000'000) - Begin) <= 1'000'000);
        QVERIFY(b["error_ns"].toInteger() >= 1'000'000 && b["error_ns"].toInteger() < 1'300'000);
    }

    void oneWayIsSaidAndNoErrorIsClaimed()
    {
        const QTemporaryDir folder;
        QVERIFY(writeTwoHosts(folder.path(), false));
        const QStringList traces{folder.filePath("a"), folder.filePath("b")};
        const QJsonObject b = hostIn(syncObject(traces), "b");
        QCOMPARE(b["quality"].toString(), "one-way");
        QVERIFY(b["error_ns"].isNull());
        QCOMPARE(b["matches_from"].toInt(), 0);
        // Packets go in one direction only, so their transit times are unknown. The offset is chosen so that the fastest packet takes no
        // time.
        QCOMPARE(syncLines(traces)["b"](Begin + 3'001'000'000), Begin);
        const ProgramResult text = heliograph(QStringList{"sync", "--quiet"} + traces);
        QVERIFY2(text.out.contains("accuracy unknown: its packets go one way only"), text.out.constData());
        const QByteArray list = heliograph(QStringList{"latency", "--of", "packet", "--list", "--format", "csv", "--quiet"} + traces).out;
        QCOMPARE(list.count("tcp a > b"), 200);
        QVERIFY(!list.contains("error_ns="));
    }

    void whyNothingMatchesIsSaid()
    {
        const QTemporaryDir folder;
        std::vector<MadePacketEvent> a, b;
        for (quint32 i = 0; i < 20; ++i) {
            a.push_back({Begin + i * 1'000, i % 2 == 0, 1'000 + i, 0});
            b.push_back({Begin + i * 1'000, i % 2 == 0, 7'000 + i, 0});
        }
        std::vector<MadePacketEvent> c = b;
        for (MadePacketEvent& it : c)
            it.isOut = true;
        QVERIFY(writePacketTrace(folder.path(), "a", 1, a) && writePacketTrace(folder.path(), "b", 2, b)
                && writePacketTrace(folder.path(), "c", 3, c));
        const QByteArray both = heliograph({"sync", "--quiet", folder.filePath("a"), folder.filePath("b")}).out;
        QVERIFY2(both.contains("b: its clock cannot be related to that of a: 20 of its packets recorded, none of them on another "
                               "host: they went elsewhere, or their addresses are translated (NAT)"),
                 both.constData());
        const QByteArray half = heliograph({"sync", "--quiet", folder.filePath("a"), folder.filePath("c")}).out;
        QVERIFY2(half.contains("20 of its packets recorded on departure, but none on arrival"), half.constData());
        const QByteArray alone =
            heliograph({"sync", "--quiet", folder.filePath("a"), QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small")}).out;
        QVERIFY2(alone.contains("none of its packets were recorded"), alone.constData());
    }

    void contradictionsAreNotApplied()
    {
        const QTemporaryDir folder;
        QVERIFY(writeTwoHosts(folder.path(), true, 500'000'000));
        const QStringList traces{folder.filePath("a"), folder.filePath("b")};
        const QJsonObject b = hostIn(syncObject(traces), "b");
        QCOMPARE(b["quality"].toString(), "failed");
        QCOMPARE(b["method"].toString(), "none");
        const ProgramResult text = heliograph(QStringList{"sync", "--quiet"} + traces);
        QVERIFY2(text.out.contains("contradict each other, so its times are left raw"), text.out.constData());
        QCOMPARE(eventTimes(traces + QStringList{"--host", "b"}), eventTimes(traces + QStringList{"--host", "b", "--no-sync"}));
    }

    void filesThatMakeNoSenseAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("nothing") << QByteArray("") << QByteArray("clocks.json: ");
        QTest::newRow("no hosts") << QByteArray("{}") << QByteArray("there is no array \"hosts\"");
        QTest::newRow("no numbers") << QByteArray("{\"hosts\":[{\"host\":\"db\"}]}") << QByteArray("offset_ns (or at_ns and is_ns)");
        QTest::newRow("no rate") << QByteArray("{\"hosts\":[{\"host\":\"db\",\"offset_ns\":1,\"rate\":5}]}") << QByteArray("\"rate\"");
        QTest::newRow("piece") << QByteArray(
            "{\"hosts\":[{\"host\":\"db\",\"offset_ns\":1}],\"pieces\":[{\"host\":\"db\",\"offset_ns\":1}]}")
                               << QByteArray("has no from_ns");
        QTest::newRow("points") << QByteArray("{\"hosts\":[{\"host\":\"db\",\"offset_ns\":1}],\"points\":[{\"host\":\"db\",\"at_ns\":5,"
                                              "\"is_ns\":5,\"error_ns\":1},{\"host\":\"db\",\"at_ns\":5,\"is_ns\":5,\"error_ns\":1}]}")
                                << QByteArray("are not in ascending order");
        QTest::newRow("is negative") << QByteArray("{\"hosts\":[{\"host\":\"db\",\"offset_ns\":1}],\"points\":[{\"host\":\"db\","
                                                   "\"at_ns\":5,\"is_ns\":5,\"error_ns\":-1}]}")
                                     << QByteArray("is negative");
        QTest::newRow("negative error of a host")
            << QByteArray("{\"hosts\":[{\"host\":\"db\",\"offset_ns\":1,\"error_ns\":-5}]}") << QByteArray("is negative");
        QTest::newRow("least offset") << QByteArray("{\"hosts\":[{\"host\":\"db\",\"offset_ns\":-9223372036854775808}]}")
                                      << QByteArray("\"offset_ns\" must be a time of at most");
        QTest::newRow("last moment") << QByteArray("{\"hosts\":[{\"host\":\"db\",\"at_ns\":9223372036854775807,\"is_ns\":1}]}")
                                     << QByteArray("\"at_ns\" must be a time of at most");
        QTest::newRow("last piece") << QByteArray("{\"hosts\":[{\"host\":\"db\",\"offset_ns\":1}],\"pieces\":[{\"host\":\"db\","
                                                  "\"from_ns\":9223372036854775807,\"offset_ns\":1}]}")
                                    << QByteArray("\"from_ns\" must be a time of at most");
    }
    void filesThatMakeNoSenseAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, why);
        const QTemporaryDir folder;
        const ProgramResult answer = heliograph(QStringList{"sync", "--quiet", "--sync", written(folder, text)} + webFirst());
        QVERIFY(answer.status == 1 || answer.status == 2);
        QVERIFY2(answer.err.contains(why) && answer.err.contains("clocks.json"), answer.err.constData());
    }

    /// Property: the error of a host reached through a clock set by the user is the sum of both errors; this sum is unknown if the user
    /// gave no error.
    void hostReachedThroughAnOverrideHasItsError()
    {
        HELIO_REQUIRE_TRACE(folder, "two-hosts");
        const QTemporaryDir files;
        for (const QByteArray error : {",\"error_ns\":1000000", ""}) {
            const QString file = written(files, R"({"reference":"client","hosts":[{"host":"web","offset_ns":-4412234000)" + error + "}]}");
            const ProgramResult said = heliograph({"sync", "--quiet", folder + "/client", folder + "/web", folder + "/db", "--sync", file});
            QVERIFY2(said.lines().value(2).contains(error.isEmpty() ? "accuracy unknown" : "ppm, accurate to \u00b11."), said.out);
        }
    }

    void truthOfThreeHostsIsWithinTheError()
    {
        HELIO_REQUIRE_TRACE(folder, "two-hosts");
        const auto lines = syncLines({folder + "/client", folder + "/web", folder + "/db"});
        const auto isWithin = [&](const char* first, const char* second, qint64 at, qint64 low, qint64 high) {
            const qint64 error = lines[first].host["error_ns"].toInteger() + lines[second].host["error_ns"].toInteger();
            const qint64 offset = offsetAt(lines[first], lines[second], at);
            return offset >= low - error && offset <= high + error;
        };
        // Bounds of the true offsets, from four time stamps before and four after the recording (truth.txt).
        QVERIFY(isWithin("client", "web", 1795260114'839000000, 4'411'643'998, 4'412'032'160));
        QVERIFY(isWithin("client", "web", 1795260130'483000000, 4'412'429'432, 4'412'803'160));
        QVERIFY(isWithin("web", "db", 1795260120'939000000, -5'217'506'845, -5'217'149'821));
        QVERIFY(isWithin("web", "db", 1795260136'338000000, -5'218'751'026, -5'218'386'121));
        QVERIFY(lines["db"].host["error_ns"].toInteger() < 2'000'000);
        QCOMPARE(lines["web"].host["matches"].toInt(), 428);
        QCOMPARE(lines["db"].host["matches"].toInt(), 1168);
    }
};

HELIO_TEST(SyncOutputTest)
#include "tst_sync_output.moc"
