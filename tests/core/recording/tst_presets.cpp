// Presets: those of the program, those of the user, and the messages about wrong ones.

#include "core/recording/preset.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace helio;

namespace {

void write(const QTemporaryDir& folder, const QString& name, const QByteArray& text)
{
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write a preset");
}

QStringList idsOf(const RecordingPresets& presets)
{
    QStringList ids;
    for (const RecordingPreset& preset : presets.all)
        ids << QString::fromStdString(preset.id);
    return ids;
}

} // namespace

class PresetsTest : public QObject {
    Q_OBJECT

private slots:
    void presetsOfTheProgramAreValidAndOrdered()
    {
        const RecordingPresets presets = findPresets({});

        QVERIFY(presets.problems.empty());
        QCOMPARE(idsOf(presets),
                 (QStringList{"system", "cpu", "off-cpu", "sched", "disk", "locks", "memory", "calls", "heap", "vm", "snapshot"}));
        for (const RecordingPreset& preset : presets.all) {
            QVERIFY2(!preset.title.empty() && !preset.summary.empty(), preset.id.c_str());
            const std::set<std::string> events(preset.kernelEvents.begin(), preset.kernelEvents.end());
            QCOMPARE(events.size(), preset.kernelEvents.size());
        }
        QVERIFY(presets.find("snapshot")->isRing);
        QVERIFY(presets.find("calls")->needsCommand());
        QCOMPARE(presets.find("nothing"), nullptr);
    }

    void aPresetOfTheUserReplacesOneOfTheProgram()
    {
        const QTemporaryDir folder;
        write(folder, "cpu.json", R"({"title": "Mine", "tools": ["perf"], "samples": {"event": "cycles", "period": 1000}})");
        write(folder, "net.json",
              R"({"title": "Net", "tools": ["trace-cmd", "perf"], "kernel_events": ["net:net_dev_queue"], "order": 5})");
        write(folder, "notes.txt", "no preset");

        const RecordingPresets presets = findPresets(folder.path().toStdString());

        QVERIFY(presets.problems.empty());
        QCOMPARE(presets.all.front().id, std::string("net"));
        QCOMPARE(presets.find("net")->tools, (std::vector{RecordingTool::TraceCmd, RecordingTool::Perf}));
        const RecordingPreset& cpu = *presets.find("cpu");
        QCOMPARE(cpu.title, std::string("Mine"));
        QCOMPARE(cpu.samples->event, std::string("cycles"));
        QCOMPARE(cpu.samples->period, 1000u);
        QCOMPARE(cpu.file.filename(), std::filesystem::path("cpu.json"));
        QCOMPARE(idsOf(presets).count("cpu"), 1);
    }

    void wrongPresetsAreExplained_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("problem");
        const auto add = [](const char* name, const char* text, const char* problem) {
            test::addRow(name, QByteArray(text), QByteArray(problem));
        };
        add("empty", "", "is not valid JSON");
        add("no object", "[1]", "is not a JSON object");
        add("no title", R"({"tools": ["perf"], "kernel_events": ["a:b"]})", "\"title\" is missing");
        add("no tools", R"({"title": "T", "kernel_events": ["a:b"]})", "\"tools\" is missing or empty");
        add("other tool", R"({"title": "T", "tools": ["dtrace"], "kernel_events": ["a:b"]})",
            "\"tools\" has \"dtrace\", which is not perf");
        add("nothing", R"({"title": "T", "tools": ["perf"]})", "or other events or samples must be given");
        add("no group", R"({"title": "T", "tools": ["perf"], "kernel_events": ["sched_switch"]})", "has an event that is not GROUP:NAME");
        add("option", R"({"title": "T", "tools": ["perf"], "kernel_events": ["--output=/etc/passwd"]})",
            "has an entry that is not a single word");
        add("blank", R"({"title": "T", "tools": ["perf"], "kernel_events": ["a:b -o c"]})", "has an entry that is not a single word");
        add("type", R"({"title": "T", "tools": "perf"})", "\"tools\" is not a list");
        add("typing error", R"({"title": "T", "tools": ["perf"], "kernel_event": ["a:b"]})", "\"kernel_event\" is not a member of presets");
        add("both rates", R"({"title": "T", "tools": ["perf"], "samples": {"frequency": 1, "period": 1}})", "\"samples\" is wrong");
        add("negative", R"({"title": "T", "tools": ["perf"], "kernel_events": ["a:b"], "order": -1})", "\"order\" is not a number from 0");
    }
    void wrongPresetsAreExplained()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, problem);
        const QTemporaryDir folder;
        write(folder, "mine.json", text);

        const RecordingPresets presets = findPresets(folder.path().toStdString());

        QCOMPARE(presets.problems.size(), 1u);
        QVERIFY2(QByteArray::fromStdString(presets.problems.front().what).contains(problem), presets.problems.front().what.c_str());
        QCOMPARE(presets.find("mine"), nullptr);
        QVERIFY(presets.find("cpu"));
    }

    void fileNamesAreIds()
    {
        QVERIFY(readPreset("off-cpu_2", R"({"title": "T", "tools": ["perf"], "kernel_events": ["a:b"]})"));
        for (const char* const id : {"", "a b", "../a", "-x", "a.b"})
            QVERIFY2(!readPreset(id, R"({"title": "T", "tools": ["perf"], "kernel_events": ["a:b"]})"), id);
    }
};

HELIO_TEST(PresetsTest)
#include "tst_presets.moc"
