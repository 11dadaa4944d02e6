// Contents of an experiment while its traces are still being read. The test controls with gates how long each read takes.

#include "core/experiment/experiment.h"
#include "core/query/rows/statistics.h"
#include "tests/support/fake_trace.h"
#include "tests/support/gate.h"
#include "tests/support/made_trace.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::int64_t Second = 1'000'000'000;

/// Gates that block the reads of one trace.
struct Disk {
    Gate packets; ///< Blocks the search for CTF packets after the first packets were found.
    Gate events; ///< Blocks the reading of events.
    std::atomic<bool> hasEnded{false}; ///< While false, the trace has no end.
    std::atomic<std::uint64_t> reads{0};
    std::function<void()> onFirstRead;
};

class SlowStream final : public EventStream {
public:
    explicit SlowStream(std::shared_ptr<Disk> disk)
        : m_disk(std::move(disk))
    {
    }

    bool next(EventBatch& batch) override
    {
        if (m_disk->reads++ == 0 && m_disk->onFirstRead)
            m_disk->onFirstRead();
        m_disk->events.pass();
        batch.clear();
        batch.begin = {};
        batch.begin.event = m_next;
        for (int i = 0; i < 512 && !m_disk->hasEnded; ++i) {
            EventRecord record;
            record.time = hostTime(static_cast<std::int64_t>(m_next++));
            batch.records.push_back(record);
        }
        return !batch.records.empty();
    }
    std::vector<Diagnostic> diagnostics() const override { return {}; }

private:
    std::shared_ptr<Disk> m_disk;
    std::uint64_t m_next = 0;
};

/// A trace with one event type and packets of a second each. Events are lost in the middle of each packet.
class SlowTrace final : public MadeTrace {
public:
    SlowTrace(std::string name, std::size_t packets, std::shared_ptr<Disk> disk)
        : m_disk(std::move(disk))
    {
        EventType type;
        type.name = "tick";
        m_types.add(std::move(type));
        m_info.name = m_info.identity = std::move(name);
        m_info.path = "/" + m_info.name;
        m_info.bytes = 1000;
        StreamInfo stream;
        for (std::size_t i = 0; i < packets; ++i) {
            PacketInfo packet;
            packet.contentBits = 256'000;
            packet.range = HostRange{hostTime(std::int64_t(i) * Second), hostTime(std::int64_t(i + 1) * Second)};
            packet.discarded = i == 1 ? 5 : 0;
            stream.packets.push_back(packet);
        }
        if (packets > 0)
            m_streams.push_back(std::move(stream));
    }

    std::unique_ptr<EventStream> openStream(std::uint32_t, StreamPosition) const override { return std::make_unique<SlowStream>(m_disk); }

private:
    std::shared_ptr<Disk> m_disk;
};

class SlowOpening final : public TraceOpening {
public:
    SlowOpening(std::string name, std::shared_ptr<Disk> disk)
        : m_name(std::move(name))
        , m_disk(std::move(disk))
    {
    }
    std::shared_ptr<const Trace> provisionalTrace() const override { return std::make_shared<SlowTrace>(m_name, 0, m_disk); }
    Result<std::shared_ptr<const Trace>> finish(const Publish& publish, std::stop_token) override
    {
        if (publish)
            publish(std::make_shared<SlowTrace>(m_name, 2, m_disk));
        m_disk->packets.pass();
        return std::shared_ptr<const Trace>(std::make_shared<SlowTrace>(m_name, 4, m_disk));
    }

private:
    std::string m_name;
    std::shared_ptr<Disk> m_disk;
};

struct Fixture {
    explicit Fixture(std::size_t traces = 1)
    {
        std::vector<std::unique_ptr<TraceOpening>> openings;
        for (std::size_t i = 0; i < traces; ++i) {
            disks.push_back(std::make_shared<Disk>());
            openings.push_back(std::make_unique<SlowOpening>("trace " + std::to_string(i), disks.back()));
        }
        ExperimentOptions options;
        options.storeDirectory = cache.path().toStdString();
        options.jobs = 1;
        experiment = Experiment::of(std::move(openings), options);
    }
    ~Fixture()
    {
        for (const auto& disk : disks) {
            disk->hasEnded = true;
            disk->packets.open();
            disk->events.open();
        }
        std::vector<std::weak_ptr<Disk>> users(disks.begin(), disks.end());
        experiment.reset();
        disks.clear();
        for (const auto& user : users)
            QTRY_VERIFY(user.expired()); // `user` expires when the indexing threads have ended and freed their objects.
    }

