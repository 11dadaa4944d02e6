// The dialog Record: presets, targets, checks, and the texts of commands; and the recording that it starts.

#include "app/gui/record/command_box.h"
#include "app/gui/record/losses_dialog.h"
#include "app/gui/record/record_dialog.h"
#include "app/gui/record/recorder.h"
#include "app/gui/record/recording_dialog.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/record_requests.h"

#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

template <typename Widget> Widget* findNamed(QWidget& parent, const QString& name)
{
    for (Widget* const widget : parent.findChildren<Widget*>())
        if (widget->accessibleName() == name || widget->property("text").toString() == name)
            return widget;
    return nullptr;
}

/// Returns a machine whose tool is a shell script that writes a file and waits.
RecordedMachine fakeMachine(const QString& folder)
{
    RecordedMachine machine;
    machine.request.preset.id = "fake";
    machine.request.preset.title = "Fake";
    machine.request.folder = (folder + "/fake.heliotrace").toStdString();
    machine.request.target.workingFolder = folder.toStdString();
    machine.plan.tool = RecordingTool::Lttng;
    machine.plan.recorder = "sh -c 'echo x > " + machine.request.folder.native() + "/data; while :; do sleep 0.05; done'";
    machine.plan.stopSignal = "TERM";
    machine.plan.output = "data";
    return machine;
}

} // namespace

class RecordDialogTest : public QObject {
    Q_OBJECT

private slots:
    void longCommandsAreBrokenBeforeTheirOptions()
    {
        QCOMPARE(brokenCommand("perf record -a", 40), "perf record -a");
        QCOMPARE(brokenCommand("perf record -a -e a:b,c:d -o /x/y -- ./app -o 1", 20),
                 "perf record -a \\\n  -e a:b,c:d \\\n  -o /x/y \\\n  -- ./app -o 1");
        QCOMPARE(brokenCommand("perf record -e aaaa:b,cccc:d,eeee:f", 22), "perf record \\\n  -e aaaa:b,cccc:d \\\n  -e eeee:f");
    }

    void commandsAreSplitLikeAShellDoes()
    {
        QCOMPARE(commandWords("./app 'a b' \"c\""), (std::vector<std::string>{"./app", "a b", "c"}));
        QCOMPARE(commandWords(" ~/app ").front(), QDir::homePath().toStdString() + "/app");
        QCOMPARE(commandWords("app 'open"), std::vector<std::string>{"app 'open"});
        QVERIFY(commandWords("  ").empty());
    }

    void presetsThatNeedACommandAskForOne()
    {
        const test::OwnHome home;
        RecordDialog dialog("calls");
        dialog.show();
        auto* const field = findNamed<QLineEdit>(dialog, "Command");
        QVERIFY(field);
        auto* const system = findNamed<QAbstractButton>(dialog, "System");
        auto* const calls = findNamed<QAbstractButton>(dialog, "Calls");
        QVERIFY(system && calls && calls->isChecked());
        system->click();
        QVERIFY(!field->isVisible());
        calls->click();
        QVERIFY(field->isVisible());
        QVERIFY(!dialog.isReady());
    }

