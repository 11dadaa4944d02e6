// Catalogues: a trace is added once, newer summaries replace older ones, several processes add at once, queries change nothing, and merged
// digests are those of all traces.

#include "core/fleet/catalogue.h"
#include "tests/support/files.h"
#include "tests/support/made_summary.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace helio;
using fleet::Addition;
using fleet::TraceSummary;
using test::failedSummary;
using test::madeSummary;
using test::queryRows;
using Rows = std::vector<std::string>;

namespace {

/// A catalogue in a temporary folder.
class MadeCatalogue {
public:
    std::string path() const { return m_folder.filePath("fleet #1%?.db").toStdString(); }

    std::vector<Addition> add(const std::vector<TraceSummary>& summaries) const
    {
        std::vector<Addition> additions;
        const auto catalogue = fleet::Catalogue::open(path());
        if (!catalogue)
            qFatal("%s", catalogue.error().what.c_str());
        if (const Status added = (*catalogue)->add(summaries, [&](Addition it) { additions.push_back(it); }); !added)
            qFatal("%s", added.error().what.c_str());
        return additions;
    }
    std::unique_ptr<sql::Database> queries() const
    {
        auto database = fleet::openForQueries(path());
        if (!database)
            qFatal("%s", database.error().what.c_str());
        return std::move(*database);
    }
    Rows ask(const char* query) const { return queryRows(*queries(), query); }

private:
    QTemporaryDir m_folder;
};

using Additions = std::vector<Addition>;

} // namespace

class CatalogueTest : public QObject {
    Q_OBJECT

private slots:
    void membersAreColumns()
    {
        const MadeCatalogue made;
        made.add({madeSummary(1)});
        QCOMPARE(
            made.ask("SELECT identity, path, machine, host, boot, kernel, uuid, format, reader, begin_ns, end_ns, duration_ns FROM trace"),
            (Rows{"identity-1|/traces/1|indexer|host-1|boot|6.1.0|uuid-1|CTF|heliograph|1700000000000000001|1700000010000000001|"
                  "10000000000"}));
        QCOMPARE(made.ask("SELECT traces, events, lost_events, lost_packets, gaps, streams, cpus, bytes, cpu_busy_share, findings, error, "
                          "indexed_ns, indexed_by, store_version FROM trace"),
                 (Rows{"1|1001|1|2|3|4|8|123456|0.250000|2|-|1000|1.2.3|16.0"}));
        QCOMPARE(made.ask("SELECT rank, finder, subject, text, detail, host, explained_ns, share, begin_ns, end_ns, occurrences, color, "
                          "check_with FROM finding"),
                 (Rows{"1|throttling|app|app was throttled|detail \"quoted\"|host-1|4999999999|0.500000|1700000000000000001|"
                       "1700000010000000001|41|thread.throttled|heliograph latency"}));
        QCOMPARE(
            made.ask("SELECT kind, name, count, total_ns, min_ns, p50_ns, p90_ns, p99_ns, max_ns, digest_count(histogram) FROM digest"),
            (Rows{"syscall||100|5055050|1001|50050|90090|99099|100100|100", "syscall|read|100|5055050|1001|50050|90090|99099|100100|100"}));
        QCOMPARE(made.ask("SELECT text, is_problem FROM quality"), (Rows{"No events were lost.|0", "Events were lost.|1"}));
        QCOMPARE(made.ask("SELECT name, value FROM tag"), (Rows{"workload|checkout"}));
    }

    void tracesAreAddedOnce()
    {
        const MadeCatalogue made;
        QCOMPARE(made.add({madeSummary(1), madeSummary(2)}), (Additions{Addition::New, Addition::New}));
        const Rows before = made.ask("SELECT * FROM trace, finding, digest ON trace.id = finding.trace_id AND trace.id = digest.trace_id");
        QCOMPARE(before.size(), std::size_t(4));
        QCOMPARE(made.add({madeSummary(2), madeSummary(1)}), (Additions{Addition::Unchanged, Addition::Unchanged}));
        QCOMPARE(made.ask("SELECT * FROM trace, finding, digest ON trace.id = finding.trace_id AND trace.id = digest.trace_id"), before);
    }

