#include "core/trace/merged_events.h"
#include "tests/support/fake_trace.h"
#include "tests/support/made_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using test::FakeEvent;
using test::FakeTrace;

namespace {

FakeTrace traceOf(std::vector<std::vector<FakeEvent>> streams) { return FakeTrace({}, {"a", "b"}, std::move(streams)); }

struct Seen {
    std::int64_t time;
    std::uint32_t stream;
    std::uint32_t number;
    bool operator==(const Seen&) const = default;
};

Seen seen(const EventView& event)
{
    std::uint32_t number = 0;
    std::memcpy(&number, event.packet.data + event.record->headerBit / 8, sizeof number);
    return {nanoseconds(event.time()), event.stream, number};
}

std::vector<Seen> allOf(const Trace& trace, std::span<const StreamPosition> from = {})
{
    std::vector<Seen> all;
    MergedEvents events(trace, from);
    while (events.next())
        all.push_back(seen(events.event()));
    return all;
}

/// Returns a trace whose streams have bursts of events, equal times and times that go back.
FakeTrace unruly(std::size_t streams)
{
    std::vector<std::vector<FakeEvent>> all(streams);
    std::uint32_t random = 1;
    std::uint32_t number = 0;
    for (std::size_t s = 0; s < streams; ++s) {
        std::int64_t time = 0;
        for (std::size_t i = 0; i < 20 * s + 3; ++i) {
            random = random * 1664525 + 1013904223;
            time += static_cast<std::int64_t>(random >> 28) - 1;
            all[s].push_back({time, ++number, (random >> 20) % 2});
        }
    }
    return traceOf(std::move(all));
}

/// A trace with one or more streams that return the given batches.
class BatchTrace final : public MadeTrace {
public:
    explicit BatchTrace(std::vector<std::vector<EventBatch>> streams)
        : m_batches(std::move(streams))
    {
        m_streams.resize(m_batches.size());
        m_types.add({});
    }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition) const override
    {
        return std::make_unique<Stream>(m_batches[stream]);
    }

private:
    class Stream final : public EventStream {
    public:
        explicit Stream(const std::vector<EventBatch>& batches)
            : m_batches(batches)
        {
        }
        bool next(EventBatch& batch) override
        {
            if (m_next == m_batches.size())
                return false;
            batch = m_batches[m_next++];
            return true;
        }
        std::vector<Diagnostic> diagnostics() const override { return {{}, {}}; }

    private:
        const std::vector<EventBatch>& m_batches;
        std::size_t m_next = 0;
    };

    std::vector<std::vector<EventBatch>> m_batches;
};

EventBatch batchOf(std::vector<std::int64_t> times, std::vector<Loss> losses = {})
{
    EventBatch batch;
    for (const std::int64_t time : times) {
        batch.records.emplace_back();
        batch.records.back().time = hostTime(time);
    }
    batch.losses = std::move(losses);
    return batch;
}

Loss lossUntil(std::int64_t end, std::uint32_t stream = 0)
{
    Loss loss;
    loss.range = {hostTime(end - 1), hostTime(end)};
    loss.stream = stream;
    return loss;
}

} // namespace

class TestMergedEvents : public QObject {
    Q_OBJECT

private slots:
    void aTraceWithoutStreamsHasNoEvents()
    {
        const FakeTrace trace = traceOf({});
        MergedEvents events(trace);

        QVERIFY(!events.next());
        QVERIFY(!events.next());
        QVERIFY(events.positions().empty());
    }

    void oneStreamIsPassedOnAsItIs()
    {
        const FakeTrace trace = traceOf({{{5, 1}, {5, 2}, {9, 3}}});

        QCOMPARE(allOf(trace), (std::vector<Seen>{{5, 0, 1}, {5, 0, 2}, {9, 0, 3}}));
    }

    void equalTimesComeByStream()
    {
        const FakeTrace trace = traceOf({{{2, 1}, {7, 2}}, {{2, 3}, {7, 4}}, {{1, 5}, {2, 6}, {7, 7}}});

        QCOMPARE(allOf(trace), (std::vector<Seen>{{1, 2, 5}, {2, 0, 1}, {2, 1, 3}, {2, 2, 6}, {7, 0, 2}, {7, 1, 4}, {7, 2, 7}}));
    }

