#include "core/trace/process/address_spaces.h"
#include "tests/core/formats/perf_data/made_perf_reader.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using Made = MadePerfData;

/// Input: recordings of virtual machines and of hardware traces, built byte by byte.
class PerfGuestsTest : public QObject, private MadePerfReader {
    Q_OBJECT

private slots:
    void recordsOfGuestsAreKeptApartFromTheHosts()
    {
        Made made;
        MadeAttribute attribute;
        attribute.sampleType |= 1u << 16; // PERF_SAMPLE_IDENTIFIER.
        attribute.ids = {71, 72};
        made.addAttribute(attribute);
        // ID_INDEX, version 2: id 72 belongs to the guest of process 100.
        made.add(69, 0, made.make().u64(2).u64(71).u64(0).u64(0).u64(-1ull).u64(72).u64(0).u64(1).u64(-1ull).u64(0).u64(0).u64(100).u64(1));
        const auto trailer = [&](MadeBytes body, std::uint64_t id) { return made.trailer(std::move(body), 55, 55, 900, 0).u64(id); };
        made.add(3, 2, trailer(made.make().u32(55).u32(55).text("host"), 71));
        made.add(3, 5, trailer(made.make().u32(55).u32(55).text("inside"), 72));
        made.add(1, 5, trailer(made.make().u32(55).u32(55).u64(0x400000).u64(0x1000).u64(0x2000).text("/bin/inside"), 72));
        made.add(1, 2, trailer(made.make().u32(55).u32(55).u64(0x400000).u64(0x1000).u64(0).text("/bin/host"), 71));
        const auto sample = [&](std::uint64_t id, std::uint16_t misc) {
            made.add(9, misc, made.make().u64(id).u64(0x400010).u32(55).u32(55).u64(1000 + id).u32(0).u32(0).u64(1));
        };
        sample(71, 2);
        sample(72, 5);

        QCOMPARE(eventsOf(made.file()).size(), 2);
        QStringList records;
        for (const ProcessRecord& it : m_trace->processRecords())
            records << QString("%1 %2 %3").arg(it.guest).arg(it.pid).arg(QString::fromStdString(it.name));
        // The first two records map all other code of guests.
        QCOMPARE(records, (QStringList{"0 -1 ", "0 -1 ", "-1 55 host", "100 55 inside", "100 55 ", "-1 55 "}));
        AddressSpaces spaces(m_trace->modules());
        for (const ProcessRecord& it : m_trace->processRecords())
            spaces.take(it);
        const auto place = [&](ModuleAddress at) {
            return QString::fromStdString(m_trace->modules()[std::size_t(at.module)].path) + ' ' + QString::number(at.address, 16);
        };
        QCOMPARE(place(spaces.find(55, 0x400010)), "/bin/host 10");
        QCOMPARE(place(spaces.findInGuest(100, 55, 0x400010)), "/bin/inside 2010");
        QCOMPARE(place(spaces.findInGuest(100, 56, 0x400010)), "[guest.user] 400010");
        QCOMPARE(place(spaces.findInGuest(200, AddressSpaces::KernelPid, 0xffffffff81000000)), "[guest.kernel] ffffffff81000000");
        MergedEvents events(*m_trace);
        QStringList samples;
        while (events.next()) {
            SampleView view;
            QVERIFY(m_trace->samples()->read(events.event(), view));
            samples << QString("%1 %2").arg(view.guest).arg(QString::fromUtf8(view.command.data(), qsizetype(view.command.size())));
        }
        QCOMPARE(samples, (QStringList{"-1 ", "100 guest 100"}));
        // The field with the event ID names the guest and its virtual CPU.
        QStringList ids;
        for (MergedEvents again(*m_trace); again.next();)
            for (const NamedValue& field : decodeSection(again.event(), Section::Payload))
                if (field.name == "id")
                    ids << QString::fromStdString(displayText(field.value));
        QCOMPARE(ids.size(), 2);
        QVERIFY2(ids[0].contains("71") && !ids[0].contains("guest"), qPrintable(ids[0]));
        QVERIFY2(ids[1].contains("guest 100 vCPU 1"), qPrintable(ids[1]));
    }

    void hardwareTraceDataAreNamedAndSized()
    {
        for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
            Made made(order);
            made.addAttribute({});
            made.add(70, 0, made.make().u32(1).u32(0).u64(7)); // AUXTRACE_INFO of Intel PT.
            made.addSample(1, 1, 1, 1000, 0, 1);
            // AUX records: no flag, truncated, overwrite and partial.
            for (const int flags : {0, 1, 6})
                made.add(11, 0, made.trailer(made.make().u64(0).u64(1024).u64(std::uint64_t(flags)), 1, 1, 1100, 0));
            for (const int size : {1024, 2048}) {
                made.add(71, 0, made.make().u64(std::uint64_t(size)).u64(0).u64(0).u32(0).u32(1).u32(0).u32(0));
                made.data += QByteArray(size, '\x01');
            }
            MadeBytes error = made.make().u32(1).u32(5).u32(0).u32(1).u32(1).u32(0).u64(0).u64(0);
            made.add(72, 0, error.raw(QByteArray("Lost trace data").leftJustified(64, '\0')));
            made.addSample(2, 1, 1, 2000, 0, 1);

            QCOMPARE(eventsOf(made.file()).size(), 2);
            QStringList texts;
            for (const Diagnostic& it : m_trace->diagnostics())
                texts << QString("%1 x%2 %3").arg(QString::fromStdString(it.kind)).arg(it.count).arg(QString::fromStdString(it.what));
            QCOMPARE(texts.size(), 5);
            QCOMPARE(texts[0], "hardware-trace x2 Intel PT data, 3.0 KiB: not decoded; perf script --itrace=i1us prints samples of them");
            QVERIFY(texts[1].startsWith("hardware-trace-lost x1 hardware trace data were lost 1 of 3 times"));
            QVERIFY(texts[2].startsWith("hardware-trace-gaps x1 "));
            QVERIFY(texts[3].startsWith("hardware-trace-snapshot x1 "));
            QVERIFY(texts[4].endsWith(": Lost trace data"));
            QCOMPARE(m_trace->info().text("hardware_trace"), "Intel PT data, 3.0 KiB, not decoded");
        }
    }
};

HELIO_TEST(PerfGuestsTest)
#include "tst_perf_guests.moc"
