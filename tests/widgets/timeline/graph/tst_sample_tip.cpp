// Tooltips of rows that have samples and no states, and of calls with recorded arguments.

#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "tests/support/opened_text.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/tips/state_tip.h"

#include <QTest>

using namespace helio;

class SampleTipTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_timeline = test::timelineOf("tests/fixtures/perf/fp.data");
        QVERIFY(m_timeline);
        m_row = rows(*m_timeline, "control-flow").front().ref;
        SampleFilter filter;
        filter.threads = {m_row};
        const StackProfile profile = collectStacks(*m_timeline, filter);
        m_samples = profile.samples;
        m_first = profile.stacks.front().first;
    }

    void awayFromTicksItShowsAllSamplesAndHowToRecordStates()
    {
        const auto tip = tipFor(question({}));
        QVERIFY(tip);
        QVERIFY2(tip->title.startsWith(QString::number(m_samples) + ' '), qPrintable(tip->title));
        QVERIFY2(tip->cause.contains("sched:sched_switch"), qPrintable(tip->cause));
        QVERIFY(!tip->states.empty());
        QVERIFY(sampledCodeFacts(question({})).empty());
    }

    void atATickItShowsThatSample()
    {
        const auto tip = tipFor(question({m_first, m_first + Duration(1)}));
        QVERIFY(tip);
        QCOMPARE(tip->title, QString("1 sample"));
        QCOMPARE(tip->states.size(), std::size_t(1));
        QVERIFY(tip->cause.isEmpty());
        const auto code = sampledCodeFacts(question({m_first, m_first + Duration(1)}));
        QCOMPARE(code.size(), std::size_t(2));
        // Without the module's file, the tooltip shows an address in the module.
        QVERIFY2(code.front().second == "leaf" || code.front().second.startsWith("demo+0x"), qPrintable(code.front().second));
    }

    void rowsOfStatesSayTheirStates()
    {
        const auto kernel = test::sampleTimeline();
        QVERIFY(kernel);
        TipRequest asked = question({});
        asked.timeline = kernel;
        asked.track = rows(*kernel, "control-flow").front().ref;
        asked.at = rangeOf(*kernel).begin + rangeOf(*kernel).duration() / 2;
        const auto tip = tipFor(asked);
        QVERIFY(tip);
        QVERIFY2(!tip->title.contains("sample"), qPrintable(tip->title));
    }

    /// Input: a log of strace, and a Chrome trace. Property: the tooltip of a call has the recorded arguments and the result; a long value
    /// takes at most three lines.
    void callsShowTheirArgumentsAndResults()
    {
        using Fields = std::vector<std::pair<QString, QString>>;
        const OpenedText log("12 1700000000.5 read(3, \"abc\", 400) = 3 <0.1>\n12 1700000001.5 close(3) = 0 <0.1>\n", "log.txt");
        QVERIFY2(log.timeline, log.error.c_str());
        TipRequest asked = question({});
        asked.timeline = log.timeline;
        asked.track = rows(*log.timeline, "control-flow").front().ref;
        asked.at = rangeOf(*log.timeline).begin + Duration(50'000'000);
        QCOMPARE(recordedCallFields(asked), (Fields{{"Arguments", "3, \"abc\", 400"}, {"Result", "3"}}));
        asked.at = rangeOf(*log.timeline).begin + Duration(500'000'000); // The time between the calls.
        QCOMPARE(recordedCallFields(asked), Fields());

        const OpenedText slices(R"([{"ph":"X","pid":1,"tid":2,"ts":1,"dur":8,"name":"a","cat":"c","args":{"x":1}}])", "trace.json");
        QVERIFY2(slices.timeline, slices.error.c_str());
        asked.timeline = slices.timeline;
        for (const Row& row : rows(*slices.timeline, "call-stack"))
            if (row.valueKind == ValueKind::Frame)
                asked.track = row.ref;
        const Timestamp begin = rangeOf(*slices.timeline).begin;
        asked.at = begin + Duration(1000);
        asked.pixel = {asked.at, asked.at + Duration(1)};
        QCOMPARE(recordedCallFields(asked), (Fields{{"Category", "c"}, {"Arguments", "{\"x\":1}"}}));

        const auto heightOf = [](const QString& value) {
            StateTip tip;
            TipContent content;
            content.recorded = {{"Arguments", value}};
            tip.setContent(content);
            return tip.height();
        };
        QVERIFY(heightOf("1") < heightOf(QString("word ").repeated(20)));
        QCOMPARE(heightOf(QString("word ").repeated(60)), heightOf(QString("word ").repeated(900)));
    }

private:
    TipRequest question(TimeRange ticks) const { return {m_timeline, m_row, "demo", m_first, {}, ticks, {}, 6, theme()}; }

    std::shared_ptr<const Timeline> m_timeline;
    TrackRef m_row;
    std::uint64_t m_samples = 0;
    Timestamp m_first;
};

HELIO_TEST(SampleTipTest)
#include "tst_sample_tip.moc"
