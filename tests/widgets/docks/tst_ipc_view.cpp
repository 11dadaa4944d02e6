// Tests of the dock that lists instructions per cycle (IPC). Input: spans of KUtrace.

#include "core/analysis/analyses.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/table_lines.h"
#include "tests/support/test_program.h"
#include "widgets/docks/durations/ipc_view.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Returns a timeline in which CPU 0 executes the system call read with IPC code 4 from 100 to 200 ns and write with IPC code 8 from 200 to
/// 500 ns, and idles from 500 to 900 ns. The codes mean IPC from 0.5 and from 1.0.
std::shared_ptr<const Timeline> spans()
{
    KernelScript s;
    const auto span = [&](std::int64_t begin, std::int64_t end, const char* name, std::int64_t number, std::int64_t code) {
        s.event(begin, 0, "kutrace:span",
                {{"name", name}, {"event", number}, {"duration", end - begin}, {"arg", 0}, {"rpc", 0}, {"ipc", code}});
    };
    span(100, 200, "read", 0x800, 4);
    span(200, 500, "write", 0x801, 8);
    span(500, 900, "-idle-", 0x10000, 2);
    s.run(1'000, KernelScript::Gaps::ReportedAtBegin, analysisOf("cpu-spans"));
    auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
    timeline->stores.push_back({0, s.sharedStore()});
    return timeline;
}

} // namespace

class IpcViewTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: the average IPC of each method (e.g. a system call) is weighted by time. If a range is selected, only this range is
    /// included. Idle time is not listed.
    void methodsAreListedWithTheirAverages()
    {
        ViewContext context;
        IpcView view(context);
        view.resize(900, 200);
        view.show();
        const auto timeline = spans();
        QVERIFY(hasIpc(*timeline));
        QVERIFY(!hasIpc(*MadeTimeline::make(3)));
        context.time().setFull({timestamp(0), timestamp(1'000)});
        context.setTimeline(timeline);
        QTRY_COMPARE(test::linesOf(view.table()), QStringList({"write|300 ns|1.13|1.00|0 s", "read|100 ns|0.56|0.50|0 s"}));
        QCOMPARE(view.scope(), QString("400 ns of execution in the whole trace; averages are weighted by time"));
        QCOMPARE(view.shownCommand().words, QStringList({"ipc", "--by", "method"}));

        view.list(IpcGrouping::Cpu);
        QCOMPARE(test::linesOf(view.table()), QStringList({"CPU 0|400 ns|0.98|0.88|0 s"}));
        QCOMPARE(view.shownCommand().words, QStringList({"ipc", "--by", "cpu"}));

        // The dock follows the visible range.
        context.time().setVisible({timestamp(100), timestamp(300)});
        QTRY_COMPARE(view.scope(), QString("200 ns of execution in the visible range; averages are weighted by time"));
        QCOMPARE(view.shownCommand().words.size(), 7);

        context.time().setSelection({timestamp(600), timestamp(700)});
        QTRY_COMPARE(view.scope(), QString("No instructions per cycle were recorded in the selected range."));
        QVERIFY(test::linesOf(view.table()).isEmpty());
    }
};

HELIO_TEST(IpcViewTest)
#include "tst_ipc_view.moc"
