// Property: the packet transits that Heliograph reports equal those that the test computes from babeltrace2's text. The test matches the
// packets and converts the times with code of its own.

#include "tests/app/cli/two_hosts.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

QString fixture() { return QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small"); }

QStringList tracesIn(const QString& folder, const QStringList& hosts)
{
    QStringList all;
    for (const QString& host : hosts)
        all << folder + '/' + host;
    return all;
}

QList<CsvRow> latency(const QStringList& traces, const QStringList& more)
{
    return csvRows(heliograph(QStringList{"latency", "--of", "packet", "--format", "csv", "--quiet"} + traces + more));
}

QMap<QByteArray, QByteArray> fieldsOf(const CsvRow& row)
{
    QMap<QByteArray, QByteArray> fields;
    for (const QByteArray& field : row["fields"].split(';'))
        fields[field.left(field.indexOf('='))] = field.mid(field.indexOf('=') + 1);
    return fields;
}

QByteArray flagsText(qint64 flags)
{
    QByteArrayList names;
    for (int bit = 0; bit < 5; ++bit)
        if (flags >> bit & 1)
            names << QByteArrayList{"fin", "syn", "rst", "psh", "ack"}[bit];
    return names.join('|');
}

/// Nearest-rank percentile of sorted durations.
qint64 rank(const std::vector<qint64>& lengths, std::size_t percent) { return lengths[(lengths.size() * percent + 99) / 100 - 1]; }

void compareWithText(const QString& folder, const QStringList& hosts)
{
    const auto packets = wirePackets(folder, hosts);
    const QStringList traces = tracesIn(folder, hosts);

    auto raw = latency(traces, {"--list", "--no-sync"});
    QCOMPARE(std::size_t(raw.size()), packets.size());
    std::ranges::stable_sort(raw, {}, [](const CsvRow& row) { return row["begin_ns"].toLongLong(); });
    for (std::size_t i = 0; i < packets.size(); ++i) {
        const CsvRow& row = raw[qsizetype(i)];
        const auto fields = fieldsOf(row);
        QCOMPARE(row["begin_ns"].toLongLong(), packets[i].sent);
        QCOMPARE(row["end_ns"].toLongLong(), packets[i].received);
        QCOMPARE(row["duration_ns"].toLongLong(), packets[i].received - packets[i].sent);
        QCOMPARE(row["kind"], QByteArray("packet"));
        QCOMPARE(row["name"], packets[i].connection);
        QCOMPARE(fields["seq"].toLongLong(), packets[i].sequence);
        QCOMPARE(fields["ack"].toLongLong(), packets[i].acknowledgement);
        QCOMPARE(fields["length"].toLongLong(), packets[i].length);
        QCOMPARE(fields["flags"], flagsText(packets[i].flags));
        QCOMPARE(fields["from_host"], packets[i].from);
        QCOMPARE(fields["to_host"], packets[i].to);
        QCOMPARE(row["trace"].toInt(), int(hosts.indexOf(QString::fromLatin1(packets[i].from))));
        QVERIFY(!fields.contains("error_ns") && !fields.contains("beyond_error"));
    }

    const auto lines = syncLines(traces);
    auto synced = latency(traces, {"--list"});
    QCOMPARE(synced.size(), raw.size());
    QMap<QByteArray, std::vector<qint64>> lengths;
    for (const CsvRow& row : synced)
        lengths[row["name"]].push_back(row["duration_ns"].toLongLong());
    for (const WirePacket& packet : packets) {
        const qint64 begin = lines[packet.from](packet.sent);
        const qint64 end = lines[packet.to](packet.received);
        const auto isIt = [&](const CsvRow& row) {
            return row["name"] == packet.connection && std::abs(row["begin_ns"].toLongLong() - begin) <= 2
                && std::abs(row["end_ns"].toLongLong() - end) <= 2;
        };
        const auto found = std::ranges::find_if(synced, isIt);
        QVERIFY2(found != synced.end(), packet.connection.constData());
        const auto fields = fieldsOf(*found);
        QVERIFY(fields["error_ns"].toLongLong() > 0);
        QVERIFY((*found)["duration_ns"].toLongLong() >= 0 && !fields.contains("beyond_error"));
        synced.erase(found);
    }
    QVERIFY(synced.isEmpty());

    const auto sums = latency(traces, {});
    QCOMPARE(sums.size(), lengths.size());
    for (const CsvRow& sum : sums) {
        auto& of = lengths[sum["name"]];
        std::ranges::sort(of);
        QCOMPARE(sum["count"].toULongLong(), of.size());
        QCOMPARE(sum["p50_ns"].toLongLong(), rank(of, 50));
        QCOMPARE(sum["p90_ns"].toLongLong(), rank(of, 90));
        QCOMPARE(sum["p99_ns"].toLongLong(), rank(of, 99));
        QCOMPARE(sum["min_ns"].toLongLong(), of.front());
        QCOMPARE(sum["max_ns"].toLongLong(), of.back());
    }
}

} // namespace

class PacketOutputTest : public QObject {
    Q_OBJECT

private slots:
    void eachPacketIsAsTheTextHasIt() { compareWithText(fixture(), {"web", "db"}); }

    void eachPacketOfThreeHostsIsAsTheTextHasIt()
    {
        HELIO_REQUIRE_TRACE(folder, "two-hosts");
        compareWithText(folder, {"client", "web", "db"});
    }

    void packetsOfThreeHostsSumUpByHosts()
    {
        HELIO_REQUIRE_TRACE(folder, "two-hosts");
        QMap<QByteArray, QByteArray> counts;
        for (const CsvRow& sum : latency(tracesIn(folder, {"client", "web", "db"}), {"--by", "hosts"}))
            counts[sum["name"]] = sum["count"];
        QCOMPARE(
            counts,
            (QMap<QByteArray, QByteArray>{{"client > web", "204"}, {"web > client", "224"}, {"web > db", "732"}, {"db > web", "436"}}));
    }

