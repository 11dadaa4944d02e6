// Recordings of different times in one experiment. Input: synthetic traces, of which only the packets' claims matter.

#include "core/experiment/timeline.h"
#include "core/query/rows/recording_groups.h"
#include "tests/support/fake_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

constexpr std::int64_t Hour = 3'600'000'000'000;

/// A timeline whose traces lie at the given times, in hours.
Timeline at(const std::vector<std::pair<double, double>>& hours)
{
    Timeline timeline;
    for (const auto& [begin, end] : hours) {
        TraceInfo info;
        info.identity = "recording";
        info.path = "/recordings/" + std::to_string(timeline.traces.size());
        TimelineTrace& it = timeline.traces.emplace_back();
        it.trace = std::make_shared<test::FakeTrace>(info, std::vector<std::string>{}, std::vector<std::vector<test::FakeEvent>>{});
        it.claimed = {hostTime(std::int64_t(begin * double(Hour))), hostTime(std::int64_t(end * double(Hour)))};
    }
    return timeline;
}

QString textOf(const Timeline& timeline)
{
    QStringList texts;
    for (const RecordingGroup& group : groupRecordings(timeline)) {
        QStringList traces;
        for (const std::uint32_t trace : group.traces)
            traces << QString::number(trace);
        texts << QString("%1 (%2-%3)")
                     .arg(traces.join(' '))
                     .arg(double(nanoseconds(group.range.begin)) / double(Hour))
                     .arg(double(nanoseconds(group.range.end)) / double(Hour));
    }
    return texts.join(", ");
}

} // namespace

class RecordingGroupsTest : public QObject {
    Q_OBJECT

private slots:
    void recordingsThatOverlapAreAGroup()
    {
        QCOMPARE(textOf(at({{10, 11}, {1, 2}, {1.5, 3}, {2.9, 4}, {10.5, 10.6}})), QString("1 2 3 (1-4), 0 4 (10-11)"));
        QCOMPARE(textOf(at({{1, 2}})), QString("0 (1-2)"));
        QCOMPARE(textOf(at({})), QString());
    }

    /// Property: the group shown first is the earliest one with a trace that promises rows, and recordings without times belong to it.
    void theGroupShownFirstHasRows()
    {
        Timeline timeline = at({{10, 11}, {1, 2}, {0, 0}, {20, 21}});
        MissingEvents states;
        states.view = "control-flow";
        states.isEssential = true;
        timeline.traces[1].missing.push_back(states);
        QCOMPARE(textOf(timeline), QString("1 (1-2), 0 2 (10-11), 3 (20-21)"));
        QCOMPARE(shownGroup(timeline, groupRecordings(timeline)), std::size_t(1));
        for (TimelineTrace& it : timeline.traces)
            it.missing.push_back(states);
        QCOMPARE(shownGroup(timeline, groupRecordings(timeline)), std::size_t(0));
    }

    /// Property: a time axis does not span clocks whose distance means nothing.
    void theAxisSpansOnlyRelatedClocks()
    {
        Timeline timeline = at({{1, 2}, {500'000, 500'001}});
        timeline.range = {timestamp(Hour), timestamp(500'001 * Hour)};
        timeline.hosts.resize(2);
        timeline.traces[1].host = 1;
        QCOMPARE(axisRange(timeline), timeline.range);
        timeline.hosts[1].isSynchronized = false;
        QCOMPARE(axisRange(timeline), (TimeRange{timestamp(Hour), timestamp(2 * Hour)}));
    }

    void recordingsWithoutTimesBelongToTheFirstGroup()
    {
        Timeline timeline = at({{10, 11}, {0, 0}, {1, 2}});
        QCOMPARE(textOf(timeline), QString("1 2 (1-2), 0 (10-11)"));
        QCOMPARE(textOf(at({{0, 0}})), QString("0 (0-0)"));
    }

    /// Property: recordings are only said to be apart if most of the time is empty; rotated recordings of one session are not.
    void recordingsAreApartIfMostOfTheTimeIsEmpty()
    {
        const auto areThoseApart = [](const Timeline& timeline) { return areApart(groupRecordings(timeline)); };
        QVERIFY(areThoseApart(at({{1, 2}, {10, 11}})));
        QVERIFY(!areThoseApart(at({{1, 2}, {2.1, 3}, {3.1, 4}})));
        QVERIFY(!areThoseApart(at({{1, 9}, {2, 3}})));
        QVERIFY(!areThoseApart(at({{1, 2}})));
        QVERIFY(!areThoseApart(at({{1, 1.001}, {1.015, 1.016}}))); // 50 s apart.
        QVERIFY(areThoseApart(at({{1, 1.001}, {1.02, 1.021}}))); // 68 s apart.
        QVERIFY(!areThoseApart(at({})));
        QCOMPARE(QString::fromStdString(apartText(at({{10, 11}, {1, 2}, {1.5, 2}}))),
                 QString("the times of the recordings do not overlap: they form 2 groups, with 8 h between them. To open one group only, "
                         "name its recordings: /recordings/1 /recordings/2"));
        QVERIFY(apartText(at({{1, 2}, {1, 3}})).empty());
    }

    void nothingIsSaidBeforeAllPacketsAreFound()
    {
        Timeline timeline = at({{1, 2}});
        TraceInfo provisional; // Without an identity.
        timeline.traces.emplace_back().trace =
            std::make_shared<test::FakeTrace>(provisional, std::vector<std::string>{}, std::vector<std::vector<test::FakeEvent>>{});
        QVERIFY(groupRecordings(timeline).empty());
    }
};

HELIO_TEST(RecordingGroupsTest)
#include "tst_recording_groups.moc"
