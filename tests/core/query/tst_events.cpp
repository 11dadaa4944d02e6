#include "core/experiment/timeline.h"
#include "core/query/events/events.h"
#include "tests/support/fake_trace.h"
#include "tests/support/indexed.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <tuple>

using namespace helio;
using helio::test::FakeEvent;
using helio::test::FakeTrace;

namespace {

/// Makes events at irregular times, many of which are equal; equal seeds give equal events.
std::vector<FakeEvent> madeEvents(std::size_t count, std::uint32_t seed)
{
    std::vector<FakeEvent> events;
    std::int64_t time = 1000 + seed;
    for (std::size_t i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        time += (seed >> 24) % 5;
        events.push_back({time, std::uint32_t(i), 0, 0});
    }
    return events;
}

std::shared_ptr<const Timeline> timelineOf(std::vector<std::vector<std::vector<FakeEvent>>> traces)
{
    auto timeline = std::make_shared<Timeline>();
    for (auto& streams : traces) {
        auto trace = std::make_shared<FakeTrace>(TraceInfo{}, std::vector<std::string>{"tick"}, std::move(streams));
        const ClockTransform clock(Duration(std::int64_t(timeline->traces.size()) * 3));
        addTrace(*timeline, {nullptr, trace, clock, "host", test::indexed(*trace, {})->facts});
    }
    timeline->isComplete = true;
    return timeline;
}

struct Expected {
    Timestamp time;
    std::uint32_t trace;
    std::uint32_t stream;
    std::uint32_t number;
    bool operator==(const Expected&) const = default;
};

/// Reference order of the merged events, computed by sorting.
std::vector<Expected> sorted(const std::vector<std::vector<std::vector<FakeEvent>>>& traces)
{
    std::vector<Expected> all;
    for (std::uint32_t t = 0; t < traces.size(); ++t)
        for (std::uint32_t s = 0; s < traces[t].size(); ++s)
            for (const FakeEvent& event : traces[t][s])
                all.push_back({timestamp(event.time + t * 3), t, s, event.number});
    std::stable_sort(all.begin(), all.end(), [](const Expected& a, const Expected& b) {
        return std::tie(a.time, a.trace, a.stream) < std::tie(b.time, b.trace, b.stream);
    });
    return all;
}

Expected listed(const EventRow& row)
{
    return {row.time, row.trace, std::uint32_t(row.stream.back() - '0'),
            std::uint32_t(std::get<std::uint64_t>(row.fields.at(0).value.value))};
}

} // namespace

