// Which intervals a search over states finds, where these are calls.

#include "core/query/filters/state_search.h"
#include "tests/support/made_calls.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

Timestamp at(std::int64_t ns) { return Timestamp(Duration(ns)); }

std::vector<TimeRange> found(const char* text)
{
    const auto timeline = MadeCalls::make();
    const auto expression = Expression::parse(text);
    if (!expression)
        qFatal("%s", text);
    const std::vector<std::string> views{"call-stack", "control-flow"};
    std::vector<TimeRange> ranges;
    for (const StateHit& hit : findStates(*timeline, **expression, views, timeline->range).hits)
        ranges.push_back(hit.range);
    return ranges;
}

} // namespace

class CallSearchTest : public QObject {
    Q_OBJECT

private slots:
    void callsAreFoundByTheirFunctions()
    {
        QCOMPARE(found("name == \"read\""), (std::vector<TimeRange>{{at(1300), at(1500)}, {at(2000), at(2001)}}));
        QCOMPARE(found("name contains \"re\" && duration > 100"), (std::vector<TimeRange>{{at(1200), at(2800)}, {at(1300), at(1500)}}));
        QCOMPARE(found("name == \"nothing\""), std::vector<TimeRange>());
    }

    void callsAreFoundByTheirThreads()
    {
        const std::vector<TimeRange> ofHelper{{at(100), at(400)}, {at(500), at(4000)}};
        QCOMPARE(found("thread == \"helper\""), ofHelper);
        QCOMPARE(found("name == \"helper\""), std::vector<TimeRange>()); // The name of a call is its function's.
        QCOMPARE(found("thread == \"helper\" && name =~ \"^c\""), (std::vector<TimeRange>{{at(100), at(400)}}));
        QCOMPARE(found("name == \"1\""), std::vector<TimeRange>()); // Nor its depth.
        QCOMPARE(found("thread == \"worker-0\" && name == \"read\"").size(), 2u); // As the kernel's trace calls it.
        QCOMPARE(found("thread == \"app\" && name == \"read\"").size(), 2u);
        QCOMPARE(found("thread != \"app\" && name == \"read\"").size(), 0u);
    }

    void callsAreFoundByHowTheyEnd() { QCOMPARE(found("state == \"call-open\""), (std::vector<TimeRange>{{at(500), at(4000)}})); }
};

HELIO_TEST(CallSearchTest)
#include "tst_call_search.moc"