    void withinAStreamTheFilesOrderStandsWhereTimesGoBack()
    {
        const FakeTrace trace = traceOf({{{10, 1}, {4, 2}, {11, 3}}, {{5, 4}, {10, 5}}});

        QCOMPARE(allOf(trace), (std::vector<Seen>{{5, 1, 4}, {10, 0, 1}, {4, 0, 2}, {10, 1, 5}, {11, 0, 3}}));
    }

    void anEventAtTheEndOfTimeIsNotTakenForTheEndOfItsStream()
    {
        constexpr auto Last = std::numeric_limits<std::int64_t>::max();
        const FakeTrace trace = traceOf({{{1, 1}}, {{Last, 2}}, {}});

        QCOMPARE(allOf(trace), (std::vector<Seen>{{1, 0, 1}, {Last, 1, 2}}));
    }

    void theOrderIsThatOfRepeatedlyTakingTheLeastHead_data()
    {
        QTest::addColumn<int>("streams");
        for (const int streams : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17})
            QTest::newRow(qPrintable(QString::number(streams))) << streams;
    }

    void theOrderIsThatOfRepeatedlyTakingTheLeastHead()
    {
        QFETCH(int, streams);
        const FakeTrace trace = unruly(static_cast<std::size_t>(streams));
        std::vector<std::vector<Seen>> heads;
        for (std::uint32_t s = 0; s < trace.streams().size(); ++s) {
            heads.emplace_back();
            EventBatch batch;
            for (const auto stream = trace.openStream(s, {}); stream->next(batch);) {
                for (const EventRecord& record : batch.records)
                    heads.back().push_back(seen({&record, nullptr, batch.packet, s}));
            }
        }

        std::vector<Seen> expected;
        std::vector<std::size_t> at(heads.size());
        for (;;) {
            std::size_t least = heads.size();
            for (std::size_t s = 0; s < heads.size(); ++s) {
                if (at[s] < heads[s].size() && (least == heads.size() || heads[s][at[s]].time < heads[least][at[least]].time))
                    least = s;
            }
            if (least == heads.size())
                break;
            expected.push_back(heads[least][at[least]++]);
        }

        QCOMPARE(allOf(trace), expected);
    }

    void runsAreTheSameEventsInTheSameOrder_data()
    {
        QTest::addColumn<int>("most");
        for (const int most : {1, 2, 3, 5, 1000})
            QTest::newRow(qPrintable(QString::number(most))) << most;
    }

    void runsAreTheSameEventsInTheSameOrder()
    {
        QFETCH(int, most);
        const FakeTrace trace = unruly(5);
        const std::vector<Seen> expected = allOf(trace);
        std::vector<Seen> all;
        std::size_t longest = 0;
        MergedEvents events(trace);
        for (EventRun run = events.nextRun(std::size_t(most)); !run.records.empty(); run = events.nextRun(std::size_t(most))) {
            const std::vector<Seen> rest(expected.begin() + std::ptrdiff_t(all.size()), expected.end());
            QCOMPARE(seen(events.event()), rest.front());
            QCOMPARE(allOf(trace, events.positions()), rest);
            for (const EventRecord& record : run.records)
                all.push_back(seen({&record, nullptr, run.packet, run.stream}));
            longest = std::max(longest, run.records.size());
        }

        QCOMPARE(all, expected);
        QVERIFY(longest <= std::size_t(most));
        QVERIFY(most == 1 || longest > 1);
    }

    void lossesComeAtTheFirstEventOfARun()
    {
        const BatchTrace trace(
            {{batchOf({1, 2}, {lossUntil(4)}), batchOf({6}, {lossUntil(8)}), batchOf({20})}, {batchOf({3, 3, 4, 5, 7, 8, 9})}});
        MergedEvents events(trace);
        // For each run of events: begin of each loss + 100, end of each loss + 200, then the times of the events. The added numbers tell
        // the three apart.
        std::vector<std::int64_t> reported;
        for (EventRun run = events.nextRun(100); !run.records.empty(); run = events.nextRun(100)) {
            for (const Loss& loss : events.takeOpenedLosses())
                reported.push_back(100 + nanoseconds(loss.range.begin));
            for (const Loss& loss : events.takeLosses())
                reported.push_back(200 + nanoseconds(loss.range.end));
            for (const EventRecord& record : run.records)
                reported.push_back(nanoseconds(record.time));
        }

        QCOMPARE(reported, (std::vector<std::int64_t>{1, 2, 103, 3, 3, 204, 4, 5, 6, 107, 7, 208, 8, 9, 20}));
    }

    void readingGoesOnFromThePositionsOfAnyEvent()
    {
        const FakeTrace trace = unruly(5);
        const std::vector<Seen> all = allOf(trace);
        MergedEvents events(trace);

        for (std::size_t i = 0; events.next(); ++i) {
            const std::vector<StreamPosition> here = events.positions();
            const std::vector<Seen> rest(all.begin() + static_cast<std::ptrdiff_t>(i), all.end());
            QCOMPARE(allOf(trace, here), rest);
            MergedEvents again(trace, here);
            QVERIFY(again.next());
            QCOMPARE(again.positions().size(), here.size());
            MergedEvents third(trace, again.positions()); // Positions of a resumed merge can themselves be resumed.
            QVERIFY(third.next());
            QCOMPARE(seen(third.event()), all[i]);
        }
        QVERIFY(allOf(trace, events.positions()).empty());
    }

    void positionsBeforeTheFirstEventAreTheBeginning()
    {
        const FakeTrace trace = unruly(3);
        const MergedEvents events(trace);

        QCOMPARE(allOf(trace, events.positions()), allOf(trace));
    }

    void lossesComeWithTheFirstEventAtOrAfterTheirEnd()
    {
        const BatchTrace trace({{batchOf({1, 2}, {lossUntil(6), lossUntil(4)}), batchOf({9})}, {batchOf({3, 5, 6, 7})}});
        MergedEvents events(trace);
        // Pairs of times in ns: time of the event at which a loss is reported, and end of the loss's gap.
        std::vector<std::pair<std::int64_t, std::int64_t>> reported;

        while (events.next()) {
            const bool promised = events.hasLosses();
            const auto losses = events.takeLosses();
            QCOMPARE(promised, !losses.empty());
            for (const Loss& loss : losses)
                reported.emplace_back(nanoseconds(events.event().time()), nanoseconds(loss.range.end));
        }

        QCOMPARE(reported, (std::vector<std::pair<std::int64_t, std::int64_t>>{{5, 4}, {6, 6}}));
        QVERIFY(!events.hasLosses());
    }

    void lossesAreAnnouncedWhereTheirGapBegins()
    {
        // Two losses with gaps of 1 ns that end at 6 and at 4, after the stream's last event at 2.
        const BatchTrace trace({{batchOf({1, 2}, {lossUntil(6), lossUntil(4)}), batchOf({9})}, {batchOf({2, 3, 4, 7})}});
        MergedEvents events(trace);
        std::vector<std::pair<std::int64_t, std::int64_t>> reported;
        while (events.next()) {
            const bool promised = events.hasOpenedLosses();
            const auto losses = events.takeOpenedLosses();
            QCOMPARE(promised, !losses.empty());
            for (const Loss& loss : losses)
                reported.emplace_back(nanoseconds(events.event().time()), nanoseconds(loss.range.begin));
            QVERIFY(events.takeOpenedLosses().empty());
        }
        QCOMPARE(reported, (std::vector<std::pair<std::int64_t, std::int64_t>>{{3, 3}, {7, 5}}));
    }

    void lossesAfterTheLastEventAreReportedAtTheEnd()
    {
        const BatchTrace trace({{batchOf({1}), batchOf({}, {lossUntil(50, 0)})}, {batchOf({2}, {lossUntil(40, 1)})}});
        MergedEvents events(trace);
        while (events.next())
            QVERIFY(!events.hasLosses());

        QVERIFY(events.hasLosses());
        const auto losses = events.takeLosses();
        QCOMPARE(losses.size(), std::size_t{2});
        QCOMPARE(losses[0].range.end, hostTime(40));
        QCOMPARE(losses[1].range.end, hostTime(50));
        QVERIFY(!events.hasLosses());
        QVERIFY(events.takeLosses().empty());
    }

    void diagnosticsOfAllStreamsAreHandedOn()
    {
        const BatchTrace trace({{batchOf({1})}, {}});

        QCOMPARE(MergedEvents(trace).diagnostics().size(), std::size_t{4});
    }
};

HELIO_TEST(TestMergedEvents)
#include "tst_merged_events.moc"