    void checksDecideWhetherRecordIsPossible()
    {
        const test::OwnHome home;
        RecordDialog dialog("cpu");
        dialog.show();
        findNamed<QAbstractButton>(dialog, "Command")->click();
        auto* const field = findNamed<QLineEdit>(dialog, "Command");
        field->clear();
        QTest::keyClicks(field, "no-such-program-at-all");
        auto* const record = findNamed<QPushButton>(dialog, "Record");
        const auto hasText = [&](const QString& text) { return findNamed<QLabel>(dialog, text) != nullptr; };
        QTRY_VERIFY_WITH_TIMEOUT(hasText("The command was not found"), 20'000);
        QVERIFY(!record->isEnabled());
        field->clear();
        QTest::keyClicks(field, "true");
        QTRY_VERIFY_WITH_TIMEOUT(hasText("The command was found"), 20'000);
        QCOMPARE(record->isEnabled(), dialog.isReady());
        QVERIFY(findNamed<QLineEdit>(dialog, "Save in")->text().endsWith("/true.heliotrace"));
    }

    void aRecordingIsStoppedAndHandedOver()
    {
        const test::OwnHome home;
        Recorder recorder;
        QSignalSpy ended(&recorder, &Recorder::ended);
        QVERIFY(recorder.start(fakeMachine(home.path())));
        RecordingDialog dialog(recorder);
        dialog.show();
        QTRY_VERIFY_WITH_TIMEOUT(recorder.status().bytes > 0, 20'000);
        findNamed<QPushButton>(dialog, "Stop and open")->click();
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 20'000);
        QCOMPARE(ended.front().at(0).toString(), home.path() + "/fake.heliotrace");
        QVERIFY(!recorder.isRecording());
    }

    void aDiscardedRecordingLeavesNothing()
    {
        const test::OwnHome home;
        Recorder recorder;
        QSignalSpy ended(&recorder, &Recorder::ended);
        QVERIFY(recorder.start(fakeMachine(home.path())));
        QTRY_VERIFY_WITH_TIMEOUT(recorder.status().bytes > 0, 20'000);
        recorder.discard();
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 20'000);
        QCOMPARE(ended.front().at(0).toString(), QString());
        QVERIFY(!QFile::exists(home.path() + "/fake.heliotrace"));
    }

    void lossesOfferLargerBuffersFewerEventsOrFewerProcesses()
    {
        RecordedMachine machine;
        machine.request.preset = *findPresets({}).find("system");
        machine.request.target.command = {"true"};
        auto choices = retryChoices(machine);
        QCOMPARE(choices.size(), 3u);
        QCOMPARE(choices[0].request.buffer, 32u);
        QVERIFY(choices[1].request.preset.systemCalls.empty());
        QVERIFY(!choices[2].request.preset.needsMachine);
        machine.request.target.command.clear();
        machine.request.buffer = 256;
        machine.request.preset.systemCalls.clear();
        QVERIFY(retryChoices(machine).empty());

        RecordedLosses losses;
        losses.byCpu = {{0, 12}, {2, 33'964}};
        losses.events = 33'976;
        losses.gaps = 3;
        losses.unknown = std::chrono::milliseconds(900);
        losses.whole = std::chrono::milliseconds(7400);
        machine.request.buffer = DefaultBuffer;
        LossesDialog dialog(losses, machine);
        QSignalSpy retried(&dialog, &LossesDialog::retryRequested);
        dialog.show();
        QStringList texts;
        for (QLabel* const label : dialog.findChildren<QLabel*>())
            texts << label->text();
        QVERIFY2(texts.join('\n').contains("33,976 events were lost. States there are unknown for 900"), qPrintable(texts.join('\n')));
        QVERIFY2(texts.join('\n').contains("(12 %)"), qPrintable(texts.join('\n')));
        findNamed<QPushButton>(dialog, "Record again")->click();
        QCOMPARE(retried.size(), 1);
    }

    void aRecordingMayEndWhileTheUserIsAskedToDiscardIt()
    {
        const test::OwnHome home;
        Recorder recorder;
        QSignalSpy ended(&recorder, &Recorder::ended);
        QVERIFY(recorder.start(fakeMachine(home.path())));
        QPointer<RecordingDialog> dialog = new RecordingDialog(recorder);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(&recorder, &Recorder::ended, dialog, &QWidget::close);
        dialog->show();
        QTRY_VERIFY_WITH_TIMEOUT(recorder.status().bytes > 0, 20'000);
        QTimer::singleShot(0, &recorder, &Recorder::stop);
        findNamed<QPushButton>(*dialog, "Discard")->click();
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 20'000);
        QTRY_VERIFY(!dialog);
        recorder.discard(); // Too late: the recording was handed over.
        QVERIFY(QFile::exists(home.path() + "/fake.heliotrace"));
    }

    void pathsMayBeginWithTheHomeFolder()
    {
        const test::OwnHome home;
        RecordDialog dialog("cpu");
        auto* const field = findNamed<QLineEdit>(dialog, "Save in");
        field->clear();
        dialog.show();
        QTest::keyClicks(field, "~/x.heliotrace");
        const auto line = [&] {
            for (QLabel* const label : dialog.findChildren<QLabel*>())
                if (const QString command = label->property("command").toString(); !command.isEmpty())
                    return command;
            return QString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(line().contains("-o " + QDir::homePath() + "/x.heliotrace"), 20'000);
    }

    void emptyPagesOfferToRecordWhatIsMissing()
    {
        RecordRequests::instance().setAvailable(true);
        QSignalSpy requested(&RecordRequests::instance(), &RecordRequests::requested);
        EmptyPage page;
        page.show();
        page.setText("No samples", "Record them with: perf record -a -F 999 -g");
        auto* const button = findNamed<QPushButton>(page, QString("Record\u2026"));
        QVERIFY(button && button->isVisible());
        button->click();
        QCOMPARE(requested.size(), 1);
        QCOMPARE(requested.front().at(0).toString(), "cpu");
        page.setText("Nothing is selected.");
        QVERIFY(!button->isVisible());
    }
};

HELIO_TEST(RecordDialogTest)
#include "tst_record_dialog.moc"
