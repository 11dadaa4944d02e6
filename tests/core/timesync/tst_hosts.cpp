// Facts and texts about several hosts. Input: synthetic timelines.

#include "core/query/filters/state_search.h"
#include "core/query/rows/facts.h"
#include "core/timesync/host_clocks.h"
#include "core/timesync/host_headings.h"
#include "core/timesync/link_times.h"
#include "tests/support/made_hosts.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>
#include <set>

using namespace helio;
using namespace std::chrono_literals;

namespace {

/// A timeline of four hosts with clocks far apart from each other.
Timeline fourHosts()
{
    Timeline timeline = *MadeHosts::make();
    const auto move = [&](std::uint32_t host, Duration offset, Duration error) {
        timeline.hosts[host].clock = *ClockTransform::through({{hostTime(0), timestamp(offset.count()), error}});
        timeline.hosts[host].path.fit.minError = timeline.hosts[host].path.fit.error = error;
    };
    move(MadeHosts::Client, -387ms, 64us);
    move(MadeHosts::Db, 4'412ms, 82us);
    auto relation = std::make_shared<Correlation>(*timeline.relations[0]);
    relation->comparisons = MadeHosts::comparedWith(18us);
    timeline.relations[0] = relation;
    return timeline;
}

} // namespace

class HostsTest : public QObject {
    Q_OBJECT

private slots:
    void errorsCountFromWhereTheClocksMeet()
    {
        const Timeline timeline = fourHosts();
        const auto between = [&](std::uint32_t a, std::uint32_t b) { return errorBetween(timeline, a, b, timestamp(500)); };
        QCOMPARE(between(1, 1), Duration{});
        QCOMPARE(between(0, 1), Duration(64us));
        QCOMPARE(between(2, 1), Duration(82us));
        // Error bound of the clock path through client. Client's own error does not count, because the clock paths of both hosts contain
        // it.
        QCOMPARE(between(2, 0), Duration(18us));
        QCOMPARE(between(0, 2), Duration(18us));
        QCOMPARE(between(3, 0), UnknownError);
        QCOMPARE(between(0, 7), Duration{}); // No host has the index 7.
    }

    void clocksThatMeetInTheReferenceAddUp()
    {
        Timeline timeline = fourHosts();
        timeline.hosts[2].path.hosts = {1};
        QCOMPARE(errorBetween(timeline, 0, 2, timestamp(500)), Duration(146us));
        timeline.appliesClocks = false;
        QCOMPARE(errorBetween(timeline, 0, 2, timestamp(500)), UnknownError);
    }

    void headingsSayHowClocksAreRelated()
    {
        const auto headings = hostHeadings(fourHosts());
        QCOMPARE(headings.size(), std::size_t(4));
        QCOMPARE(QString::fromStdString(headings[0].clock), QString("\u22120.387 s ±64 µs"));
        QCOMPARE(QString::fromStdString(headings[1].clock), QString("reference"));
        QCOMPARE(QString::fromStdString(headings[2].clock), QString("+4.412 s ±82 µs"));
        QCOMPARE(QString::fromStdString(headings[3].clock), QString("not aligned"));
        QVERIFY(headings[2].isAligned && !headings[3].isAligned);
        QCOMPARE(QString::fromStdString(headings[2].letter), QString("D"));
        QVERIFY(headings[0].color != headings[1].color && headings[1].color != headings[2].color);
        QVERIFY(QString::fromStdString(headings[3].sentence).startsWith("spare: its clock cannot be related"));
    }

    void lettersTellHostsApart_data()
    {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QString>("letters");
        QTest::newRow("first letters") << QStringList{"web", "db", "client"} << "W D C";
        QTest::newRow("common prefix") << QStringList{"django-client", "django-httpd", "django-db"} << "C H D";
        QTest::newRow("numbers") << QStringList{"node1", "node2", "node13"} << "1 2 3";
        QTest::newRow("prefix of some") << QStringList{"web-front", "web-back", "db"} << "F B D";
        QTest::newRow("prefix in the prefix") << QStringList{"app-client", "app-cache", "app-db"} << "L A D";
        QTest::newRow("a name that is the prefix") << QStringList{"web", "web2", "web3"} << "W 2 3";
        QTest::newRow("equal names") << QStringList{"a", "a", "b"} << "A 1 B";
        QTest::newRow("the rest is a name") << QStringList{"app-db", "app-web", "db"} << "A W D";
        QTest::newRow("the rests are names") << QStringList{"app-db", "app-web", "db", "web"} << "A P D W";
        QTest::newRow("upper and lower case") << QStringList{"db", "DB"} << "D B";
        QTest::newRow("rests of two groups") << QStringList{"a-x", "a-y", "b-x", "b-y"} << "X Y B 1";
        QTest::newRow("separators only") << QStringList{"-", "--", "---"} << "- 1 2";
        QTest::newRow("not ASCII") << QStringList{QString::fromUtf8("k\u00f6ln"), QString::fromUtf8("k\u00e4fer")}
                                   << QString::fromUtf8("\u00f6 \u00e4");
        QTest::newRow("prefix not ASCII") << QStringList{QString::fromUtf8("k\u00e4x"), QString::fromUtf8("k\u00e4y")} << "X Y";
        QTest::newRow("one") << QStringList{"web-1"} << "W";
        QTest::newRow("no name") << QStringList{"", "", "b"} << "  B";
    }
    void lettersTellHostsApart()
    {
        QFETCH(QStringList, names);
        QFETCH(QString, letters);
        Timeline timeline;
        for (const QString& name : names) {
            timeline.hosts.emplace_back();
            timeline.hosts.back().label = name.toStdString();
        }
        QStringList shown;
        for (const HostHeading& heading : hostHeadings(timeline))
            shown << QString::fromStdString(heading.letter);
        QCOMPARE(shown.join(' '), letters);
    }