    void bothDirectionsHaveTheirSums()
    {
        QMap<QByteArray, QByteArray> counts;
        for (const CsvRow& sum : latency({fixture()}, {"--by", "hosts"}))
            counts[sum["name"]] = sum["count"];
        QCOMPARE(counts, (QMap<QByteArray, QByteArray>{{"web > db", "41"}, {"db > web", "22"}}));
    }

    void aHostIsTheSenders()
    {
        const auto ofDb = latency({fixture()}, {"--list", "--host", "db"});
        QCOMPARE(ofDb.size(), 22);
        for (const CsvRow& row : ofDb)
            QCOMPARE(fieldsOf(row)["from_host"], QByteArray("db"));
    }

    void filtersSpeakOfNameAndDuration()
    {
        const auto all = latency({fixture()}, {"--list"});
        const auto slow = latency({fixture()}, {"--list", "--filter", "duration > 300us && name =~ \"10.0.2.2:\\\\d+ >\""});
        const auto expected = std::ranges::count_if(
            all, [](const CsvRow& row) { return row["duration_ns"].toLongLong() > 300'000 && row["name"].startsWith("tcp 10.0.2.2:"); });
        QVERIFY(expected > 0 && expected < 41);
        QCOMPARE(slow.size(), expected);
    }

    void windowHoldsWholeTransits()
    {
        const auto all = latency({fixture()}, {"--list"});
        const qint64 begin = all[10]["begin_ns"].toLongLong();
        const qint64 end = all[40]["end_ns"].toLongLong();
        const auto part = latency({fixture()}, {"--list", "--begin", QString::number(begin), "--end", QString::number(end)});
        QList<CsvRow> expected = all;
        expected.removeIf([&](const CsvRow& row) { return row["begin_ns"].toLongLong() < begin || row["end_ns"].toLongLong() > end; });
        QVERIFY(expected.size() > 20 && expected.size() < all.size());
        QCOMPARE(part, expected);
    }

    /// Input: raw times of two hosts; the database's clock is 5.2 s behind. Property: the transits of packets to the database are
    /// printed as negative durations.
    void timesThatGoBackComeOutAsTheyAre()
    {
        const auto raw = latency({fixture()}, {"--list", "--no-sync"});
        const auto back = std::ranges::count_if(raw, [](const CsvRow& row) { return row["duration_ns"].toLongLong() < -5'000'000'000; });
        QCOMPARE(back, 41);
        const auto sums = latency({fixture()}, {"--by", "hosts", "--no-sync"});
        QCOMPARE(sums.size(), 2);
        QVERIFY(sums[1]["max_ns"].toLongLong() < -5'000'000'000 && sums[1]["mean_ns"].toLongLong() < -5'000'000'000);
        for (const QStringList& how : {QStringList{}, QStringList{"--log"}}) {
            qint64 count = 0, negative = 0, last = 0;
            for (const CsvRow& bucket : latency({fixture()}, QStringList{"--histogram", "--no-sync"} + how)) {
                if (count > 0)
                    QCOMPARE(bucket["from_ns"].toLongLong(), last);
                last = bucket["to_ns"].toLongLong();
                QVERIFY(bucket["from_ns"].toLongLong() < last);
                count += bucket["count"].toLongLong();
                negative += bucket["from_ns"].toLongLong() < 0 ? bucket["count"].toLongLong() : 0;
            }
            QCOMPARE(count, 63);
            QCOMPARE(negative, 41);
        }
    }

    /// Input: a clock with a claimed error of 1 ms that is 2 ms off. Property: impossible transits are marked.
    void impossibleTransitsAreMarked()
    {
        QTemporaryDir folder;
        const auto line = syncLines({fixture() + "/web", fixture() + "/db"})["db"];
        QFile file(folder.filePath("clocks.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"hosts\":[{\"host\":\"db\",\"at_ns\":" + QByteArray::number(line.at)
                   + ",\"is_ns\":" + QByteArray::number(line.is - 2'000'000) + ",\"error_ns\":1000000}]}");
        file.close();
        const auto all = latency({fixture() + "/web", fixture() + "/db"}, {"--list", "--sync", file.fileName()});
        QCOMPARE(all.size(), 63);
        int within = 0, beyond = 0;
        for (const CsvRow& row : all) {
            const auto fields = fieldsOf(row);
            QCOMPARE(fields["error_ns"], QByteArray("1000000"));
            QCOMPARE(fields.contains("beyond_error"), row["duration_ns"].toLongLong() < -1'000'000);
            beyond += fields.contains("beyond_error") ? 1 : 0;
            within += row["duration_ns"].toLongLong() < 0 && !fields.contains("beyond_error") ? 1 : 0;
        }
        QVERIFY(beyond > 20);
        QVERIFY(within > 0);
    }

    void whatIsNotThereIsSaid()
    {
        const QString kernel = QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small");
        const ProgramResult none = heliograph({"latency", kernel, "--of", "packet", "--quiet"});
        QCOMPARE(none.status, 2);
        QVERIFY(none.err.contains("there is no kind \"packet\" here"));
        QCOMPARE(heliograph({"latency", fixture(), "--of", "wakeup", "--by", "places", "--quiet"}).status, 2);
        QCOMPARE(heliograph({"latency", fixture(), "--of", "packet", "--by", "port", "--quiet"}).status, 2);
    }
};

HELIO_TEST(PacketOutputTest)
#include "tst_packet_output.moc"
