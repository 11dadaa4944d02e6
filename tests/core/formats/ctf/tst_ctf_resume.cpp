#include "core/formats/ctf/opening/ctf_find.h"
#include "core/formats/ctf/recording/ctf_trace.h"
#include "tests/support/ctf_golden.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

std::shared_ptr<const Trace> opened(const QString& path)
{
    for (const auto& source : ctf::findTraces(path.toStdString()))
        if (auto trace = openCtf(source))
            return *trace;
    return nullptr;
}

/// All events and losses read from a position on, as lines: time, type and position.
struct Reading {
    std::vector<StreamPosition> begins; ///< Stream position at the beginning of each batch.
    std::vector<std::size_t> counts; ///< For each batch, number of entries in `lines` before the batch.
    QStringList lines;
};

Reading readFrom(const Trace& trace, std::uint32_t stream, StreamPosition from)
{
    Reading reading;
    const auto events = trace.openStream(stream, from);
    EventBatch batch;
    std::uint64_t number = from.event;
    while (events->next(batch)) {
        reading.begins.push_back(batch.begin);
        reading.counts.push_back(std::size_t(reading.lines.size()));
        for (const auto& record : batch.records)
            reading.lines << QString("%1 %2 %3 %4 %5")
                                 .arg(nanoseconds(record.time))
                                 .arg(quint32(record.type))
                                 .arg(batch.packetIndex)
                                 .arg(record.headerBit)
                                 .arg(number++);
        for (const auto& loss : batch.losses)
            reading.lines << QString("lost %1 %2 %3..%4")
                                 .arg(loss.events)
                                 .arg(loss.packets)
                                 .arg(nanoseconds(loss.range.begin))
                                 .arg(nanoseconds(loss.range.end));
    }
    return reading;
}

/// Compares a complete read with reads from each batch's beginning. Returns the first difference as text; empty if there is none.
QString difference(const Trace& trace)
{
    for (std::uint32_t stream = 0; stream < trace.streams().size(); ++stream) {
        const auto whole = readFrom(trace, stream, {});
        for (std::size_t i = 0; i < whole.begins.size(); ++i) {
            const auto rest = readFrom(trace, stream, whole.begins[i]);
            if (rest.lines != whole.lines.mid(qsizetype(whole.counts[i])))
                return QString("stream %1 from batch %2").arg(stream).arg(i);
        }
    }
    return {};
}

} // namespace

class CtfResumeTest : public QObject {
    Q_OBJECT

private slots:
    void readingCanBeTakenUpAtEachBatch_data() { addGoldenRows(); }
    void readingCanBeTakenUpAtEachBatch()
    {
        QFETCH(QString, path);
        const QTemporaryDir folder;
        GoldenFile::read(path).unpackTo(folder.path().toStdString());

        if (const auto trace = opened(folder.path()))
            QCOMPARE(difference(*trace), QString());
    }

    void readingCanBeTakenUpWithinLargePackets()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "login");
        const auto trace = opened(path);

        QVERIFY(trace);
        QCOMPARE(difference(*trace), QString());
    }

    void aPositionBeyondTheEndHasNoEvents()
    {
        const QTemporaryDir folder;
        GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/no-packet-context.golden").unpackTo(folder.path().toStdString());
        const auto trace = opened(folder.path());

        QVERIFY(trace);
        QCOMPARE(readFrom(*trace, 0, {7, 0, 0, 0, 0}).lines.size(), 0);
        QCOMPARE(readFrom(*trace, 0, {0, 1'000'000'000, 0, 0, 0}).lines.size(), 0);
    }
};

HELIO_TEST(CtfResumeTest)
#include "tst_ctf_resume.moc"