    /// Property: no two of up to ten hosts have the same letter, whatever their names; more do if their names have enough characters.
    /// Input: random names over a small alphabet, and names of common schemes.
    void lettersOfHostsDiffer()
    {
        const auto areDistinct = [](const std::vector<std::string>& names) {
            Timeline timeline;
            for (const std::string& name : names) {
                timeline.hosts.emplace_back();
                timeline.hosts.back().label = name;
            }
            std::set<std::string> letters;
            for (const HostHeading& heading : hostHeadings(timeline))
                letters.insert(heading.letter);
            return letters.size() == names.size();
        };
        std::mt19937 random(7);
        for (int round = 0; round < 500; ++round) {
            std::vector<std::string> names(2 + random() % 9);
            for (std::string& name : names)
                for (std::size_t left = 1 + random() % 6; left > 0; --left)
                    name += "ab-1A."[random() % 6];
            std::string all;
            for (const std::string& name : names)
                all += name + ' ';
            QVERIFY2(areDistinct(names), all.c_str());
        }
        std::vector<std::string> numbered, zones;
        for (int i = 1; i <= 12; ++i) {
            numbered.push_back("node-" + std::string(i < 10 ? "0" : "") + std::to_string(i));
            zones.push_back(std::string(i % 2 ? "eu" : "us") + "-west-" + std::to_string(i / 4) + "-app" + std::to_string(i % 4));
        }
        QVERIFY(areDistinct(numbered));
        QVERIFY(areDistinct(zones));
    }

    /// Property: packets are named as their correlator names them.
    void messagesAreCalledAsTheirKindIs()
    {
        Timeline timeline = *MadeHosts::make({{MadeHosts::Db, MadeHosts::Client, 10, 20}});
        const auto name = [&](const char* plural) {
            auto messages = std::make_shared<Transmissions>(*timeline.relations[0]->messages);
            messages->plural = plural;
            auto relation = std::make_shared<Correlation>(*timeline.relations[0]);
            relation->messages = messages;
            auto comparisons = std::make_shared<std::vector<HostComparison>>(*relation->comparisons);
            comparisons->front().messages = {0};
            relation->comparisons = comparisons;
            timeline.relations[0] = relation;
            return hostClocks(timeline)[MadeHosts::Db].messages;
        };
        QCOMPARE(name("packets"), "packets");
        QCOMPARE(messagesPlural(timeline), "packets");
        QCOMPARE(name("letters"), "letters");
        QVERIFY(QString::fromStdString(sentenceOf(timeline, hostClocks(timeline)[MadeHosts::Db])).contains(" letters"));
        timeline.relations.clear();
        QCOMPARE(messagesPlural(timeline), "messages");
    }

    void oneHostHasNoClockToSpeakOf()
    {
        Timeline timeline;
        addTrace(timeline, {nullptr, std::make_shared<MadeTrace>(), {}, "alone"});
        QCOMPARE(hostHeadings(timeline)[0].clock, std::string());
        QCOMPARE(hostHeadings(Timeline()).size(), std::size_t(0));
    }

    void offsetsHaveTheUnitThatTheyAreReadIn_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << qint64(0) << "0";
        QTest::newRow("one") << qint64(-1) << "\u22121 ns";
        QTest::newRow("us") << qint64(18'250) << "+18.250 µs";
        QTest::newRow("ms") << qint64(-3'200'000) << "\u22123.200 ms";
        QTest::newRow("s") << qint64(-387'041'200) << "\u22120.387 s";
        QTest::newRow("the longest") << std::numeric_limits<qint64>::min() << "\u22129223372036.855 s";
    }
    void offsetsHaveTheUnitThatTheyAreReadIn()
    {
        QFETCH(qint64, ns);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(offsetText(Duration(ns))), text);
    }

