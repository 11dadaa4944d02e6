// Properties of every trace, checked on all fixtures. The fixtures are small real traces; one of them has lost events.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QStandardPaths>
#include <QTest>

using namespace helio;

namespace {

void addFixtures()
{
    QTest::addColumn<QString>("path");
    const QDir folder(SOURCE_DIR "/tests/fixtures");
    for (const QString& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (!ctfFolders(folder.filePath(name)).isEmpty())
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

QJsonObject info(const QString& path) { return QJsonDocument::fromJson(heliograph({"info", path, "--json"}).out).object(); }

/// Time range from the beginning of a row's first state to the end of its last state. `isWhole` is true if the states leave no gap.
struct Cover {
    qint64 begin = 0, end = 0;
    bool isWhole = true;
};

QMap<QByteArray, Cover> covers(const QList<CsvRow>& states)
{
    QMap<QByteArray, Cover> all;
    for (const CsvRow& state : states) {
        const QByteArray key = state["trace"] + ' ' + state["row"];
        const qint64 begin = state["begin_ns"].toLongLong();
        if (!all.contains(key))
            all[key] = {begin, begin};
        all[key].isWhole = all[key].isWhole && all[key].end == begin;
        all[key].end = state["end_ns"].toLongLong();
    }
    return all;
}

/// Commands that print text about a trace, except `index`, which prints its speed.
QList<QStringList> textCommands()
{
    QList<QStringList> commands{{"states", "--view", "control-flow"}, {"info"}, {"views"}, {"events"}, {"events", "--by-type"}};
    for (const char* command : {"tracks", "states", "stats", "links"})
        for (const char* view : {"control-flow", "resources"})
            commands << QStringList{command, "--view", view};
    return commands;
}

} // namespace

class FixturesOutputTest : public QObject {
    Q_OBJECT

private slots:
    void theFixturesAreThere() { QVERIFY(QDir(SOURCE_DIR "/tests/fixtures").exists()); }

    void infoCountsWhatEventsPrints_data() { addFixtures(); }
    void infoCountsWhatEventsPrints()
    {
        QFETCH(QString, path);
        const QJsonObject facts = info(path);
        qint64 events = 0;
        for (const auto& trace : facts["traces"].toArray())
            events += trace.toObject()["events"].toInteger();
        const auto lines = heliograph({"events", path, "--format", "csv"}).lines();

        QVERIFY(events > 0);
        QCOMPARE(lines.size() - 1, events);
        QCOMPARE(csvCells(lines[1]).first().toLongLong(), facts["begin_ns"].toInteger());
        QCOMPARE(csvCells(lines.last()).first().toLongLong(), facts["end_ns"].toInteger());
    }

    void eventsAreAsManyAsBabeltraceCounts_data() { addFixtures(); }
    void eventsAreAsManyAsBabeltraceCounts()
    {
        QFETCH(QString, path);
        if (QStandardPaths::findExecutable("babeltrace2").isEmpty())
            QSKIP("babeltrace2 is not installed");
        QStringList arguments{"--no-delta", "--clock-cycles"};
        const auto theirs = babeltrace2(arguments + ctfFolders(path)).lines();

        QCOMPARE(heliograph({"events", path, "--count"}).out.trimmed().toLongLong(), theirs.size());
    }

    void lossesAreCountedAsBabeltraceWarns_data() { addFixtures(); }
    void lossesAreCountedAsBabeltraceWarns()
    {
        QFETCH(QString, path);
        qint64 lost = 0;
        for (const auto& trace : info(path)["traces"].toArray())
            lost += trace.toObject()["lost_events"].toInteger();

        QCOMPARE(lost, path.endsWith("lossy-small") ? 6925 : 0);
    }

    void statesCoverEveryRow_data() { addFixtures(); }
    void statesCoverEveryRow()
    {
        QFETCH(QString, path);
        for (const char* view : {"control-flow", "resources"}) {
            const auto found = covers(csvRows(heliograph({"states", path, "--view", view, "--format", "csv", "--quiet"})));
            for (const CsvRow& track : csvRows(heliograph({"tracks", path, "--view", view, "--format", "csv", "--quiet"}))) {
                if (track["trace"].isEmpty()) // Skip the row of a host, which belongs to no single trace.
                    continue;
                const Cover cover = found[track["trace"] + ' ' + track["id"]];
                QVERIFY2(cover.isWhole, track["id"].constData());
                QCOMPARE(cover.begin, track["begin_ns"].toLongLong());
                QCOMPARE(cover.end, track["end_ns"].toLongLong());
            }
        }
    }

    void whereEventsWereLostSomethingIsUnknown()
    {
        const QString path = SOURCE_DIR "/tests/fixtures/lossy-small";
        const auto unknown = csvRows(
            heliograph({"states", path, "--view", "resources", "--row", "cpu:?", "--filter", "state == \"unknown\"", "--format", "csv"}));

        QVERIFY(unknown.size() >= 4);
    }

    void aStoreThatIsThereSaysTheSameAsANewOne()
    {
        const QString path = SOURCE_DIR "/tests/fixtures/kernel-small";
        const QTemporaryDir stores;
        const QStringList ask{"states", path, "--view", "control-flow", "--format", "csv", "--store-dir", stores.path()};
        const ProgramResult made = heliograph(ask);
        const ProgramResult reopened = heliograph(ask);
        const ProgramResult index = heliograph({"index", path, "--json", "--store-dir", stores.path()});

        QVERIFY(made.out.size() > 10'000);
        QCOMPARE(reopened.out, made.out);
        const QJsonObject store = QJsonDocument::fromJson(index.out).object();
        qint64 bytes = 0;
        for (const QJsonValue& file : store["stores"].toArray())
            bytes += QFileInfo(file.toString()).size();
        QCOMPARE(bytes, store["store_bytes"].toInteger());
        QVERIFY(store["store_bytes"].toInteger() > 0);
    }

    void everyTableIsTheSameOnAnyNumberOfCoresAndFromAReopenedStore_data() { addFixtures(); }
    void everyTableIsTheSameOnAnyNumberOfCoresAndFromAReopenedStore()
    {
        QFETCH(QString, path);
        const QTemporaryDir one;
        const QTemporaryDir more;
        for (const QStringList& command : textCommands()) {
            const QStringList ask = command + QStringList{path, "--store-dir"};
            const ProgramResult made = heliograph(ask + QStringList{one.path(), "--jobs", "1"});
            const ProgramResult together = heliograph(ask + QStringList{more.path(), "--jobs", "4"});
            const ProgramResult reopened = heliograph(ask + QStringList{one.path()});

            QVERIFY2(!made.out.isEmpty(), qPrintable(command.join(' ')));
            QCOMPARE(together.out, made.out);
            QCOMPARE(reopened.out, made.out);
            QCOMPARE(together.status, made.status);
            QCOMPARE(reopened.status, made.status);
        }
    }

    void aFolderThatCannotHoldStoresIsNoObstacle()
    {
        const QString path = SOURCE_DIR "/tests/fixtures/kernel-small";
        const ProgramResult answer = heliograph({"tracks", path, "--view", "resources", "--format", "csv", "--store-dir", "/proc/nowhere"});

        QCOMPARE(answer.status, 0);
        QVERIFY(answer.lines().size() > 4);
        QVERIFY(answer.err.contains("rebuilt next time"));
    }
};

HELIO_TEST(FixturesOutputTest)
#include "tst_fixtures_output.moc"
