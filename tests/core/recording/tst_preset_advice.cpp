// Presets for messages: every command of the advice about missing data leads to the preset that records it.

#include "core/recording/preset.h"
#include "core/recording/preset_advice.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class PresetAdviceTest : public QObject {
    Q_OBJECT

private slots:
    void everyPresetExists()
    {
        const RecordingPresets presets = findPresets({});
        for (int data = 0; data <= int(RecordableData::PidNamespaces); ++data)
            if (const std::string preset = presetFor(RecordableData(data)); !preset.empty())
                QVERIFY2(presets.find(preset), preset.c_str());
    }

    void messagesLeadToTheirPreset_data()
    {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QByteArray>("preset");
        const auto advice = [](RecordableData data, Tracer tracer) {
            return QByteArray::fromStdString("Something is missing. Record it with: " + recordingCommand(data, tracer));
        };
        using enum RecordableData;
        test::addRow("samples", advice(Samples, Tracer::Perf), QByteArray("cpu"));
        test::addRow("switches", advice(ContextSwitches, Tracer::Lttng), QByteArray("sched"));
        test::addRow("disks", advice(DiskRequests, Tracer::TraceCmd), QByteArray("disk"));
        test::addRow("wait causes", advice(WaitCauses, Tracer::Lttng), QByteArray("system"));
        test::addRow("locks", advice(Locks, Tracer::Perf), QByteArray("locks"));
        test::addRow("heap", advice(HeapBlocks, Tracer::Lttng), QByteArray("heap"));
        test::addRow("calls", advice(FunctionCalls, Tracer::Lttng), QByteArray("calls"));
        test::addRow("exits", advice(VmExits, Tracer::Perf), QByteArray("vm"));
        test::addRow("sampled states", advice(SampledStates, Tracer::Perf), QByteArray("off-cpu"));
        test::addRow("counters", advice(ThreadCounters, Tracer::Lttng), QByteArray());
        test::addRow("events", QByteArray("Record them with: lttng enable-event -k power_cpu_idle"), QByteArray("system"));
        test::addRow("no command", QByteArray("Nothing is selected."), QByteArray());
    }
    void messagesLeadToTheirPreset()
    {
        QFETCH(QByteArray, message);
        QFETCH(QByteArray, preset);
        QCOMPARE(QByteArray::fromStdString(presetForMessage(message.toStdString())), preset);
    }
};

HELIO_TEST(PresetAdviceTest)
#include "tst_preset_advice.moc"
