// Recordings with tools that are shell scripts, so that everything around the tools is tested without privileges: the life of a recording,
// rings, failures, and that nothing stays enabled whatever is killed.

#include "core/recording/dump_socket.h"
#include "core/recording/recording.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fstream>

using namespace helio;
using Phase = RecordingStatus::Phase;

namespace {

/// A folder with fake tools. A plan of fakePlan() creates the file "enabled" before it records and removes it at the end, like a tracing
/// session.
class FakeMachine {
public:
    FakeMachine() { QDir().mkpath(path("out")); }

    QString path(const QString& name = {}) const { return m_folder.filePath(name); }
    bool isEnabled() const { return QFile::exists(path("enabled")); }

    /// Returns a machine whose tool runs `recorder`, a line of shell.
    RecordedMachine machine(const std::string& recorder) const
    {
        RecordedMachine machine;
        machine.request.preset.id = "fake";
        machine.request.folder = path("out/fake.heliotrace").toStdString();
        machine.request.target.workingFolder = path().toStdString();
        machine.facts.host = "here";
        machine.plan.tool = RecordingTool::Lttng;
        machine.plan.preparations = {"echo yes > " + enabled()};
        machine.plan.endings = {"rm -f " + enabled()};
        machine.plan.recorder = "sh -c '" + recorder + "'";
        machine.plan.stopSignal = "TERM";
        machine.plan.output = "data";
        machine.plan.lossCounter = "echo 7";
        return machine;
    }

