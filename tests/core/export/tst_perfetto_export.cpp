#include "core/export/export_format.h"
#include "core/export/perfetto/scheduler_packets.h"
#include "core/sql/open_database.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/sample.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

namespace {

/// A recording, and what Heliograph reads from its export in Perfetto's format.
class Round {
public:
    explicit Round(std::shared_ptr<const Timeline> timeline, ExportSelection selection = {})
    {
        ExportRequest request;
        request.timeline = timeline;
        request.selection = std::move(selection);
        request.output = m_folder.filePath("out.perfetto-trace").toStdString();
        const Status written = writeExport(*findExportFormat("perfetto"), request);
        if (!written)
            qFatal("%s", written.error().what.c_str());
        m_copy = std::make_unique<test::OpenedExperiment>(std::vector{request.output});
        m_before = std::move(*sql::openDatabase(timeline));
        m_after = std::move(*sql::openDatabase(m_copy->timeline));
    }

    Rows before(std::string_view query) const { return queryRows(*m_before, query); }
    Rows after(std::string_view query) const { return queryRows(*m_after, query); }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<test::OpenedExperiment> m_copy;
    std::unique_ptr<sql::Database> m_before;
    std::unique_ptr<sql::Database> m_after;
};

/// Compares two results and shows the first rows that differ.
void compare(const Rows& after, const Rows& before)
{
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
        if (before[i] != after[i])
            QFAIL(qPrintable(QString("row %1 of %2 (%3): %4 instead of %5")
                                 .arg(i)
                                 .arg(before.size())
                                 .arg(after.size())
                                 .arg(QString::fromStdString(after[i]), QString::fromStdString(before[i]))));
    QCOMPARE(after.size(), before.size());
    QVERIFY(!before.empty());
}

} // namespace

class PerfettoExportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const auto timeline = test::sampleTimeline();
        QVERIFY(timeline);
        m_round = std::make_unique<Round>(timeline);
    }

    void runsAreEqual()
    {
        const char* const runs =
            "SELECT s.ts, s.dur, s.cpu, t.tid, s.end_state FROM sched_slice s JOIN thread t USING (utid) ORDER BY s.ts, s.cpu";
        compare(m_round->after(runs), m_round->before(runs));
    }
    void statesAreEqual()
    {
        const char* const states =
            "SELECT s.ts, s.dur, s.state, t.tid, s.cpu FROM thread_state s JOIN thread t USING (utid) ORDER BY s.ts, t.tid";
        compare(m_round->after(states), m_round->before(states));
    }
    void wakersAreEqual()
    {
        const char* const wakers = "SELECT s.ts, t.tid, w.tid FROM thread_state s JOIN thread t USING (utid) JOIN thread w ON w.utid = "
                                   "s.waker_utid WHERE s.state = 'R' ORDER BY s.ts, t.tid";
        compare(m_round->after(wakers), m_round->before(wakers));
    }
    void slicesAreEqual()
    {
        const char* const slices = "SELECT s.ts, s.dur, s.name, r.name, t.tid FROM slice s JOIN recorded_track r ON r.id = s.track_id LEFT "
                                   "JOIN thread t USING (utid) ORDER BY s.ts, s.dur DESC, s.name, t.tid";
        compare(m_round->after(slices), m_round->before(slices));
    }
    void threadsAndProcessesAreEqual()
    {
        const char* const threads = "SELECT t.tid, t.name, p.pid, p.name, t.is_main_thread FROM thread t LEFT JOIN process p USING (upid) "
                                    "WHERE t.tid != 0 ORDER BY t.tid, t.name";
        compare(m_round->after(threads), m_round->before(threads));
    }

private:
    std::unique_ptr<Round> m_round;
};

HELIO_TEST(PerfettoExportTest)
#include "tst_perfetto_export.moc"