class EventsTest : public QObject {
    Q_OBJECT

private:
    // Enough events for more than two checkpoints in the longest trace.
    const std::vector<std::vector<std::vector<FakeEvent>>> m_traces{
        {madeEvents(3000, 7)}, {madeEvents(90'000, 1), madeEvents(80'000, 2)}, {madeEvents(500, 3), {}, madeEvents(20'000, 4)}};

private slots:
    void eventsOfATraceWithoutTimesHaveNone()
    {
        for (const bool hasTimes : {true, false}) {
            const auto timeline = timelineOf({{{{10, 1}}}});
            auto copy = std::make_shared<Timeline>(*timeline);
            TraceInfo info;
            info.hasTimes = hasTimes;
            copy->traces[0].trace =
                std::make_shared<FakeTrace>(info, std::vector<std::string>{"tick"}, std::vector<std::vector<FakeEvent>>{{{10, 1}}});
            EventTable table(copy);
            QCOMPARE(table.rows(0, 1).at(0).hasTime, hasTimes);
        }
    }

    void theCursorGivesAllEventsInOrder()
    {
        EventCursor cursor(timelineOf(m_traces), Timestamp::min());

        for (const Expected& expected : sorted(m_traces)) {
            QVERIFY(cursor.next());
            QCOMPARE(cursor.time(), expected.time);
            QCOMPARE(cursor.trace(), expected.trace);
            QCOMPARE(cursor.event().stream, expected.stream);
        }
        QVERIFY(!cursor.next());
    }

    void theCursorStartsAtTheFirstEventNotBeforeItsTime()
    {
        const auto timeline = timelineOf(m_traces);
        const std::vector<Expected> all = sorted(m_traces);
        for (const std::size_t i : {std::size_t(0), std::size_t(5), all.size() / 2, all.size() - 1}) {
            EventCursor cursor(timeline, all[i].time);
            const auto first = std::find_if(all.begin(), all.end(), [&](const Expected& e) { return e.time >= all[i].time; });

            QVERIFY(cursor.next());
            QCOMPARE(cursor.time(), first->time);
            QCOMPARE(cursor.trace(), first->trace);
        }
        EventCursor cursor(timeline, all.back().time + Duration(1));
        QVERIFY(!cursor.next());
    }

    void aRowOfTheTableIsTheSameHoweverOneGetsThere()
    {
        EventTable table(timelineOf(m_traces));
        const std::vector<Expected> all = sorted(m_traces);
        QCOMPARE(table.size(), std::uint64_t(all.size()));

        for (const std::size_t first : {std::size_t(100'000), std::size_t(0), std::size_t(65'535), std::size_t(65'536),
                                        std::size_t(150'001), std::size_t(3), all.size() - 4}) {
            const std::vector<EventRow> rows = table.rows(first, 10);
            QCOMPARE(rows.size(), std::min<std::size_t>(10, all.size() - first));
            for (std::size_t i = 0; i < rows.size(); ++i) {
                QCOMPARE(rows[i].index, std::uint64_t(first + i));
                QVERIFY(listed(rows[i]) == all[first + i]);
            }
        }
    }

    void readingOnGivesTheRowsThatFollow()
    {
        EventTable table(timelineOf(m_traces));
        const std::vector<Expected> all = sorted(m_traces);

        for (std::size_t first = 70'000; first < 70'100; first += 20) {
            const std::vector<EventRow> rows = table.rows(first, 20);
            QCOMPARE(rows.size(), std::size_t(20));
            QVERIFY(listed(rows.back()) == all[first + 19]);
        }
    }

    void rowsAreFoundByTheirNumbers()
    {
        EventTable table(timelineOf(m_traces));
        const std::vector<Expected> all = sorted(m_traces);
        const std::vector<std::uint64_t> numbers{3, 4, 900, 65'535, 65'536, 170'000, all.size() - 1};

        for (int twice = 0; twice < 2; ++twice) {
            const std::vector<EventRow> rows = table.rows(numbers);
            QCOMPARE(rows.size(), numbers.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                QCOMPARE(rows[i].index, numbers[i]);
                QVERIFY(listed(rows[i]) == all[numbers[i]]);
            }
        }
        const std::vector<std::uint64_t> beyond{5, all.size(), all.size() + 7};
        QCOMPARE(table.rows(beyond).size(), std::size_t(1));
    }

    void aTimeLeadsToTheNumberOfItsFirstEvent()
    {
        EventTable table(timelineOf(m_traces));
        const std::vector<Expected> all = sorted(m_traces);

        for (const std::size_t i : {std::size_t(0), std::size_t(77), all.size() / 3, all.size() - 1}) {
            const auto first = std::find_if(all.begin(), all.end(), [&](const Expected& e) { return e.time >= all[i].time; });
            QCOMPARE(table.indexAt(all[i].time), std::uint64_t(first - all.begin()));
        }
        QCOMPARE(table.indexAt(all.back().time + Duration(1)), table.size());
    }

    void aSearchFindsAllThatMatchesAndReportsHowFarItIs()
    {
        const auto timeline = timelineOf(m_traces);
        const std::vector<Expected> all = sorted(m_traces);
        const auto expression = Expression::parse("number >= 100 && number < 103");
        QVERIFY(expression);

        std::vector<EventHit> hits;
        std::vector<double> shares;
        findEvents(timeline, *expression, {Timestamp::min(), Timestamp::max()}, 0, [&](std::vector<EventHit> part, double share) {
            hits.insert(hits.end(), part.begin(), part.end());
            shares.push_back(share);
        });

        std::vector<EventHit> expected;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].number >= 100 && all[i].number < 103)
                expected.push_back({i, all[i].time, all[i].trace});
        QVERIFY(!expected.empty());
        QVERIFY(hits == expected);
        QVERIFY(shares.size() > 2);
        QVERIFY(std::is_sorted(shares.begin(), shares.end()));
        QVERIFY(shares.front() >= 0 && shares[shares.size() / 2] > 0 && shares[shares.size() - 2] < 1);
        QCOMPARE(shares.back(), 1.0);

        const auto next = findNextEvent(timeline, *expression, expected[1].index, true);
        QVERIFY(next == std::vector{expected[2]});
        const auto previous = findNextEvent(timeline, *expression, expected[1].index, false);
        QVERIFY(previous == std::vector{expected[0]});
        QVERIFY(findNextEvent(timeline, *expression, expected[0].index, false).empty());
        QVERIFY(findNextEvent(timeline, *expression, expected.back().index, true).empty());
    }

    void anExperimentWithoutEventsHasAnEmptyTable()
    {
        EventTable table(timelineOf({{{}}}));

        QCOMPARE(table.size(), std::uint64_t(0));
        QVERIFY(table.rows(0, 10).empty());
    }
};

HELIO_TEST(EventsTest)
#include "tst_events.moc"
