// Input: Perfetto traces of the shared collection. Property: the events equal those that an independent decoder (derive.py) finds.

#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "core/trace/process/recorded_names.h"
#include "tests/support/open_trace.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <map>

using namespace helio;

namespace {

using Values = std::map<QString, QString>;

QString stackOf(const Trace& trace, const SampleView& sample)
{
    QStringList frames;
    for (std::uint32_t node = sample.stack; node != 0; node = trace.samples()->stacks()[node].caller) {
        const RecordedFrame& frame = trace.samples()->stacks()[node];
        frames.prepend(QString::fromStdString(std::string(trace.modules()[std::size_t(frame.module)].names->at(frame.address).function)));
    }
    return frames.join(';');
}

/// Returns the line that derive.py should print for an event; empty for events that derive.py does not decode.
QString lineOf(const Trace& trace, const EventView& event)
{
    SampleView sample;
    if (trace.samples() && trace.samples()->read(event, sample))
        return QString("sample %1/%2 ").arg(sample.pid).arg(sample.tid) + stackOf(trace, sample);
    const QString name = QString::fromStdString(event.type->name);
    Values values;
    QStringList all;
    for (const NamedValue& field : decodeSection(event, Section::Payload)) {
        const QString label = QString::fromStdString(field.name);
        values[label] = QString::fromStdString(displayText(field.value));
        all << label + '=' + values[label];
    }
    if (name == "process")
        return "process " + values["pid"] + " parent " + (values.contains("ppid") ? values["ppid"] : "-1") + ' ' + values["cmdline"];
    if (name == "thread")
        return "thread " + values["tid"] + " of " + values["pid"] + ' ' + values["name"];
    if (name == "task_state")
        return "task_state " + values["comm"] + ' ' + values["tid"] + ' ' + values["state"];
    if (name == "span_begin" || name == "track_begin")
        return "begin " + values["name"];
    if (name == "span_end" || name == "track_end")
        return "end";
    if (name == "instant")
        return "instant " + values["name"];
    if (name == "counter")
        return "counter " + QString::number(values["value"].toDouble());
    if (name.endsWith("_info") || name.startsWith("flow_"))
        return {};
    QString tid;
    for (const NamedValue& field : decodeContext(event))
        if (field.name == "tid")
            tid = QString::fromStdString(displayText(field.value));
    return QString("%1 [%2] tid=%3 %4").arg(name).arg(event.cpu()).arg(tid, all.join(' '));
}

} // namespace

class PerfettoDerivedTest : public QObject {
    Q_OBJECT

private slots:
    void eventsAreThoseOfTheBytes_data()
    {
        QTest::addColumn<QString>("path");
        const QFileInfo one(sharedFile("formats/perfetto/parsing-cpu.pftrace"));
        for (const QString& name : one.dir().entryList({"*.pftrace"}))
            // Skip this trace, because derive.py does not decode process statistics.
            if (one.exists() && name != "process_tracking-process_stats_process_runtime.pftrace")
                QTest::newRow(qPrintable(name)) << one.dir().filePath(name);
        if (!one.exists())
            QTest::newRow("none") << QString();
    }
    void eventsAreThoseOfTheBytes()
    {
        QFETCH(QString, path);
        if (path.isEmpty())
            QSKIP("formats/perfetto is missing");
        if (QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("python3 is missing");
        QProcess process;
        process.start("python3", {QString(SOURCE_DIR) + "/tests/core/formats/perfetto/derive.py", path});
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QStringList expected = QString::fromUtf8(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);

        const auto trace = openTrace("Perfetto", path.toStdString());

        QVERIFY(trace);
        QStringList lines;
        MergedEvents events(*trace);
        const qint64 offset = trace->info().clock.offset;
        while (events.next())
            if (const QString line = lineOf(*trace, events.event()); !line.isEmpty())
                lines << QString::number(nanoseconds(events.event().time()) - offset) + QString(" " + line).replace("\n", "\\n");
        expected.sort();
        lines.sort();
        QCOMPARE(lines, expected);
    }
};

HELIO_TEST(PerfettoDerivedTest)
#include "tst_perfetto_derived.moc"
