// Input: a recorded system of containers. Two network namespaces are behind a bridge. Their host forwards a port to one namespace, and
// masquerades (NAT) the packets that both namespaces send to another host, which is recorded, too. Property: each connection is as its
// programs logged it.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

QString fixture(const char* name) { return QStringLiteral(SOURCE_DIR "/tests/fixtures/containers-small/") + name; }

QJsonObject truth()
{
    QFile file(fixture("truth.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("truth.json cannot be read");
    return QJsonDocument::fromJson(file.readAll()).object();
}

bool hasTid(const QJsonValue& end, const QByteArray& tid)
{
    return std::ranges::any_of(end["tids"].toArray(), [&](const QJsonValue& it) { return QByteArray::number(it.toInt()) == tid; });
}

/// Returns the connection of an output row as text, in the form in which the recorded programs log their connections.
QStringList saidOf(const CsvRow& row)
{
    QStringList words;
    for (const char* column : {"protocol", "from", "to", "from_host", "to_host", "from_translated", "to_translated"})
        words << QString::fromUtf8(row[column]);
    return words;
}

QStringList writtenOf(const QJsonValue& connection)
{
    const QJsonValue opener = connection["from"], other = connection["to"];
    const QString from = opener["local"].toString(), to = opener["peer"].toString(), fromSeen = other["peer"].toString();
    QString toOwn = other["local"].toString();
    // The server listens on all addresses of its host, so its own address is unknown. Use the address to which the client connected.
    if (toOwn.startsWith("0.0.0.0:"))
        toOwn = to;
    return {
        connection["protocol"].toString(), from, to, opener["host"].toString(), other["host"].toString(), fromSeen == from ? "" : fromSeen,
        toOwn == to ? "" : toOwn};
}

} // namespace

class ContainersOutputTest : public QObject {
    Q_OBJECT

private slots:
    void connectionsAreThoseOfThePrograms_data()
    {
        QTest::addColumn<QStringList>("traces");
        QTest::newRow("client first") << QStringList{fixture("client"), fixture("server")};
        QTest::newRow("server first") << QStringList{fixture("server"), fixture("client")};
    }
    void connectionsAreThoseOfThePrograms()
    {
        QFETCH(QStringList, traces);
        const QList<CsvRow> rows = csvRows(heliograph(QStringList{"connections", "--format", "csv", "--quiet"} + traces));
        const QJsonArray written = truth()["connections"].toArray();
        QCOMPARE(rows.size(), written.size());
        QCOMPARE(written.size(), 12);
        for (const QJsonValue& connection : written) {
            const QStringList expected = writtenOf(connection);
            const auto row = std::ranges::find_if(rows, [&](const CsvRow& it) { return saidOf(it) == expected; });
            QVERIFY2(row != rows.end(), qPrintable(expected.join(' ')));
            QVERIFY2(hasTid(connection["from"], (*row)["from_tid"]), (*row)["from_tid"]);
            QVERIFY2(hasTid(connection["to"], (*row)["to_tid"]), (*row)["to_tid"]);
            QCOMPARE((*row)["from_matched"], (*row)["from_packets"]);
            QCOMPARE((*row)["to_matched"], (*row)["to_packets"]);
            // Connections with retransmissions have more payload bytes than the program sent, because retransmitted bytes are counted once
            // more.
            for (const auto& [end, side] : {std::pair("from", "from"), std::pair("to", "to")}) {
                const qint64 sent = connection[end]["sent"].toInteger(), seen = (*row)[side + QByteArray("_payload")].toLongLong();
                const bool isAgain = (*row)[side + QByteArray("_retransmitted")] != "0";
                QVERIFY2(isAgain ? seen > sent : seen == sent, qPrintable(expected.join(' ')));
            }
            QCOMPARE((*row)["syn_ns"].isEmpty(), !connection["openedInTrace"].toBool());
        }
    }

    /// Property: clock offsets are within the bounds that the programs found by exchanging times before and after the recording.
    void clocksAreWhereTheProgramsFoundThem()
    {
        const ProgramResult answer = heliograph({"sync", fixture("client"), fixture("server"), "--json", "--quiet"});
        QCOMPARE(answer.status, 0);
        const QJsonObject written = truth();
        const QJsonValue bounds = written["clock"]["serverMinusClient"];
        const qint64 least = bounds["before"]["low"].toInteger(), most = bounds["after"]["high"].toInteger();
        const QJsonValue server = QJsonDocument::fromJson(answer.out)["hosts"].toArray().at(1);
        QCOMPARE(server["host"].toString(), QStringLiteral("server"));
        const qint64 found = server["at_ns"].toInteger() - server["is_ns"].toInteger(), error = server["error_ns"].toInteger();
        QVERIFY2(error > 0 && error < 3'000'000, answer.out);
        QVERIFY2(found >= least - error && found <= most + error, answer.out);
    }
};

HELIO_TEST(ContainersOutputTest)
#include "tst_containers_output.moc"
