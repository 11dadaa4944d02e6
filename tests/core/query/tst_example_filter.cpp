// Property: the example filter that the window shows finds events in the open traces.

#include "core/query/events/event_counts.h"
#include "core/query/events/event_words.h"
#include "core/query/events/events.h"
#include "core/query/rows/facts.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class ExampleFilterTest : public QObject {
    Q_OBJECT

private slots:
    void theExampleFindsEvents_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("field"); ///< Expected field in the filter; empty for any field.
        test::addRow("LTTng, switches", "resources/samples/workers", "next_tid");
        test::addRow("perf, switches", "tests/fixtures/perf/sched.data", "next_pid");
        test::addRow("perf, switches of a group", "tests/fixtures/perf/group-switches.data", "next_pid");
        test::addRow("perf, system calls and switches", "tests/fixtures/perf/calls-all.data", "next_pid");
        test::addRow("perf, few switches", "tests/fixtures/perf/calls-part.data", "next_pid");
        test::addRow("perf, several events", "tests/fixtures/perf/events.data", "");
        test::addRow("perf, texts", "tests/fixtures/perf/strings.data", "");
        test::addRow("perf, samples alone", "tests/fixtures/perf/fp.data", "");
    }
    void theExampleFindsEvents()
    {
        QFETCH(const QString, file);
        QFETCH(const QString, field);
        const auto timeline = test::timelineOf(qPrintable(file));
        QVERIFY(timeline);

        const std::string example = makeExampleFilter(timeline);

        const auto expression = Expression::parse(example);
        QVERIFY2(expression, example.c_str());
        std::uint64_t count = 0;
        findEvents(timeline, *expression, rangeOf(*timeline), 0, [&](const std::vector<EventHit>& hits, double) { count += hits.size(); });
        QVERIFY2(count > 0, example.c_str());
        if (!field.isEmpty())
            QVERIFY2(QString::fromStdString(example).contains(" && " + field + " == "), example.c_str());
    }

    /// Property: the example uses the most frequent event type; sched_switch comes first where it exists, because every user knows it.
    void theExampleIsOfTheMostFrequentType()
    {
        for (const char* file : {"tests/fixtures/perf/events.data", "tests/fixtures/perf/fp.data"}) {
            const auto timeline = test::timelineOf(file);
            QVERIFY(timeline);
            const auto counts = countEventTypes(timeline, rangeOf(*timeline));
            QVERIFY(!counts.empty());
            QVERIFY2(makeExampleFilter(timeline).starts_with("name == \"" + counts.front().name + '"'),
                     makeExampleFilter(timeline).c_str());
        }
        QVERIFY(makeExampleFilter(test::sampleTimeline()).starts_with("name == \"sched_switch\" && next_tid == "));
    }

    void whereNothingIsOpenThereIsNone()
    {
        QCOMPARE(makeExampleFilter(nullptr), std::string());
        QCOMPARE(makeExampleFilter(std::make_shared<Timeline>()), std::string());
    }
};

HELIO_TEST(ExampleFilterTest)
#include "tst_example_filter.moc"
