#include "core/trace/merged_events.h"
#include "core/trace/read_ahead.h"
#include "tests/support/made_trace.h"
#include "tests/support/no_threads.h"
#include "tests/support/slow_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstring>
#include <semaphore>
#include <thread>

using namespace helio;

namespace {

/// A trace whose streams have numbered events of one byte, `batchSize` events per batch; its bytes stay valid (keepsBytes()).
class CountingTrace final : public MadeTrace {
public:
    /// `failsAt`: number of the event at which reading throws std::bad_alloc.
    CountingTrace(std::size_t streams, std::size_t events, std::size_t batchSize, std::size_t failsAt = SIZE_MAX)
        : m_bytes(events)
        , m_batchSize(batchSize)
        , m_failsAt(failsAt)
    {
        m_streams.resize(streams);
        m_types.add({});
        for (std::size_t i = 0; i < events; ++i)
            m_bytes[i] = static_cast<std::byte>(i);
    }
    bool keepsBytes() const override { return true; }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override
    {
        return std::make_unique<Stream>(*this, stream, from);
    }

private:
    class Stream final : public EventStream {
    public:
        Stream(const CountingTrace& trace, std::uint32_t stream, StreamPosition from)
            : m_trace(trace)
            , m_stream(stream)
            , m_next(from.event)
        {
        }
        bool next(EventBatch& batch) override
        {
            batch.clear();
            if (m_next >= m_trace.m_failsAt)
                throw std::bad_alloc();
            batch.begin = {};
            batch.begin.event = m_next;
            batch.packet = {m_trace.m_bytes.data(), m_trace.m_bytes.size() * 8, 0};
            for (; m_next < m_trace.m_bytes.size() && batch.records.size() < m_trace.m_batchSize; ++m_next) {
                batch.records.emplace_back();
                batch.records.back().time = hostTime(static_cast<std::int64_t>(m_next * 7 + m_stream * m_next % 5));
                batch.records.back().headerBit = m_next * 8;
            }
            ++m_requestedBatches;
            return !batch.records.empty();
        }
        std::vector<Diagnostic> diagnostics() const override
        {
            Diagnostic diagnostic;
            diagnostic.count = m_requestedBatches;
            return {diagnostic};
        }

    private:
        const CountingTrace& m_trace;
        std::uint32_t m_stream;
        std::uint64_t m_next;
        std::uint64_t m_requestedBatches = 0;
    };

    std::vector<std::byte> m_bytes;
    std::size_t m_batchSize;
    std::size_t m_failsAt;
};

using Seen = std::vector<std::tuple<std::int64_t, std::uint32_t, std::uint64_t>>;

Seen allOf(const Trace& trace, std::span<const StreamPosition> from = {})
{
    Seen all;
    MergedEvents events(trace, from);
    while (events.next())
        all.emplace_back(nanoseconds(events.event().time()), events.event().stream, events.event().record->headerBit);
    return all;
}

} // namespace

class TestReadAhead : public QObject {
    Q_OBJECT

private slots:
    void theEventsAreTheSame_data()
    {
        QTest::addColumn<int>("streams");
        QTest::addColumn<int>("events");
        QTest::addColumn<int>("threads");
        for (const int streams : {0, 1, 2, 7, 64, 200}) {
            for (const int events : {0, 1, 10, 2000}) {
                for (const int threads : {0, 1, 2, 4})
                    QTest::newRow(qPrintable(QString("%1 streams of %2, %3 threads").arg(streams).arg(events).arg(threads)))
                        << streams << events << threads;
            }
        }
    }

    void theEventsAreTheSame()
    {
        QFETCH(int, streams);
        QFETCH(int, events);
        QFETCH(int, threads);
        const CountingTrace trace(static_cast<std::size_t>(streams), static_cast<std::size_t>(events), 3);
        const ReadAheadTrace ahead(trace, static_cast<std::size_t>(threads));

        QCOMPARE(allOf(ahead), allOf(trace));
    }

