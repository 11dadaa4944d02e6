// Breakdown of the time of requests. Input: segments of synthetic threads.

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/state_causes.h"
#include "core/query/segments/composite_states.h"
#include "core/waits/requests/requests.h"
#include "tests/core/correlators/critical_path/two_threads.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace helio;
using namespace helio::test;

namespace {

/// Makes a store with the segments "call of A": on the row of thread 7, or without a row and with the TID in their fields.
std::shared_ptr<const Store> segmentsOf(bool areOnRows)
{
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    SegmentKind kind;
    kind.id = "order";
    kind.title = "Orders";
    kind.hasFields = true;
    const SegmentKindId id = *builder->segments().addKind(kind);
    Track row;
    row.view = "orders";
    row.key = "order";
    row.label = "orders";
    row.tid = areOnRows ? 7 : -1;
    const TrackId track = builder->addTrack(row);
    const auto add = [&](std::int64_t begin, std::int64_t end, const char* name, const char* fields) {
        builder->segments().add({hostTime(begin), hostTime(end), static_cast<std::int64_t>(builder->string(fields)), builder->string(name),
                                 areOnRows ? track : NoTrack, id});
    };
    add(50, 350, "A", "pid=7;tid=7");
    add(60, 95, "B", "tid=7");
    add(120, 200, "A", "pid=8;tid=8");
    add(120, 200, "nobody's", "pid=9");
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(500)};
    return *builder->finish(summary);
}

RequestSelection named(std::string_view name)
{
    return {[name](const std::string& its, TrackRef, TimeRange) { return name.empty() || its == name; }};
}

QString requestsOf(bool areOnRows, std::string_view name = {}, TimeRange window = {Timestamp::min(), Timestamp::max()})
{
    MadeMachines made;
    const auto trace = made.add(twoThreads(), "host", 500);
    made.addStore(trace, segmentsOf(areOnRows));
    QStringList all;
    forEachRequestPath(made.timeline(), "order", named(name), window, [&](RequestPath&& it) {
        QString one = QString("%1 %2:").arg(it.name.c_str()).arg(it.range.duration().count());
        for (std::size_t kind = 0; kind < PathKinds; ++kind)
            if (it.parts[kind] > Duration::zero())
                one += QString(" %1 %2").arg(wordOf(PathKind(kind)).data()).arg(it.parts[kind].count());
        all << one;
    });
    return all.join(", ");
}

} // namespace

class RequestsTest : public QObject {
    Q_OBJECT

private slots:
    /// Expected for the first request: thread 7 runs from 50 to 100 and from 310 to 350, thread 8 runs for it from 120 to 300, and the
    /// cause of thread 8's earlier wait was not recorded.
    void eachHasItsPathByCause()
    {
        QCOMPARE(requestsOf(false), QString("A 300: running 270 wait-cpu 10 blocked 20, B 35: running 35, A 80: running 80"));
    }

    /// Property: requests are sorted by time, and each is as long as the sum of its parts.
    void eachHasALane()
    {
        MadeMachines made;
        const auto trace = made.add(twoThreads(), "host", 500);
        made.addStore(trace, segmentsOf(false));
        QStringList all;
        forEachRequestPath(made.timeline(), "order", named("A"), {Timestamp::min(), timestamp(400)}, [&](RequestPath&& it) {
            QString one;
            for (const RequestPart& part : it.lane)
                one += QString("%1 to %2 ").arg(wordOf(part.kind).data()).arg(part.end.count());
            all << one.trimmed();
            QCOMPARE(it.lane.back().end, it.range.duration());
            QVERIFY(!partAt(it, it.range.duration()) && !partAt(it, Duration(-1)));
            QCOMPARE(partAt(it, Duration::zero()), &it.lane.front());
        });
        QCOMPARE(all.join(", "), QString("running to 50 blocked to 70 running to 250 wait-cpu to 260 running to 300, running to 80"));
    }

    void progressIsCounted()
    {
        MadeMachines made;
        const auto trace = made.add(twoThreads(), "host", 500);
        made.addStore(trace, segmentsOf(false));
        QueryProgress progress;
        forEachRequestPath(
            made.timeline(), "order", {}, {Timestamp::min(), Timestamp::max()}, [](RequestPath&&) {}, {}, &progress);
        QCOMPARE(progress.total.load(), std::uint64_t(3)); // The request without a thread is not counted.
        QCOMPARE(progress.done.load(), std::uint64_t(3));
    }

    void thoseOfAThreadsRowAreItsOwn()
    {
        QCOMPARE(requestsOf(true),
                 QString("A 300: running 270 wait-cpu 10 blocked 20, B 35: running 35, A 80: running 80, nobody's 80: running 80"));
    }

    void nameAndWindowChoose()
    {
        QCOMPARE(requestsOf(false, "B"), QString("B 35: running 35"));
        QCOMPARE(requestsOf(false, {}, {timestamp(55), timestamp(150)}), QString("B 35: running 35"));
    }

    /// Property: the longest of the accepted requests are returned, and all accepted requests are counted.
    void theLongestAreChosen()
    {
        MadeMachines made;
        const auto trace = made.add(twoThreads(), "host", 500);
        made.addStore(trace, segmentsOf(true));
        QStringList all;
        const auto take = [&](RequestPath&& it) { all << QString("%1 %2").arg(it.name.c_str()).arg(it.range.duration().count()); };
        const TimeRange ever{Timestamp::min(), Timestamp::max()};
        QCOMPARE(forEachRequestPath(made.timeline(), "order", {{}, 2}, ever, take), std::uint64_t(4));
        QCOMPARE(all.join(", "), QString("A 300, A 80"));
        all.clear();
        RequestSelection choice = named("B");
        choice.limit = 1;
        QCOMPARE(forEachRequestPath(made.timeline(), "order", choice, ever, take), std::uint64_t(1));
        QCOMPARE(all.join(", "), QString("B 35"));
        all.clear();
        made.addStore(trace, segmentsOf(false)); // This store has one request of thread 8.
        choice = {[&](const std::string&, TrackRef thread, TimeRange) { return helio::rowOf(made.timeline(), thread)->tid == 8; }};
        forEachRequestPath(made.timeline(), "order", choice, ever, take);
        QCOMPARE(all.join(", "), QString("A 80"));
    }

    /// Property: system calls are requests, taken from the states of threads; interrupts are not.
    void systemCallsAreRequests()
    {
        MadeMachines made;
        made.add(twoThreads(), "host", 500);
        const auto kinds = requestKinds(made.timeline());
        QVERIFY(std::ranges::find(kinds, "syscall", &RequestKind::id) != kinds.end());
        QVERIFY(std::ranges::find(kinds, "irq", &RequestKind::id) == kinds.end());
        const TimeRange ever{Timestamp::min(), Timestamp::max()};
        std::size_t count = 0;
        forEachCompositeState(made.timeline(), *findCompositeState(made.timeline(), "syscall"),
                              rowsWithComposite(made.timeline(), *findCompositeState(made.timeline(), "syscall")), ever,
                              [&](const Row&, TimeRange, std::uint32_t) { ++count; });
        QVERIFY(count > 0);
        forEachRequestPath(made.timeline(), "syscall", {}, ever, [&](RequestPath&& it) {
            --count;
            QVERIFY(!it.name.empty());
            QCOMPARE(std::accumulate(it.parts.begin(), it.parts.end(), Duration()), it.range.duration());
        });
        QCOMPARE(count, std::size_t(0));
    }
};

HELIO_TEST(RequestsTest)
#include "tst_requests.moc"
