#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "tests/support/dice.h"
#include "tests/support/perf_builder.h"
#include "tests/support/perf_samples.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

QByteArray damaged(QByteArray bytes, Dice& dice)
{
    for (quint64 flips = dice.below(6) + 1; flips > 0; --flips) {
        // Damages the header and the attributes in half of the cases, because most of the parser's decisions depend on them.
        const quint64 reach = dice.below(2) ? std::min<quint64>(quint64(bytes.size()), 600) : quint64(bytes.size());
        const auto at = qsizetype(dice.below(reach));
        bytes[at] = dice.below(3) ? char(bytes[at] ^ (1 << dice.below(8))) : char(0xff);
    }
    return bytes;
}

} // namespace

/// Property: for any bytes, reading ends and accesses no invalid memory. Run this test with the sanitizers.
class PerfHostileTest : public QObject {
    Q_OBJECT

private:
    /// Reads the file through all functions of the trace. Returns the number of events; -1 if the file cannot be opened; -2 if it is not
    /// recognized as a perf.data file.
    int readAll(const QByteArray& bytes)
    {
        QFile file(m_folder.filePath("perf.data"));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
        file.close();
        std::string error;
        const auto trace = openPerfData(m_folder.filePath("perf.data").toStdString(), &error);
        if (!trace)
            return error.empty() ? -2 : -1;
        MergedEvents events(*trace);
        int count = 0;
        for (; events.next(); ++count) {
            decodeContext(events.event());
            decodeSection(events.event(), Section::Payload);
            SampleView sample;
            std::uint64_t sum = 0;
            if (trace->samples() && trace->samples()->read(events.event(), sample)) {
                for (std::size_t i = 0; i < sample.callchain.size(); ++i)
                    sum += sample.callchain[i];
                for (std::size_t i = 0; i < sample.user.registers.size(); ++i)
                    sum += sample.user.registers[i];
                for (const std::byte byte : sample.user.stack)
                    sum += std::uint64_t(byte);
            }
            m_sum += sum;
        }
        return count;
    }

    QTemporaryDir m_folder;
    std::uint64_t m_sum = 0;

private slots:
    void aRecordingOfCountsIsCalledWhatItIs()
    {
        MadePerfData made;
        made.addAttribute({});
        made.addFeature(19, made.make());
        QFile file(m_folder.filePath("perf.data"));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(file.write(made.file()), made.file().size());
        file.close();
        std::string error;
        QVERIFY(!openPerfData(m_folder.filePath("perf.data").toStdString(), &error));
        QVERIFY2(QString::fromStdString(error).contains("perf stat recordings hold only counts"), error.c_str());
    }

    void aFileThatEndsAnywhereGivesWhatIsThere_data()
    {
        QTest::addColumn<bool>("isPipe");
        QTest::newRow("file") << false;
        QTest::newRow("pipe") << true;
    }
    void aFileThatEndsAnywhereGivesWhatIsThere()
    {
        QFETCH(bool, isPipe);
        MadePerfData made;
        made.addAttribute({});
        made.addFeature(3, made.make().counted("box"));
        made.add(3, 0, made.trailer(made.make().u32(1).u32(1).text("name"), 1, 1, 1, 0));
        for (std::uint64_t i = 0; i < 5; ++i)
            made.addSample(i, 1, 1, 10 + i, 0, 1);
        const QByteArray whole = isPipe ? made.pipe() : made.file();
        const qsizetype dataEnd = whole.indexOf(made.data) + made.data.size();
        int last = -1;

        for (qsizetype size = 0; size <= whole.size(); ++size) {
            const int events = readAll(whole.first(size));
            QVERIFY2(events >= last, qPrintable(QString::number(size)));
            last = events;
            if (events >= 0)
                QCOMPARE(events, int(std::max<qsizetype>(0, 5 - (std::max<qsizetype>(dataEnd - size, 0) + 47) / 48)));
        }
        QCOMPARE(last, 5);
    }

    void damagedRecordingsAreReadToAnEnd_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(SOURCE_DIR "/tests/fixtures/perf");
        for (const auto& name : folder.entryList({"*.data"}, QDir::Files, QDir::Name))
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void damagedRecordingsAreReadToAnEnd()
    {
        QFETCH(QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        QVERIFY(readAll(whole) > 0);
        Dice dice(quint64(whole.size()));

        for (int round = 0; round < 300; ++round)
            QVERIFY(readAll(damaged(whole, dice)) >= -1);
        for (int round = 0; round < 50; ++round)
            // -2 is possible, because the file may end before the end of the magic number.
            QVERIFY(readAll(whole.first(qsizetype(dice.below(quint64(whole.size()))))) >= -2);
    }

    void listsOfIdsThatShareBytesAreNotReadAgainAndAgain()
    {
        MadePerfData made;
        constexpr int Events = 500;
        for (int i = 0; i < Events; ++i)
            made.addAttribute({});
        made.addSample(1, 1, 1, 1, 0, 1);
        QByteArray bytes = made.file();
        for (int i = 0; i < Events; ++i) { // Makes the list of IDs of each attribute cover the whole file.
            const MadeBytes place = MadeBytes(ByteOrder::Little).u64(0).u64(std::uint64_t(bytes.size()));
            bytes.replace(104 + 144 * i + 128, 16, place.bytes);
        }
        QVERIFY(readAll(bytes) >= 0);

        const auto trace = openPerfData(m_folder.filePath("perf.data").toStdString(), nullptr);
        const auto isAboutIds = [](const Diagnostic& d) { return d.what.find("IDs overlap") != std::string::npos; };
        QVERIFY(std::ranges::any_of(trace->diagnostics(), isAboutIds));
    }

    void sizesBeyondAllBoundsAreRefused()
    {
        MadePerfData made;
        made.addAttribute({});
        made.addSample(1, 1, 1, 1, 0, 1);
        const QByteArray whole = made.file();
        for (qsizetype at = 8; at < 104; at += 8) {
            for (const std::uint64_t value : {~0ull, 1ull << 63, 1ull << 40, 7ull, 0ull}) {
                QByteArray bytes = whole;
                for (int i = 0; i < 8; ++i)
                    bytes[at + i] = char(value >> 8 * i);
                QVERIFY(readAll(bytes) <= 2);
            }
        }
    }
};

HELIO_TEST(PerfHostileTest)
#include "tst_perf_hostile.moc"