    /// Waits until a condition holds, at most 20 s, and updates the recording meanwhile.
    static bool waitUntil(Recording& recording, const std::function<bool(const RecordingStatus&)>& isMet)
    {
        return QTest::qWaitFor([&] { return isMet(recording.update()); }, 20'000);
    }

private:
    std::string enabled() const { return path("enabled").toStdString(); }

    const QTemporaryDir m_folder;
};

const std::string Endless = "echo x > \"$folder\"/data; while :; do sleep 0.05; done";

std::string withFolder(const FakeMachine& fake, std::string text)
{
    const std::string variable = "\"$folder\"";
    text.replace(text.find(variable), variable.size(), fake.path("out/fake.heliotrace").toStdString());
    return text;
}

bool isRunning(pid_t process)
{
    std::ifstream status("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(status, text);
    const std::size_t end = text.rfind(')');
    return end != std::string::npos && text.size() > end + 2 && text[end + 2] != 'Z';
}

pid_t recorderOf(const FakeMachine& fake)
{
    std::ifstream file(fake.path("out/fake.heliotrace/.recorder").toStdString());
    pid_t process = 0;
    file >> process;
    return process;
}

/// Returns the parent of a process; 0 if it does not exist.
pid_t parentOf(pid_t process)
{
    std::ifstream status("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(status, text);
    const std::size_t end = text.rfind(')');
    return end == std::string::npos ? 0 : std::atoi(text.c_str() + end + 4);
}

std::unique_ptr<Recording> startRecording(RecordedMachine machine)
{
    std::vector<RecordedMachine> machines;
    machines.push_back(std::move(machine));
    auto started = Recording::start(std::move(machines), false);
    return started ? std::move(*started) : nullptr;
}

} // namespace

class RecordingTest : public QObject {
    Q_OBJECT

private slots:
    void aRecordingEndsWithItsTool()
    {
        const FakeMachine fake;
        const auto recording = startRecording(fake.machine(withFolder(fake, "echo x > \"$folder\"/data; exit 3")));
        QVERIFY(recording);
        QVERIFY(FakeMachine::waitUntil(*recording, [](const auto& status) { return status.phase == Phase::Done; }));

        QCOMPARE(recording->update().exitStatus, 3);
        QCOMPARE(recording->update().problem, std::string("the tool ended with status 3, so the recording may be incomplete"));
        QVERIFY(!fake.isEnabled());
        QFile file(fake.path("out/fake.heliotrace/record.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject description = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(description["complete"].toBool(), true);
        QCOMPARE(description["preset"].toString(), "fake");
        QCOMPARE(description["machines"].toArray().first()["host"].toString(), "here");
        QCOMPARE(QDir(fake.path("out/fake.heliotrace")).entryList(QDir::Files | QDir::Hidden),
                 (QStringList{"data", "record.json", "record.log"}));
    }

    void aRecordingEndsOnRequest()
    {
        const FakeMachine fake;
        const auto recording = startRecording(fake.machine(withFolder(fake, Endless)));
        QVERIFY(recording);
        QVERIFY(FakeMachine::waitUntil(*recording, [&](const auto&) { return recorderOf(fake) > 0; }));
        QVERIFY(fake.isEnabled());
        QVERIFY(FakeMachine::waitUntil(*recording, [&](const RecordingStatus& status) {
            recording->measure();
            return status.bytes > 0 && status.lost == 7;
        }));
        const pid_t recorder = recorderOf(fake);
        recording->stop();
        QVERIFY(FakeMachine::waitUntil(*recording, [](const auto& status) { return status.phase == Phase::Done; }));

        QVERIFY(!isRunning(recorder));
        QVERIFY(!fake.isEnabled());
        QCOMPARE(recording->update().exitStatus, 0);
    }

    void aRecordingThatEndsIsTidiedUpOnce()
    {
        const FakeMachine fake;
        RecordedMachine machine = fake.machine(withFolder(fake, "echo x > \"$folder\"/data"));
        machine.plan.endings.push_back("echo tidy >> " + fake.path("log").toStdString());
        machine.plan.endings.emplace_back("sleep 1"); // Long enough for requests that the script reads no more.
        const auto recording = startRecording(std::move(machine));
        QVERIFY(recording);
        QVERIFY(FakeMachine::waitUntil(*recording, [](const auto& status) { return status.phase == Phase::Ending; }));
        QTest::qWait(300);
        recording->stop();
        recording->kill();
        QVERIFY(FakeMachine::waitUntil(*recording, [](const auto& status) { return status.phase == Phase::Done; }));
        QFile log(fake.path("log"));
        QVERIFY(log.open(QIODevice::ReadOnly));
        QCOMPARE(log.readAll(), "tidy\n");
    }

    void nothingStaysEnabledIfTheFolderIsRemoved()
    {
        const FakeMachine fake;
        const auto recording = startRecording(fake.machine(withFolder(fake, Endless)));
        QVERIFY(recording);
        QVERIFY(FakeMachine::waitUntil(*recording, [&](const auto& status) {
            recording->measure();
            return recorderOf(fake) > 0 && status.bytes > 0;
        }));
        const pid_t recorder = recorderOf(fake);
        QDir(fake.path("out")).removeRecursively();
        ::kill(recorder, SIGTERM);
        QVERIFY(FakeMachine::waitUntil(*recording, [](const auto& status) { return status.phase == Phase::Failed; }));
        QVERIFY(!fake.isEnabled());
    }

    void aToolThatDoesNotEndIsKilled()
    {
        const FakeMachine fake;
        const auto recording = startRecording(fake.machine("trap : TERM; " + withFolder(fake, Endless)));
        QVERIFY(recording);
        QVERIFY(FakeMachine::waitUntil(*recording, [&](const auto&) { return recorderOf(fake) > 0; }));
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(fake.path("out/fake.heliotrace/data")); }, 20'000)); // Its trap is set.
        recording->stop();
        QTest::qWait(500);
        QCOMPARE(recording->update().phase, Phase::Ending);
        recording->kill();
        QVERIFY(FakeMachine::waitUntil(*recording, [](const auto& status) { return status.phase == Phase::Done; }));
        QVERIFY(!fake.isEnabled());
    }

    void nothingStaysAfterAFailure_data()
    {
        QTest::addColumn<QString>("preparation");
        QTest::addColumn<QString>("recorder");
        QTest::addColumn<QString>("problem");
        test::addRow("preparation", QString("echo no such event; false"), QString("true"), QString("no such event"));
        test::addRow("tool", QString("true"), QString("echo no permission >&2; exit 4"),
                     QString("the tool ended with status 4 and recorded nothing. no permission"));
    }
    void nothingStaysAfterAFailure()
    {
        QFETCH(QString, preparation);
        QFETCH(QString, recorder);
        QFETCH(QString, problem);
        const FakeMachine fake;
        RecordedMachine machine = fake.machine(recorder.toStdString());
        machine.plan.preparations.push_back('(' + preparation.toStdString() + ')');
        const auto recording = startRecording(std::move(machine));
        QVERIFY(recording);
        QVERIFY(FakeMachine::waitUntil(*recording, [](const auto& status) { return status.phase == Phase::Failed; }));

        QCOMPARE(QString::fromStdString(recording->update().problem), problem);
        QVERIFY(!fake.isEnabled());
        QVERIFY(!QFile::exists(fake.path("out/fake.heliotrace")));
    }

    void refusedOptionsAreCounted()
    {
        const FakeMachine fake;
        RecordedMachine machine = fake.machine(withFolder(fake, "echo x > \"$folder\"/data"));
        machine.plan.options = {"false", "true", "false"};
        const auto recording = startRecording(std::move(machine));
        QVERIFY(recording);
        QVERIFY(FakeMachine::waitUntil(*recording, [](const auto& status) { return status.phase == Phase::Done; }));
        QCOMPARE(recording->update().skippedOptions, 2);
    }

    void nothingStaysEnabledWhateverIsKilled_data()
    {
        QTest::addColumn<QString>("killed");
        for (const char* const killed : {"heliograph", "script", "control", "tool"})
            QTest::newRow(killed) << QString(killed);
    }
    void nothingStaysEnabledWhateverIsKilled()
    {
        QFETCH(QString, killed);
        const FakeMachine fake;
        auto recording = startRecording(fake.machine(withFolder(fake, Endless)));
        QVERIFY(recording);
        QVERIFY(FakeMachine::waitUntil(*recording, [&](const auto& status) {
            recording->measure();
            return recorderOf(fake) > 0 && status.bytes > 0;
        }));
        const pid_t recorder = recorderOf(fake);
        const pid_t script = parentOf(recorder) == ::getpid() ? recorder : parentOf(recorder);
        QVERIFY(script > 1);
        if (killed == "heliograph") {
            recording.reset(); // Closes the script's input, as the end of the process does.
        } else if (killed == "script") {
            ::kill(script, SIGKILL);
        } else if (killed == "tool") {
            ::kill(recorder, SIGKILL);
        } else {
            for (const QString& name : QDir("/proc").entryList(QDir::Dirs))
                if (const pid_t child = name.toInt(); child > 0 && child != recorder && parentOf(child) == script)
                    ::kill(child, SIGKILL);
            QTest::qWait(100);
            recording->stop();
        }
        if (recording)
            QVERIFY(FakeMachine::waitUntil(
                *recording, [](const auto& status) { return status.phase == Phase::Done || status.phase == Phase::Failed; }));
        QTRY_VERIFY_WITH_TIMEOUT(!isRunning(recorder), 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(!fake.isEnabled(), 10'000);
    }

    void ringsAreSavedEachInAFolder()
    {
        const FakeMachine fake;
        const std::string folder = fake.path("out/fake.heliotrace").toStdString();
        RecordedMachine machine = fake.machine("trap \"date +%s%N > " + folder + "/perf.data.\\$(date +%s%N)\" USR2; echo > "
                                               + fake.path("ready").toStdString() + "; while :; do sleep 0.05; done");
        machine.plan.tool = RecordingTool::Perf;
        machine.plan.saver = "kill -USR2 \"$recorder\"";
        const auto recording = startRecording(std::move(machine));
        QVERIFY(recording);
        QVERIFY(FakeMachine::waitUntil(*recording, [&](const auto&) { return recorderOf(fake) > 0; }));
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(fake.path("ready")); }, 20'000)); // Its trap is set.
        recording->update(); // Reads that the recording has started, without which nothing can be saved.
        for (std::size_t count = 1; count <= 2; ++count) {
            recording->save();
            QVERIFY(FakeMachine::waitUntil(*recording, [&](const auto& status) { return status.saved.size() == count; }));
        }
        recording->stop();
        QVERIFY(FakeMachine::waitUntil(*recording, [](const auto& status) { return status.phase == Phase::Done; }));
        QCOMPARE(recording->update().saved.back(), std::filesystem::path(folder) / "snapshot-2");
        QVERIFY(QFile::exists(fake.path("out/fake.heliotrace/snapshot-2/perf.data")));
    }

    void foldersAreNeverOverwritten()
    {
        const FakeMachine fake;
        RecordedMachine machine = fake.machine("true");
        QDir().mkpath(QString::fromStdString(machine.request.folder.native()));
        std::vector<RecordedMachine> machines{machine};
        const auto started = Recording::start(std::move(machines), false);
        QVERIFY(!started);
        QCOMPARE(started.error().kind, Error::Kind::Usage);
        QVERIFY(QFile::exists(QString::fromStdString(machine.request.folder.native())));

        RecordingRequest request;
        request.target.command = {"/usr/bin/fake"};
        QCOMPARE(newRecordingFolder(machine.request.folder.parent_path(), request).filename(), std::filesystem::path("fake-2.heliotrace"));
    }

    void thisMachineIsInspected()
    {
        RecordingRequest request;
        request.preset = *findPresets({}).find("calls");
        request.target.command = {"sh"};
        request.target.workingFolder = "/";
        request.folder = "/tmp/x.heliotrace";
        const auto machine = inspectMachine(request, false);
        QVERIFY(machine);
        QVERIFY(machine->facts.cpus > 0);
        QVERIFY(machine->facts.freeBytes > 0);
        QVERIFY(machine->facts.commandPath.ends_with("/sh"));
        request.target.command = {"true"}; // Also a command of the shell.
        QVERIFY(inspectMachine(request, false)->facts.commandPath.ends_with("/true"));
        request.target.command = {"/usr"};
        QVERIFY(inspectMachine(request, false)->facts.commandPath.empty());
        QVERIFY(!machine->facts.isInstrumented);
        QCOMPARE(machine->facts.uid, std::int64_t(::getuid()));
        request.target.command = {"no-such-program-at-all"};
        QVERIFY(inspectMachine(request, false)->facts.commandPath.empty());
    }

    void sessionsOnOtherMachinesAreNotTakenForThoseOfKilledProcesses()
    {
        QCOMPARE(sessionName(), "heliograph-" + std::to_string(::getpid()));
        const std::string script = sweepScript(); // Defines isStale.
        const std::string definition = script.substr(0, script.find("tracefs="));
        const auto isStale = [&](const std::string& session) {
            return bool(runScript({}, definition + "isStale " + session, std::chrono::seconds(10)));
        };
        QVERIFY(isStale("heliograph-999999999"));
        QVERIFY(!isStale(sessionName()));
        QVERIFY(!isStale(sessionName("db1")));
    }

    void scriptsReportTheirFailures()
    {
        const auto failed = runScript({}, "echo why >&2; exit 7\n", std::chrono::seconds(10));
        QVERIFY(!failed);
        QCOMPARE(failed.error().what, std::string("why"));
        const auto silent = runScript({}, "sleep 60\n", std::chrono::milliseconds(200));
        QVERIFY(!silent);
        const auto text = runScript({}, "printf 'a\\nb'", std::chrono::seconds(10));
        QVERIFY(text);
        QCOMPARE(*text, std::string("a\nb\n"));
    }

    void dumpsAreRequestedThroughASocket()
    {
        const QTemporaryDir folder;
        qputenv("XDG_RUNTIME_DIR", folder.path().toUtf8());
        QCOMPARE(requestDumps().error().kind, Error::Kind::NotFound);
        auto dumps = DumpSocket::open();
        QVERIFY(dumps);
        Result<std::vector<std::string>> saved = Error{Error::Kind::NotFound, {}};
        const auto ask = [&](const std::string& answer) {
            std::thread other([&] { saved = requestDumps(); });
            const bool wasAsked = QTest::qWaitFor([&] { return (*dumps)->takeRequest(); }, 10'000);
            (*dumps)->answer(answer);
            other.join();
            return wasAsked;
        };
        QVERIFY(ask("/x/snapshot-1"));
        QVERIFY(saved);
        QCOMPARE(*saved, std::vector<std::string>{"/x/snapshot-1"});
        QVERIFY(ask("error: the disk is full"));
        QVERIFY(!saved);
        QCOMPARE(saved.error().what, std::string("the disk is full"));
    }

    void framePointersAreFoundInPrologues()
    {
        const QTemporaryDir folder;
        const QString source = folder.filePath("a.c");
        QFile file(source);
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 20; ++i)
            file.write(QByteArray("int f") + QByteArray::number(i) + "(int n) { volatile int a[9]; a[n] = n; return a[1]; }\n");
        file.write("int main(void) { return 0; }\n");
        file.close();
        for (const bool keeps : {true, false}) {
            const QString program = folder.filePath(keeps ? "keeps" : "omits");
            const QByteArray command = "cc -O1 " + QByteArray(keeps ? "-fno-omit-frame-pointer" : "-fomit-frame-pointer") + " -o "
                + program.toUtf8() + ' ' + source.toUtf8();
            if (std::system(command) != 0)
                QSKIP("there is no C compiler");
            QCOMPARE(keepsFramePointers(program.toStdString()), std::optional(keeps));
        }
        QCOMPARE(keepsFramePointers(source.toStdString()), std::nullopt);
    }
};

HELIO_TEST(RecordingTest)
#include "tst_recording.moc"
