// Property: while events of a CPU are lost, the analysis leaves the CPU's state and its thread's state unknown.

#include "kernel_run.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>

using namespace helio;
using helio::test::KernelRun;
using helio::test::runKernel;

namespace {

/// Times of the first and last event of a packet. If the packet has no events, `first` is empty and `last` has no meaning.
struct PacketTimes {
    std::optional<HostTimestamp> first{};
    HostTimestamp last{};
};

std::vector<PacketTimes> packetTimes(const Trace& trace, std::uint32_t stream)
{
    std::vector<PacketTimes> times(trace.streams()[stream].packets.size());
    const auto reader = trace.openStream(stream);
    for (EventBatch batch; reader->next(batch);)
        for (const EventRecord& record : batch.records) {
            PacketTimes& its = times[batch.packetIndex];
            its.first = its.first.value_or(record.time);
            its.last = record.time;
        }
    return times;
}

/// Ranges of a stream in which LTTng may have lost events, from the counters in its packets. For each packet whose counter grew: from the
/// last event of the preceding packet to the first event of this packet, and from the last event of this packet to its end.
std::vector<HostRange> possibleLosses(const Trace& trace, std::uint32_t stream)
{
    std::vector<HostRange> ranges;
    const auto times = packetTimes(trace, stream);
    const auto& packets = trace.streams()[stream].packets;
    for (std::size_t i = 0; i < packets.size(); ++i) {
        if (packets[i].discarded == 0 || !times[i].first)
            continue;
        if (i > 0 && times[i - 1].first)
            ranges.push_back({times[i - 1].last, *times[i].first});
        ranges.push_back({times[i].last, packets[i].range->end});
    }
    std::erase_if(ranges, [](const HostRange& it) { return it.begin >= it.end; });
    return ranges;
}

} // namespace

class KernelLossyTest : public QObject {
    Q_OBJECT

private slots:
    void nothingIsClaimedWhereEventsMayBeLost_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("fixture") << QStringLiteral(SOURCE_DIR "/tests/fixtures/lossy-small");
        if (const QString recorded = realTrace("lttng-kernel", "lossy"); !recorded.isEmpty())
            QTest::newRow("recorded") << recorded;
    }

    void nothingIsClaimedWhereEventsMayBeLost()
    {
        QFETCH(const QString, folder);
        const KernelRun run = runKernel(folder);
        QVERIFY(run.trace);
        std::size_t looked = 0;
        for (std::uint32_t stream = 0; stream < run.trace->streams().size(); ++stream)
            for (HostRange loss : possibleLosses(*run.trace, stream)) {
                loss.end = std::min(loss.end, run.range.end);
                if (loss.begin >= loss.end)
                    continue;
                ++looked;
                const std::string cpu = "cpu:" + std::to_string(run.trace->streams()[stream].cpu);
                for (const std::string& key : {cpu, cpu + "/thread"})
                    QCOMPARE(claimedIn(run, key, loss), std::string());
            }
        QVERIFY(looked >= 10);
    }

    void lostEventsAreCountedOnce()
    {
        const KernelRun run = runKernel(QStringLiteral(SOURCE_DIR "/tests/fixtures/lossy-small"));
        std::uint64_t lost = 0;
        for (const Loss& loss : run.losses)
            lost += loss.events;
        QCOMPARE(lost, std::uint64_t(6925));
    }

private:
    /// Returns the row's states within a range, except unknown, as text.
    static std::string claimedIn(const KernelRun& run, const std::string& key, HostRange range)
    {
        const int row = run.find(key);
        if (row < 0)
            return "no row " + key;
        std::string claimed;
        for (const HostInterval& it : run.store->intervals(static_cast<TrackId>(row), range))
            if (const std::string& state = run.state(static_cast<std::size_t>(row), it); state != "unknown")
                claimed += key + " " + state + " in " + std::to_string(nanoseconds(std::max(it.range.begin, range.begin))) + ".."
                    + std::to_string(nanoseconds(std::min(it.range.end, range.end))) + "; ";
        return claimed;
    }
};

HELIO_TEST(KernelLossyTest)
#include "tst_kernel_lossy.moc"