    void severalMergesMayReadAheadAtOnce()
    {
        const CountingTrace trace(3, 3000, 5);
        const ReadAheadTrace ahead(trace, 2);
        const Seen expected = allOf(trace);
        std::array<Seen, 3> seen;
        std::vector<std::thread> threads;
        for (Seen& result : seen)
            threads.emplace_back([&] { result = allOf(ahead); });
        for (std::thread& thread : threads)
            thread.join();

        for (const Seen& result : seen)
            QCOMPARE(result, expected);
    }

    void streamsMayBeGivenUpAtAnyTime()
    {
        const CountingTrace trace(4, 1000, 3);
        for (int steps = 0; steps < 300; ++steps) {
            const ReadAheadTrace ahead(trace, 1 + static_cast<std::size_t>(steps) % 3);
            MergedEvents events(ahead);
            for (int i = 0; i < steps; ++i)
                QVERIFY(events.next());
        }
    }

    void whoWaitsForASlowStreamGoesOnWhenStopIsRequested()
    {
        const test::SlowTrace trace(2);
        std::stop_source stop;
        const ReadAheadTrace ahead(trace, 1, stop.get_token());
        bool hasEvents = true;
        std::binary_semaphore reached(0);
        std::thread reader([&] {
            MergedEvents events(ahead, {}, stop.get_token());
            hasEvents = events.next();
            reached.release();
        });
        trace.waitUntilRead();
        stop.request_stop();
        reached.acquire(); // The reader has stopped although its stream is still being decoded.
        trace.openGate();
        reader.join();

        QVERIFY(!hasEvents);
        QCOMPARE(trace.requestedBatches(), 1);
    }

    void readingGoesOnFromPositions()
    {
        const CountingTrace trace(4, 200, 3);
        const ReadAheadTrace ahead(trace);
        const Seen all = allOf(trace);
        MergedEvents events(ahead);
        for (std::size_t i = 0; events.next(); i += 1) {
            if (i % 37 == 0)
                QCOMPARE(allOf(ahead, events.positions()), Seen(all.begin() + static_cast<std::ptrdiff_t>(i), all.end()));
        }
    }

    void withFewerThreadsThanAskedForTheEventsAreTheSame_data()
    {
        QTest::addColumn<int>("left");
        for (const int left : {0, 1, 2})
            QTest::addRow("%d", left) << left;
    }
    void withFewerThreadsThanAskedForTheEventsAreTheSame()
    {
        QFETCH(int, left);
        const CountingTrace trace(7, 2000, 3);
        const Seen expected = allOf(trace);
        const test::ThreadLimit limit(left);
        const ReadAheadTrace ahead(trace, 4);

        QCOMPARE(allOf(ahead), expected);
    }

    void whatAStreamThrowsReachesTheReaderBehindTheBatchesBefore()
    {
        const CountingTrace trace(2, 1000, 10, 300);
        const ReadAheadTrace ahead(trace, 2);
        const auto read = [&] {
            const auto stream = ahead.openStream(0, {});
            EventBatch batch;
            std::size_t events = 0;
            try {
                while (stream->next(batch))
                    events += batch.records.size();
            } catch (const std::bad_alloc&) {
                return qint64(events);
            }
            return qint64(-1);
        };

        QCOMPARE(read(), qint64(300));
    }

    void diagnosticsAreThoseOfTheWholeStreamAtItsEnd()
    {
        const CountingTrace trace(2, 100, 10);
        const ReadAheadTrace ahead(trace);
        MergedEvents events(ahead);
        while (events.next())
            QCOMPARE(events.diagnostics().size(), std::size_t{2});

        QCOMPARE(events.diagnostics().front().count, std::uint64_t{11});
    }
};

HELIO_TEST(TestReadAhead)
#include "tst_read_ahead.moc"