    void whatAMessageSaysIsTold()
    {
        const auto timeline = MadeHosts::make({{MadeHosts::Client, MadeHosts::Db, 100, 350}, {MadeHosts::Db, MadeHosts::Web, 900, 300}});
        std::vector<Arrow> all = arrows(*timeline, linkKindsInView(*timeline, "control-flow"), {timestamp(0), timestamp(1000)});
        QCOMPARE(all.size(), std::size_t(2));
        const LinkTimes there = linkTimes(*timeline, all[0]);
        QVERIFY(there.fromHost == MadeHosts::Client && there.toHost == MadeHosts::Db && there.isBetweenHosts());
        QCOMPARE(there.length, Duration(250));
        QCOMPARE(there.error, MadeHosts::DbError - MadeHosts::ClientError);
        QVERIFY(there.order == LinkOrder::Forward);
        QVERIFY(linkTimes(*timeline, all[1]).order == LinkOrder::WithinError);
        std::string fields;
        for (const auto& [name, value] : messageFields(*timeline, all[0]))
            fields += name + " " + value + "; ";
        QCOMPARE(
            QString::fromStdString(fields),
            QString("Protocol tcp; Source 10.0.0.1:1000; Destination 10.0.0.2:80; Sequence 17; Acknowledged 4; Flags SYN ACK; Length 100 "
                    "bytes; "));
        QVERIFY(updatedArrow(*timeline, all[0]) == all[0]);
        QVERIFY(!updatedArrow(*MadeHosts::make(), all[0]));
    }

    void anArrowBackInTimeIsWithinTheErrorOrBeyond_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("back");
        QTest::addColumn<int>("order");
        QTest::newRow("within") << int(MadeHosts::Client) << 640 << int(LinkOrder::WithinError);
        QTest::newRow("beyond") << int(MadeHosts::Client) << 641 << int(LinkOrder::Impossible);
        QTest::newRow("one clock") << int(MadeHosts::Web) << 1 << int(LinkOrder::Impossible);
        QTest::newRow("at once") << int(MadeHosts::Web) << 0 << int(LinkOrder::Forward);
        QTest::newRow("nothing relates them") << int(MadeHosts::Spare) << 1 << int(LinkOrder::Unknown);
    }
    void anArrowBackInTimeIsWithinTheErrorOrBeyond()
    {
        QFETCH(int, from);
        QFETCH(int, back);
        QFETCH(int, order);
        const auto timeline = MadeHosts::make({{MadeHosts::Host(from), MadeHosts::Web, 2'000, 2'000 - back}});
        const auto all = arrows(*timeline, linkKindsInView(*timeline, "resources"), {timestamp(0), timestamp(10'000)});
        QCOMPARE(all.size(), std::size_t(1));
        QCOMPARE(int(linkTimes(*timeline, all[0]).order), order);
    }

    void aPersonsLookIsShownAndTheOwnNameStays()
    {
        const auto plain = std::make_shared<const Timeline>(fourHosts());
        HostStyles looks;
        looks.hosts["db"] = {"Datenbank", 7};
        looks.order = {"db", "gone", "web", "db"};
        const auto timeline = withHostStyles(plain, looks);
        QCOMPARE(hostsInOrder(*timeline), (std::vector<std::uint32_t>{2, 1, 0, 3}));
        QCOMPARE(hostName(*timeline, 2), std::string("Datenbank"));
        QCOMPARE(timeline->hosts[2].label, std::string("db"));
        const HostHeading heading = hostHeadings(*timeline)[2];
        QCOMPARE(heading.name, std::string("Datenbank"));
        QCOMPARE(heading.color, 7);
        QVERIFY(QString::fromStdString(heading.sentence).startsWith("Datenbank: "));
        QStringList shown;
        for (const Row& row : rows(*timeline, "control-flow"))
            if (isHostRow(row))
                shown << QString::fromStdString(row.label + ' ' + row.id);
        QCOMPARE(shown, QStringList({"Datenbank host:db", "web host:web", "client host:client", "spare host:spare"}));
        QVERIFY(withHostStyles(plain, {}) == plain);
        QCOMPARE(hostName(*withHostStyles(timeline, {}), 2), std::string("db"));
        QVERIFY(!withHostStyles(nullptr, looks));
    }

    void filtersKnowBothNames_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("own") << QByteArray("host == \"db\"") << true;
        QTest::newRow("given") << QByteArray("host == \"Datenbank\"") << true;
        QTest::newRow("another") << QByteArray("host == \"web\"") << false;
        QTest::newRow("not own") << QByteArray("host != \"db\"") << false;
        QTest::newRow("not given") << QByteArray("host != \"Datenbank\"") << false;
        QTest::newRow("not another") << QByteArray("host != \"web\"") << true;
        QTest::newRow("contains") << QByteArray("host contains \"bank\"") << true;
    }
    void filtersKnowBothNames()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, isFound);
        HostStyles looks;
        looks.hosts["db"] = {"Datenbank", -1};
        const auto timeline = withHostStyles(std::make_shared<const Timeline>(fourHosts()), looks);
        const auto expression = Expression::parse(text.toStdString());
        QVERIFY(expression);
        for (const Row& row : rows(*timeline, "control-flow"))
            if (row.host == 2 && row.ref.isValid())
                QCOMPARE(matches(**expression, rowFacts(*timeline, row)), isFound);
    }
};

HELIO_TEST(HostsTest)
#include "tst_hosts.moc"
