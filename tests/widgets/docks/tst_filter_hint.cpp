// Property: the examples in the hints of filter fields find something in the open traces.

#include "core/experiment/timeline.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/docks/events/events_view.h"
#include "widgets/docks/events/search_view.h"

#include <QLineEdit>
#include <QTest>

using namespace helio;

class FilterHintTest : public QObject {
    Q_OBJECT

private slots:
    void hintsAreOfWhatIsOpen()
    {
        ViewContext context;
        const EventsView events(context);
        const SearchView search(context);
        const auto hintOf = [](const QWidget& view) { return view.findChild<QLineEdit*>()->placeholderText(); };
        const QString general = "name == \"sched_switch\" && next_tid == 42";
        QCOMPARE(hintOf(events), "Filter: " + general);
        QCOMPARE(hintOf(search), "Search: a word, " + general + ", or state == \"blocked\" && duration > 10ms");

        const auto timeline = test::timelineOf("tests/fixtures/perf/calls-part.data");
        QVERIFY(timeline);
        context.setTimeline(timeline);
        QTRY_VERIFY(hintOf(events).startsWith("Filter: name == \"sched:sched_switch\" && next_pid == "));
        QTRY_VERIFY(hintOf(search).startsWith("Search: a word, name == \"sched:sched_switch\" && next_pid == "));

        context.setTimeline(nullptr);
        QTRY_COMPARE(hintOf(events), "Filter: " + general);
    }
};

HELIO_TEST(FilterHintTest)
#include "tst_filter_hint.moc"