    std::vector<double> density(const Timeline& timeline) const
    {
        return eventDensity(timeline, 0, {timestamp(0), timestamp(4 * Second)}, 4);
    }

    QTemporaryDir cache;
    std::vector<std::shared_ptr<Disk>> disks;
    std::unique_ptr<Experiment> experiment;
};

} // namespace

class FirstPictureTest : public QObject {
    Q_OBJECT

private slots:
    void nothingIsReadBeforeTheStart()
    {
        const Fixture f;
        const auto timeline = f.experiment->timeline();

        QCOMPARE(timeline->traces.size(), std::size_t(1));
        QVERIFY(timeline->range.isEmpty());
        QCOMPARE(f.disks[0]->reads.load(), std::uint64_t(0));
    }

    void densityAndLossesAreThereAsPacketsAreFound()
    {
        Fixture f;
        f.experiment->start([] {});
        f.disks[0]->packets.waitUntilBlocked();

        auto timeline = f.experiment->timeline();
        QCOMPARE(timeline->range, (TimeRange{timestamp(0), timestamp(2 * Second)}));
        QCOMPARE(f.density(*timeline), (std::vector<double>{1000, 1000, 0, 0}));
        const auto lost = losses(*timeline, {Timestamp::min(), Timestamp::max()});
        QCOMPARE(lost.size(), std::size_t(1));
        QCOMPARE(lost[0].events, std::uint64_t(5));
        QCOMPARE(lost[0].range, (TimeRange{timestamp(Second), timestamp(2 * Second)}));

        f.disks[0]->packets.open();
        f.disks[0]->events.waitUntilBlocked(); // The first event is requested, but not delivered yet.
        timeline = f.experiment->timeline();
        QVERIFY(!timeline->traces[0].facts);
        QVERIFY(!timeline->isComplete);
        QCOMPARE(timeline->range.end, timestamp(4 * Second));
        QCOMPARE(f.density(*timeline), (std::vector<double>{1000, 1000, 1000, 1000}));
        QCOMPARE(losses(*timeline, timeline->range).size(), std::size_t(1));
    }

    void statesAreThereBeforeTheTraceIsReadWhole()
    {
        Fixture f;
        f.disks[0]->packets.open();
        f.disks[0]->events.open();
        f.experiment->start([] {});

        // The trace ends only after a part of it was shown.
        QTRY_VERIFY(f.experiment->timeline()->traces[0].facts != nullptr);
        const auto timeline = f.experiment->timeline();
        QVERIFY(!timeline->isComplete);
        QVERIFY(timeline->traces[0].facts->knownUntil() > hostTime(0));
        // Parts of the trace that were not read yet have an event density, which is estimated from their packets.
        QVERIFY(f.density(*timeline)[3] > 0);

        f.disks[0]->hasEnded = true;
        QVERIFY(f.experiment->wait());
        QVERIFY(f.experiment->timeline()->isComplete);
    }

    void cancellingDoesNotWaitForAStuckRead()
    {
        Fixture f;
        f.disks[0]->packets.open();
        f.experiment->start([] {});
        f.disks[0]->events.waitUntilBlocked();

        f.experiment->cancel();

        const auto done = f.experiment->wait();
        QVERIFY(!done);
        QCOMPARE(done.error().kind, Error::Kind::Cancelled);
        QTRY_VERIFY(f.experiment->progress().isDone);
        f.experiment.reset(); // Closing does not wait for the blocked read.
        QVERIFY(!f.disks[0]->hasEnded);
    }

    void whatIsVisibleIsReadFirst()
    {
        Fixture f(3);
        std::mutex mutex;
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < f.disks.size(); ++i) {
            f.disks[i]->onFirstRead = [&, i] {
                const std::lock_guard lock(mutex);
                order.push_back(i);
            };
            f.disks[i]->events.open();
        }
        f.disks[0]->packets.open();
        f.disks[1]->packets.open();
        f.experiment->start();
        f.disks[2]->packets.waitUntilBlocked(); // Waits until the third trace searches for packets, which is before any event is read.
        f.experiment->prefer({2, 1});
        for (const auto& disk : f.disks)
            disk->hasEnded = true;
        f.disks[2]->packets.open();

        QVERIFY(f.experiment->wait());
        QCOMPARE(order, (std::vector<std::size_t>{2, 1, 0}));
    }
};

HELIO_TEST(FirstPictureTest)
#include "tst_first_picture.moc"
