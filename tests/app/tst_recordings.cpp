// Property of recordings of different times: the window says so, and the user can choose some of them and return to the others.

#include "app/gui/common/recordings_dialog.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/notice_bar.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeWidget>

#include <algorithm>

using namespace helio;

namespace {

const QString Lossy = QStringLiteral(SOURCE_DIR "/tests/fixtures/lossy-small");

QString notices(const MainWindow& window)
{
    QStringList texts;
    for (const NoticeBar* bar : window.findChildren<NoticeBar*>())
        if (bar->isVisible())
            texts << bar->text();
    return texts.join('\n');
}

/// Opens the chooser by its action, lets `use` change the list, and accepts the dialog. Returns its lines: "+ NAME" for marked ones.
QStringList choose(MainWindow& window, const std::function<void(QTreeWidget&)>& use)
{
    QStringList lines;
    QTimer::singleShot(0, &window, [&] {
        auto* dialog = window.findChild<RecordingsDialog*>();
        if (!dialog)
            return;
        auto& list = *dialog->findChild<QTreeWidget*>();
        for (int i = 0; i < list.topLevelItemCount(); ++i) {
            const QTreeWidgetItem* item = list.topLevelItem(i);
            lines << (item->checkState(0) == Qt::Checked ? "+ " : "- ") + item->text(0).section('/', -1);
        }
        use(list);
        dialog->accept();
    });
    window.actions().at("file.recordings").trigger();
    return lines;
}

bool isRead(MainWindow& window)
{
    return QTest::qWaitFor([&] { return window.session().state() == Session::State::Ready; }, 20'000);
}

} // namespace

class RecordingsTest : public QObject {
    Q_OBJECT

private slots:
    void recordingsOfDifferentTimesAreOfferedForChoice()
    {
        test::OwnHome home;
        MainWindow window;
        QVERIFY(test::openIn(window, {test::WorkersSample, Lossy}));
        QVERIFY2(notices(window).contains("The times of the recordings do not overlap"), qPrintable(notices(window)));
        // The window first shows the time range of the earliest recording, because most of the whole range is empty. Back leads to the
        // whole range.
        TimeWindow& time = window.context().time();
        const Duration whole = time.full().duration();
        QVERIFY(time.visible().duration() < whole / 2);
        QVERIFY(time.canGoBack());

        const QStringList first = choose(window, [](QTreeWidget&) {});
        QCOMPARE(first.size(), 2);
        QVERIFY2(first[0].startsWith('+') && first[1].startsWith('-'), qPrintable(first.join('|')));
        QTRY_COMPARE(window.session().paths().size(), 1);
        QVERIFY(isRead(window));
        QVERIFY(window.context().time().full().duration() < whole / 2);
        QVERIFY2(!notices(window).contains("do not overlap"), qPrintable(notices(window)));
        QVERIFY(window.actions().at("file.recordings").isEnabled());

        // The other recording is still in the list.
        const QStringList second = choose(window, [](QTreeWidget& list) { list.topLevelItem(1)->setCheckState(0, Qt::Checked); });
        QCOMPARE(second, first);
        QTRY_COMPARE(window.session().paths().size(), 2);
        QVERIFY(isRead(window));
        QCOMPARE(window.context().time().full().duration(), whole);
    }

    /// Property: of recordings whose clocks are not related, the window shows those with rows first, although a profile is earlier. The
    /// time axis does not span the meaningless time between them.
    void recordingsWithRowsAreShownFirst()
    {
        test::OwnHome home;
        const QTemporaryDir folder;
        const auto write = [&](const QString& name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        write("a.cpuprofile",
              R"({"nodes":[{"id":1,"callFrame":{"functionName":"f","scriptId":"0","url":"","lineNumber":1,"columnNumber":1}}],)"
              R"("startTime":1000000000,"endTime":1000002000,"samples":[1,1],"timeDeltas":[0,1000]})");
        write("b.json", R"([{"name":"work","ph":"X","ts":5000000000,"dur":1000,"pid":1,"tid":1}])");
        MainWindow window;
        QVERIFY(test::openIn(window, {folder.path()}));
        QVERIFY2(notices(window).contains("1 of 2 recordings are shown"), qPrintable(notices(window)));
        const TimeWindow& time = window.context().time();
        QVERIFY(time.full().duration() < std::chrono::seconds(1));
        QCOMPARE(time.visible(), time.full());
        QVERIFY(time.full().contains(timestamp(5'000'000'500'000)));
        const auto offered = offeredRecordings(*window.context().timeline(), window.context().timeFormat());
        QCOMPARE(offered.size(), 2);
        QVERIFY(offered[0].path.endsWith("a.cpuprofile") && !offered[0].isMarked);
        QVERIFY(offered[1].path.endsWith("b.json") && offered[1].isMarked);
    }

    /// Property: the dialog offers only the recordings that the user opened last, even if it offered them together with others before.
    void recordingsOfEarlierTracesAreNotOffered()
    {
        test::OwnHome home;
        MainWindow window;
        QVERIFY(test::openIn(window, {test::WorkersSample, Lossy}));
        QVERIFY(window.actions().at("file.recordings").isEnabled());
        window.open({test::WorkersSample});
        QVERIFY(isRead(window));
        QVERIFY(!window.actions().at("file.recordings").isEnabled());
    }

    void oneRecordingOffersNoChoice()
    {
        test::OwnHome home;
        MainWindow window;
        QVERIFY(test::openIn(window));
        QVERIFY(!notices(window).contains("do not overlap"));
        QVERIFY(!window.actions().at("file.recordings").isEnabled());
    }

    /// Property: recordings of the same time are all marked, and nothing is said.
    void recordingsOfTheSameTimeAreAllMarked()
    {
        test::OwnHome home;
        MainWindow window;
        QVERIFY(test::openIn(window, {QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small")}));
        QVERIFY(!notices(window).contains("do not overlap"));
        const auto offered = offeredRecordings(*window.context().timeline(), window.context().timeFormat());
        QVERIFY(offered.size() > 1);
        for (const OfferedRecording& it : offered) {
            QVERIFY(it.isMarked);
            QVERIFY2(!it.begin.isEmpty() && !it.duration.isEmpty() && !it.host.isEmpty() && it.kind.contains("LTTng"),
                     qPrintable(it.path + ' ' + it.kind));
            QCOMPARE(it.format, "ctf, by its magic number");
            QVERIFY(!it.clock.isEmpty());
        }
    }
};

HELIO_TEST(RecordingsTest)
#include "tst_recordings.moc"
