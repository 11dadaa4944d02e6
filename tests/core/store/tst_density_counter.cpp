#include "core/store/assembly/density_counter.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

/// Counts events one by one or, if `isTogether`, like a caller that sums up the events of a bucket and reports the sum later.
std::vector<std::pair<std::int64_t, std::uint64_t>> countsOf(const std::vector<std::int64_t>& times, bool isTogether)
{
    DensityCounter counter;
    HostRange bucket{};
    std::uint64_t waiting = 0;
    for (const std::int64_t time : times) {
        const HostTimestamp at = hostTime(time);
        if (isTogether && at >= bucket.begin && at < bucket.end) {
            ++waiting;
            continue;
        }
        if (waiting > 0)
            counter.add(bucket.begin, waiting);
        waiting = 0;
        bucket = counter.add(at, 1);
    }
    if (waiting > 0)
        counter.add(bucket.begin, waiting);
    std::vector<std::pair<std::int64_t, std::uint64_t>> counts;
    for (const DensityBucket& b : counter.buckets())
        counts.emplace_back(nanoseconds(b.begin), b.events);
    return counts;
}

} // namespace

class TestDensityCounter : public QObject {
    Q_OBJECT

private slots:
    void eventsOfOneBucketMayBeHandedOverTogether_data()
    {
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<int>("spread");
        for (const qint64 begin : {qint64(0), qint64(-5'000'000), qint64(1'795'260'280'219'478'075)}) {
            for (const int spread : {4, 20, 40})
                QTest::addRow("%lld, %d bits", static_cast<long long>(begin), spread) << begin << spread;
        }
    }

    void eventsOfOneBucketMayBeHandedOverTogether()
    {
        QFETCH(qint64, begin);
        QFETCH(int, spread);
        std::vector<std::int64_t> times;
        std::uint64_t random = 1;
        for (int i = 0; i < 20'000; ++i) {
            random = random * 6364136223846793005 + 1442695040888963407;
            const std::int64_t step = static_cast<std::int64_t>(random >> (64 - spread));
            times.push_back((times.empty() ? begin : times.back()) + (i % 100 == 0 ? -step / 2 : step));
        }

        QCOMPARE(countsOf(times, true), countsOf(times, false));
    }
};

HELIO_TEST(TestDensityCounter)
#include "tst_density_counter.moc"
