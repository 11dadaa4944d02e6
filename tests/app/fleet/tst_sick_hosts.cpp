// A fleet of made traces in which a host or two suffer from a known cause: the catalogue names them first.

#include "tests/app/cli/program.h"
#include "tests/support/made_fleet.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTest>

#include <functional>

using namespace helio;
using test::MadeFleetTrace;
using Cause = MadeFleetTrace::Cause;

namespace {

constexpr quint64 Traces = 60;
constexpr quint64 Hosts = 10;

QString hostName(quint64 number) { return QStringLiteral("host-%1").arg(number); }

/// A catalogue of made traces, which were indexed and summarized where they lie.
class SummarizedFleet {
public:
    /// Makes the traces that `describe` describes by their numbers; nullopt for none.
    explicit SummarizedFleet(const std::function<std::optional<MadeFleetTrace>(quint64)>& describe)
    {
        for (quint64 number = 0; number < Traces; ++number)
            if (const auto trace = describe(number);
                trace && !test::writeFleetTrace(path(QStringLiteral("traces/%1").arg(number, 3, 10, QLatin1Char('0'))), *trace))
                qFatal("not written");
        const ProgramResult indexed = heliograph({"index", path("traces"), "--summary", path("traces.jsonl"), "--quiet"});
        if (indexed.status != 0 || heliograph({"fleet", "add", path("fleet.db"), path("traces.jsonl")}).status != 0)
            qFatal("%s", indexed.err.constData());
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }
    QList<QByteArray> rows(const QString& query) const
    {
        return heliograph({"fleet", "sql", path("fleet.db"), query, "--format", "csv"}).lines().mid(1);
    }
    /// Returns hosts and finders of the traces with the worst findings.
    QList<QByteArray> worst(quint64 count) const
    {
        return rows("SELECT host, finder FROM worst_finding ORDER BY share DESC LIMIT " + QString::number(count));
    }

private:
    QTemporaryDir m_folder;
};

} // namespace

class SickHostsTest : public QObject {
    Q_OBJECT

private slots:
    void healthyFleetsHaveNoFindings()
    {
        const SummarizedFleet fleet([](quint64 number) { return MadeFleetTrace{hostName(number % Hosts), number}; });
        QCOMPARE(fleet.rows("SELECT count(*), count(DISTINCT host), sum(findings) FROM trace"), (QList<QByteArray>{"60,10,0"}));
    }

    void theSickHostComesFirst_data()
    {
        QTest::addColumn<int>("cause");
        QTest::addColumn<QByteArray>("finder");
        QTest::addColumn<bool>("isNoisy");
        QTest::addColumn<int>("sickTraces");
        const auto add = [](const char* name, Cause cause, const char* finder, bool isNoisy, int sickTraces) {
            test::addRow(name, int(cause), QByteArray(finder), isNoisy, sickTraces);
        };
        add("CPU quota", Cause::Quota, "throttling", false, 6);
        add("CPU hog", Cause::Hog, "scheduling-tail", false, 6);
        add("noisy others", Cause::Quota, "throttling", true, 6);
        add("hog beside noisy others", Cause::Hog, "scheduling-tail", true, 6);
        add("a single sick trace", Cause::Quota, "throttling", true, 1);
    }
    void theSickHostComesFirst()
    {
        QFETCH(int, cause);
        QFETCH(QByteArray, finder);
        QFETCH(bool, isNoisy);
        QFETCH(int, sickTraces);
        const SummarizedFleet fleet([&](quint64 number) -> std::optional<MadeFleetTrace> {
            const bool isSick = number % Hosts == 7;
            if (isSick && number / Hosts >= quint64(sickTraces))
                return {};
            return MadeFleetTrace{hostName(number % Hosts), number, isSick ? Cause(cause) : Cause::None, isNoisy};
        });
        const auto worst = fleet.worst(quint64(sickTraces));
        QCOMPARE(worst, QList<QByteArray>(sickTraces, "host-7," + finder));
        const auto byHost = fleet.rows("SELECT host, max(share), count(*) FROM worst_finding GROUP BY host ORDER BY 2 DESC");
        QVERIFY(!byHost.isEmpty());
        // The noise is found, too, so that the sick host is not first for want of others.
        QCOMPARE(byHost.size(), isNoisy ? qsizetype(Hosts) : 1);
        if (isNoisy)
            QVERIFY2(csvCells(byHost[0])[1].toDouble() > 5 * csvCells(byHost[1])[1].toDouble(), byHost.join(' ').constData());
    }

    void twoSickHostsComeFirst()
    {
        const SummarizedFleet fleet([](quint64 number) {
            const quint64 host = number % Hosts;
            const Cause cause = host == 2 ? Cause::Quota : host == 5 ? Cause::Hog : Cause::None;
            return MadeFleetTrace{hostName(host), number, cause, true};
        });
        const auto byHost = fleet.rows("SELECT host, finder FROM worst_finding GROUP BY host ORDER BY max(share) DESC LIMIT 2");
        QCOMPARE(QSet<QByteArray>(byHost.begin(), byHost.end()), (QSet<QByteArray>{"host-2,throttling", "host-5,scheduling-tail"}));
        // All their traces come before those of any other host.
        for (const QByteArray& row : fleet.worst(12))
            QVERIFY2(row.startsWith("host-2,") || row.startsWith("host-5,"), row.constData());
        // The problems by the number of hosts that have them.
        const auto problems =
            fleet.rows("SELECT finder, count(DISTINCT host) AS hosts FROM finding GROUP BY finder, subject ORDER BY hosts");
        QVERIFY(problems.contains("scheduling-tail,1"));
    }
};

HELIO_TEST(SickHostsTest)
#include "tst_sick_hosts.moc"