    void newerSummariesReplaceOlderOnes()
    {
        const MadeCatalogue made;
        TraceSummary newer = madeSummary(1, 2'000);
        newer.findings.clear();
        newer.latencies.pop_back();
        newer.events = 5;
        newer.tags = {{"workload", "search"}, {"run", "7"}};
        made.add({madeSummary(1)});
        QCOMPARE(made.add({newer}), (Additions{Addition::Updated}));
        QCOMPARE(made.add({madeSummary(1)}), (Additions{Addition::Unchanged})); // The order does not matter.
        QCOMPARE(made.ask("SELECT id, events, findings FROM trace"), (Rows{"1|5|1"}));
        QCOMPARE(made.ask("SELECT count(*) FROM finding"), (Rows{"0"}));
        QCOMPARE(made.ask("SELECT count(*) FROM digest"), (Rows{"1"}));
        QCOMPARE(made.ask("SELECT count(*) FROM quality"), (Rows{"2"}));
    }

    void tagsAreAddedToKnownTraces()
    {
        const MadeCatalogue made;
        made.add({madeSummary(1)});
        TraceSummary tagged = madeSummary(1);
        tagged.tags = {{"run", "7"}};
        QCOMPARE(made.add({tagged}), (Additions{Addition::Unchanged}));
        QCOMPARE(made.ask("SELECT name, value FROM tag ORDER BY name"), (Rows{"run|7", "workload|checkout"}));
    }

    void failuresEndWithASuccess()
    {
        const MadeCatalogue made;
        QCOMPARE(made.add({failedSummary(1, 1'000)}), (Additions{Addition::Unreadable}));
        QCOMPARE(made.add({failedSummary(1, 1'000)}), (Additions{Addition::Unchanged}));
        QCOMPARE(made.ask("SELECT path, identity, events, error FROM trace"), (Rows{"/traces/1|-|-|permission denied"}));
        QCOMPARE(made.add({madeSummary(1, 2'000)}), (Additions{Addition::New}));
        QCOMPARE(made.ask("SELECT path, error FROM trace"), (Rows{"/traces/1|-"}));
        QCOMPARE(made.add({failedSummary(1, 1'500)}), (Additions{Addition::Unchanged})); // It was read later.
        QCOMPARE(made.add({failedSummary(1, 3'000)}), (Additions{Addition::Unreadable}));
        QCOMPARE(made.ask("SELECT identity, error FROM trace ORDER BY identity"), (Rows{"-|permission denied", "identity-1|-"}));
        QCOMPARE(fleet::readTraces(*made.queries())->size(), std::size_t(1));
    }

    void failuresOfFoldersEndWithASuccessInThem()
    {
        const MadeCatalogue made;
        TraceSummary folder = failedSummary(1), sibling = failedSummary(1), below = madeSummary(1, 2'000);
        folder.path = "/traces/a";
        sibling.path = "/traces/a_kernel";
        below.path = "/traces/a/kernel";
        made.add({folder, sibling, below});
        QCOMPARE(made.ask("SELECT path FROM trace ORDER BY path"), (Rows{"/traces/a/kernel", "/traces/a_kernel"}));
        QCOMPARE(made.add({folder}), (Additions{Addition::Unchanged})); // The order of adding does not matter.
        folder.indexedNs = 3'000;
        QCOMPARE(made.add({folder}), (Additions{Addition::Unreadable}));
    }

    void failuresOfOtherMachinesStay()
    {
        const MadeCatalogue made;
        TraceSummary other = failedSummary(1);
        other.machine = "other";
        made.add({other, madeSummary(1, 2'000)});
        QCOMPARE(made.ask("SELECT machine, error FROM trace ORDER BY machine"), (Rows{"indexer|-", "other|permission denied"}));
    }

    void processesAddAtOnce()
    {
        constexpr int Processes = 4, Summaries = 40;
        const MadeCatalogue made;
        std::vector<pid_t> children;
        for (int process = 0; process < Processes; ++process) {
            children.push_back(fork());
            if (children.back() != 0)
                continue;
            // All processes create the catalogue, and half of the traces are those of another process.
            const auto catalogue = fleet::Catalogue::open(made.path());
            bool isDone = bool(catalogue);
            for (int i = 0; i < Summaries && isDone; ++i)
                isDone = bool((*catalogue)->add(std::vector{madeSummary((process / 2) * Summaries + i)}));
            _exit(isDone ? 0 : 1);
        }
        for (const pid_t child : children) {
            int status = 0;
            QVERIFY(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
        QCOMPARE(made.ask("SELECT count(*), count(DISTINCT identity), (SELECT count(*) FROM finding) FROM trace"), (Rows{"80|80|80"}));
        QCOMPARE(made.ask("SELECT * FROM pragma_integrity_check"), (Rows{"error: Not allowed: not authorized"}));
    }

    /// Property: a process that is killed while it adds leaves whole traces only, and the next process goes on.
    void killedProcessesLeaveWholeTraces()
    {
        const MadeCatalogue made;
        made.add({madeSummary(0)});
        for (int round = 0; round < 8; ++round) {
            const pid_t child = fork();
            if (child == 0) {
                const auto catalogue = fleet::Catalogue::open(made.path());
                for (std::int64_t i = round * 1'000; catalogue; i += 5)
                    (void)(*catalogue)
                        ->add(std::vector{madeSummary(i), madeSummary(i + 1), madeSummary(i + 2), madeSummary(i + 3), madeSummary(i + 4)});
                _exit(1);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20 + 7 * round));
            kill(child, SIGKILL);
            waitpid(child, nullptr, 0);
            const Rows rows = made.ask("SELECT count(*) = count(findings), (SELECT count(*) FROM finding) = count(*), "
                                       "(SELECT count(*) FROM digest) = 2 * count(*) FROM trace");
            QCOMPARE(rows, (Rows{"1|1|1"}));
        }
        QVERIFY(std::stoi(made.ask("SELECT count(*) FROM trace")[0]) > 1);
        QCOMPARE(made.add({madeSummary(999'999)}), (Additions{Addition::New}));
    }

    void queriesCannotChangeTheCatalogue()
    {
        const MadeCatalogue made;
        made.add({madeSummary(1)});
        const auto database = made.queries();
        for (const char* statement :
             {"DELETE FROM trace", "UPDATE trace SET host = 'x'", "INSERT INTO tag VALUES (1, 'a', 'b')", "DROP TABLE trace",
              "CREATE TABLE trace (a)", "CREATE TABLE catalogue.other (a)", "CREATE INDEX catalogue.i ON trace (uuid)",
              "DELETE FROM catalogue.finding", "DROP VIEW fleet_latency", "ATTACH '/tmp/x.db' AS x", "PRAGMA catalogue.user_version = 5",
              "DETACH catalogue", "CREATE TEMP VIEW trace AS SELECT 1"}) {
            const Rows rows = queryRows(*database, statement);
            QVERIFY2(rows.size() == 1 && rows[0].starts_with("error: "), statement);
        }
        QCOMPARE(queryRows(*database, "CREATE TABLE mine AS SELECT host FROM trace; SELECT * FROM mine"), (Rows{"host-1"}));
        QCOMPARE(made.ask("SELECT host FROM trace"), (Rows{"host-1"}));
    }

    void percentilesComeFromMergedDigests()
    {
        const MadeCatalogue made;
        std::vector<TraceSummary> summaries;
        fleet::DurationDigest all;
        for (std::int64_t i = 0; i < 50; ++i) {
            summaries.push_back(madeSummary(i * 1'000));
            all.add(summaries.back().latencies[0].digest);
        }
        made.add(summaries);
        const auto p99 = *all.percentile(99);
        const std::string expected = "syscall|read|50|5000|" + std::to_string(all.total().count()) + '|'
            + std::to_string(all.least().count()) + '|' + std::to_string(all.percentile(50)->estimate.count()) + '|'
            + std::to_string(all.percentile(90)->estimate.count()) + '|' + std::to_string(p99.estimate.count()) + '|'
            + std::to_string(p99.lowest.count()) + '|' + std::to_string(p99.highest.count()) + '|' + std::to_string(all.most().count());
        QCOMPARE(made.ask("SELECT * FROM fleet_latency WHERE name = 'read'"), (Rows{expected}));
        QCOMPARE(made.ask("SELECT digest_count(digest_merge(histogram)) FROM digest"), (Rows{"10000"}));
        QCOMPARE(made.ask("SELECT digest_percentile(digest_merge(histogram), 50) FROM digest WHERE kind = 'none'"), (Rows{"-"}));
        QCOMPARE(made.ask("SELECT digest_percentile(NULL, 50), digest_merge(NULL), digest_count(NULL)"), (Rows{"-|-|0"}));
        QCOMPARE(made.ask("SELECT host, share FROM worst_finding WHERE trace_id = 1"), (Rows{"host-0|0.500000"}));
    }

    void wrongCallsOfFunctionsAreErrors()
    {
        const MadeCatalogue made;
        made.add({madeSummary(1), madeSummary(2)});
        QCOMPARE(made.ask("SELECT digest_percentile(histogram, 101) FROM digest"),
                 (Rows{"error: digest_percentile(): the percentile must be a number from 0 to 100"}));
        QCOMPARE(made.ask("SELECT digest_percentile('x', 50)"), (Rows{"error: digest_percentile(): not a digest of durations"}));
        QCOMPARE(made.ask("SELECT digest_merge(kind) FROM digest"), (Rows{"error: digest_merge(): not a digest of durations"}));
        QCOMPARE(made.ask("SELECT digest_merge(5) FROM digest"), (Rows{"error: digest_merge(): not a digest of durations"}));
    }

    void tracesAreSelected()
    {
        const MadeCatalogue made;
        TraceSummary again = madeSummary(3, 5'000); // Another recording at the same path.
        again.identity = "identity-new";
        made.add({madeSummary(3), madeSummary(1), madeSummary(2), failedSummary(9), again});
        const auto database = made.queries();
        const auto paths = [&](const std::string& condition) {
            Rows rows;
            const auto traces = fleet::readTraces(*database, condition);
            if (!traces)
                return Rows{"error: " + traces.error().what};
            for (const fleet::CataloguedTrace& it : *traces)
                rows.push_back(std::to_string(it.id) + ' ' + it.path);
            return rows;
        };
        QCOMPARE(paths(""), (Rows{"2 /traces/1", "3 /traces/2", "5 /traces/3"}));
        QCOMPARE(paths("host = 'host-2' -- a comment"), (Rows{"3 /traces/2"}));
        QVERIFY(paths("no_column = 1")[0].find("no such column: no_column") != std::string::npos);
    }

    void otherFilesAreNoCatalogues()
    {
        const QTemporaryDir folder;
        const auto problemOf = [&](const std::string& path) {
            const auto changed = fleet::Catalogue::open(path);
            const auto read = fleet::openForQueries(path);
            return changed || read ? std::string("none") : read.error().what;
        };
        const std::string text = test::writeFile(folder.filePath("text.db"), QByteArray(5'000, 'x')).toStdString();
        QCOMPARE(problemOf(text), text + ": file is not a database");
        const std::string foreign = folder.filePath("foreign.db").toStdString();
        {
            auto database = sql::Database::create();
            QVERIFY(bool(database));
        }
        const MadeCatalogue made;
        made.add({madeSummary(1)});
        QFile file(QString::fromStdString(made.path()));
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray whole = file.readAll();
        QByteArray changed = whole;
        changed[71] = 'x'; // The last byte of the application ID.
        test::writeFile(QString::fromStdString(foreign), changed);
        QCOMPARE(problemOf(foreign), foreign + ": an SQLite database, but not a catalogue of traces");
        changed = whole;
        changed[63] = 9; // The last byte of the user version.
        test::writeFile(QString::fromStdString(foreign), changed);
        QVERIFY2(problemOf(foreign).starts_with(foreign + ": a catalogue of version 9; this program uses version 1"),
                 problemOf(foreign).c_str());
        const auto missing = fleet::openForQueries("/no/such.db");
        QVERIFY(!missing && missing.error().kind == Error::Kind::NotFound);
        QCOMPARE(missing.error().what, std::string("/no/such.db: No such file or directory"));
    }

    /// Property: a damaged catalogue gives rows or an error, but never ends the program.
    void damagedCataloguesAreErrors()
    {
        const MadeCatalogue made;
        std::vector<TraceSummary> summaries;
        for (std::int64_t i = 0; i < 40; ++i)
            summaries.push_back(madeSummary(i));
        made.add(summaries);
        QFile file(QString::fromStdString(made.path()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        const QTemporaryDir folder;
        int errors = 0;
        for (qsizetype at = 101; at < whole.size(); at += whole.size() / 60) {
            QByteArray damaged = whole;
            damaged.replace(at, std::min<qsizetype>(32, whole.size() - at), QByteArray(32, '\xee'));
            const QString path = test::writeFile(folder.filePath("damaged.db"), damaged);
            const auto database = fleet::openForQueries(path.toStdString());
            if (!database) {
                ++errors;
                continue;
            }
            for (const char* query :
                 {"SELECT * FROM trace", "SELECT * FROM finding", "SELECT * FROM fleet_latency", "SELECT * FROM worst_finding"}) {
                const Rows rows = queryRows(**database, query);
                errors += !rows.empty() && rows.back().starts_with("error: ");
            }
            const auto catalogue = fleet::Catalogue::open(path.toStdString());
            errors += !catalogue || !(*catalogue)->add(std::vector{madeSummary(3, 9'000), madeSummary(77)});
        }
        QVERIFY(errors > 0);
    }
};

HELIO_TEST(CatalogueTest)
#include "tst_catalogue.moc"
