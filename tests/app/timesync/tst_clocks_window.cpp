// Clocks of two hosts in the window: the dock, its texts, the user's changes, sessions and files.

#include "app/gui/common/window_text.h"
#include "app/gui/main_window/main_window.h"
#include "app/timesync/clock_files.h"
#include "app/timesync/moment_alignment.h"
#include "app/timesync/sync_file.h"
#include "core/experiment/host_alignment.h"
#include "core/query/rows/rows.h"
#include "tests/app/cli/program.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/toggle_switch.h"
#include "widgets/docks/clocks/clocks_view.h"
#include "widgets/docks/clocks/host_table.h"
#include "widgets/docks/clocks/residual_plot.h"
#include "widgets/docks/clocks/unit_field.h"
#include "widgets/timeline/panels/time_area.h"

#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QTest>

#include <algorithm>

using namespace helio;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t Web = 0;
constexpr std::uint32_t Db = 1;

QString plain(QString text) { return text.remove(QChar(0x2009)).replace(QChar(0x2212), '-'); }

} // namespace

class ClocksWindowTest : public QObject {
    Q_OBJECT

private:
    test::OwnHome m_folder;
    std::unique_ptr<MainWindow> m_window;

    ExperimentOptions options() const
    {
        ExperimentOptions options;
        options.storeDirectory = m_folder.filePath("stores").toStdString();
        return options;
    }
    QStringList traces() const
    {
        return {QString::fromStdString(test::twoHostsPath("web")), QString::fromStdString(test::twoHostsPath("db"))};
    }

    /// Opens the traces and returns the Clocks dock; nullptr if it was not ready in time.
    ClocksView* opened(const QStringList& paths, ExperimentOptions options)
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1600, 1000);
        m_window->setExperimentOptions(std::move(options));
        m_window->show();
        m_window->open(paths);
        auto* view = dynamic_cast<ClocksView*>(m_window->docks().view("clocks"));
        const auto isThere = [&] {
            m_window->docks().show("clocks", false); // Shows the dock after opening, because opening a trace raises other docks.
            return isStill(view);
        };
        return QTest::qWaitFor(isThere, 60'000) ? view : nullptr;
    }
    ClocksView* opened() { return opened(traces(), options()); }

    bool isStill(ClocksView* view)
    {
        return m_window->session().state() == Session::State::Ready && !m_window->session().isSettingClocks() && !view->isBusy()
            && view->hosts().clocks().size() == 2 && timeline()->clockSettings == clocks().choice();
    }
    std::shared_ptr<const Timeline> timeline() { return m_window->context().timeline(); }
    ClockHistory& clocks() { return m_window->context().clocks(); }
    ChangeHistory& changes() { return m_window->context().changes(); }
    template <typename Widget> Widget* named(ClocksView* view, const char* name)
    {
        const auto all = view->findChildren<Widget*>();
        const auto found = std::ranges::find_if(all, [&](const Widget* it) { return it->accessibleName() == QLatin1String(name); });
        return found != all.end() ? *found : nullptr;
    }
    QPushButton* button(ClocksView* view, const QString& text)
    {
        const auto all = view->findChildren<QPushButton*>();
        const auto found = std::ranges::find_if(all, [&](const QPushButton* it) { return it->text() == text; });
        return found != all.end() ? *found : nullptr;
    }
    QString cell(ClocksView* view, int host, int column) { return plain(view->hosts().model()->index(host, column).data().toString()); }
    /// Returns the first thread's row on the host; invalid if the host has no thread.
    TrackRef rowOn(std::uint32_t host)
    {
        for (const Row& row : rows(*timeline(), "control-flow"))
            if (row.tid > 0 && timeline()->traces[row.trace].host == host)
                return row.ref;
        return {};
    }

private slots:
    void cleanup() { m_window.reset(); }

    void whatWasFoundIsThatOfTheCommandLine()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        const std::string found = syncDocument(*timeline());
        const QByteArray written = heliograph(QStringList{"sync"} + traces() + QStringList{"--json"}).out;
        QCOMPARE(QByteArray::fromStdString(found).trimmed(), written.trimmed());

        const HostClockFacts& db = view->hosts().clocks()[Db];
        QCOMPARE(cell(view, Web, HostModel::Method), QString("reference"));
        QCOMPARE(cell(view, Db, HostModel::Method), QString("packets"));
        QCOMPARE(cell(view, Db, HostModel::Messages), QString("63"));
        const double seconds = cell(view, Db, HostModel::Offset).remove(" s").toDouble();
        QVERIFY(std::abs(seconds * 1e9 - double(db.offset.count())) < 1e3);
        QVERIFY(std::abs(seconds - 5.21791) < 5e-4);
        QVERIFY(view->residuals());
        QCOMPARE(view->residuals()->all, std::size_t(63));
        QCOMPARE(clocksText(*timeline()), QString("2 clocks aligned using packets"));
        QVERIFY(clockAccuracyText(*timeline()).startsWith("2 hosts, accurate to "));
    }

    void whatIsTypedIsShownAtOnceAndOneStep()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        auto* field = named<UnitField>(view, "Offset");
        QVERIFY(field);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "12 ms");
        QVERIFY(clocks().isPreviewing());
        QTRY_COMPARE(hostClocks(*timeline())[Db].offset, Duration(12ms));
        QVERIFY(!changes().canUndo());

        QTest::keyClick(field, Qt::Key_Return);

        QVERIFY(!clocks().isPreviewing());
        QTRY_VERIFY(isStill(view));
        QCOMPARE(cell(view, Db, HostModel::Method), QString("by hand"));
        QCOMPARE(cell(view, Db, HostModel::Offset), QString("+0.012 s"));
        QCOMPARE(plain(field->text()), QString("+0.012"));
        QCOMPARE(m_window->actions().at("edit.undo").text(), QString("Undo Offset of db"));
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier); // Ctrl+Z undoes the clock change: the field has no text change to undo.
        QTRY_VERIFY(isStill(view) && clocks().choice() == ClockSettings());
        QCOMPARE(cell(view, Db, HostModel::Method), QString("packets"));
        m_window->actions().at("edit.redo").trigger();
        QTRY_COMPARE(cell(view, Db, HostModel::Method), QString("by hand"));
    }

    /// Property: an invalid text changes nothing, even if it begins with a valid number.
    void aTextThatIsNotUnderstoodChangesNothing()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        view->hosts().choose(Db);
        QTRY_VERIFY(isStill(view));
        const HostTimestamp middle = middleOfHost(*timeline(), Db);
        const Timestamp before = timeline()->hosts[Db].clock(middle);
        for (const char* name : {"Offset", "Drift"}) {
            auto* field = named<UnitField>(view, name);
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, "50");
            QVERIFY(clocks().isPreviewing());
            QTest::keyClicks(field, " parsecs");
            QVERIFY(!clocks().isPreviewing());
            QCOMPARE(field->text(), QString("50 parsecs"));
            QTRY_COMPARE(timeline()->hosts[Db].clock(middle), before);
            QTest::keyClick(field, Qt::Key_Return);
            QTRY_VERIFY(isStill(view));
            QVERIFY(!changes().canUndo());
        }
    }

    void typingThatIsGivenUpLeavesNothing()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        auto* field = named<UnitField>(view, "Offset");
        const QString before = field->text();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "7");
        QVERIFY(clocks().isPreviewing());
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!clocks().isPreviewing() && !changes().canUndo());
        QTRY_VERIFY(isStill(view));
        QCOMPARE(field->text(), before);
        QTest::keyClicks(field, "nonsense");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(field->text(), before);
        QVERIFY(!changes().canUndo());
        QTest::keyClicks(field, "12");
        QVERIFY(clocks().isPreviewing());
        QTest::keyClicks(field, "x"); // An "x" at the end makes the valid text of the field invalid.
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!clocks().isPreviewing() && !changes().canUndo());
        QCOMPARE(field->text(), before);
    }

    void methodReferenceAndAlignAgainAreSteps()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        auto* method = named<QComboBox>(view, "Method");
        const Duration found = hostClocks(*timeline())[Db].offset;
        QCOMPARE(method->currentText(), QString("From packets"));
        emit method->activated(2);
        QTRY_VERIFY(isStill(view) && !timeline()->hosts[Db].isSynchronized);
        QCOMPARE(cell(view, Db, HostModel::Method), QString("raw"));
        QVERIFY(clocksText(*timeline()).isEmpty());
        QCOMPARE(inaccuracyText(*timeline()), QString("clocks not synchronized"));
        button(view, "Align again")->click();
        QTRY_VERIFY(isStill(view) && timeline()->hosts[Db].isSynchronized);
        QCOMPARE(hostClocks(*timeline())[Db].offset, found);

        named<ToggleSwitch>(view, "Reference")->click();
        QTRY_VERIFY(isStill(view) && timeline()->reference == Db);
        QCOMPARE(cell(view, Db, HostModel::Method), QString("reference"));
        QVERIFY(std::chrono::abs(hostClocks(*timeline())[Web].offset + found) < 1ms);
        for (const char* what : {"Reference db", "Alignment of db", "Raw times of db"}) {
            QCOMPARE(changes().undoText(), QString(what));
            changes().undo();
        }
        QVERIFY(clocks().choice() == ClockSettings());
    }

    /// Property: resetting all clocks keeps the assignment of guests.
    void aligningAllKeepsGuests()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        ClockSettings choice = withOffset(*timeline(), {}, Db, 1s);
        choice.guests["db"] = {"web", 10};
        clocks().set(choice, "offset of db");
        m_window->actions().at("clocks.align").trigger();
        QVERIFY(clocks().choice().hosts.empty());
        QVERIFY(clocks().choice().guests == choice.guests);
        changes().undo();
        QVERIFY(clocks().choice() == choice);
        QTRY_VERIFY(isStill(view));
    }

    void twoMomentsAlignTheClocks()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        const auto before = timeline();
        QAction& action = m_window->actions().at("clocks.same-moment");
        const auto* notice = m_window->findChild<MomentAlignment*>();
        const Timestamp a = before->hosts[Db].clock(middleOfHost(*before, Db));
        const Timestamp b = a + 30ms;
        TimeWindow& time = m_window->context().time();
        action.trigger(); // The action has no effect, because no row is selected.
        QVERIFY(!notice->isWaiting());
        HostStyles looks;
        looks.hosts[before->hosts[Db].id].name = "storage";
        clocks().setLooks(looks, "name of db");
        time.setRow(rowOn(Db));
        time.setCursor(a);
        action.trigger();
        QVERIFY(notice->isWaiting());
        // The instruction contains the user's name for the host.
        QVERIFY2(notice->words().contains("on storage"), qPrintable(notice->words()));
        QVERIFY(!notice->canAlign());
        time.setRow(rowOn(Web));
        time.setCursor(b);
        QVERIFY(notice->canAlign());
        action.trigger();
        QVERIFY(!notice->isWaiting());
        QTRY_VERIFY(isStill(view));
        QCOMPARE(nanoseconds(timeline()->hosts[Db].clock(middleOfHost(*before, Db))), nanoseconds(b));
        QCOMPARE(changes().undoText(), QString("Matching of events on storage"));
        changes().undo();
        QTRY_VERIFY(isStill(view));
        action.trigger();
        QVERIFY(notice->isWaiting());
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(!notice->isWaiting());
        QVERIFY(clocks().choice() == ClockSettings());
    }

    void theReferenceIsNotTheOneThatMoves()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        const auto before = timeline();
        TimeWindow& time = m_window->context().time();
        QAction& action = m_window->actions().at("clocks.same-moment");
        time.setRow(rowOn(Web));
        time.setCursor(before->range.begin + 50ms);
        action.trigger();
        time.setRow(rowOn(Db));
        time.setCursor(before->range.begin + 90ms);
        action.trigger();
        QTRY_VERIFY(isStill(view));
        QCOMPARE(timeline()->reference, Web);
        QVERIFY(std::chrono::abs(hostClocks(*timeline())[Db].offset - (hostClocks(*before)[Db].offset - 40ms)) < 1us);
    }

    void aPacketsDotLeadsToBothOfItsEnds()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        ResidualPlot& plot = view->plot();
        QTRY_VERIFY(plot.scale().isValid());
        plot.select(0);
        emit plot.chosen(0);
        TimeWindow& time = m_window->context().time();
        const auto& it = view->residuals()->points[0];
        const Transmission& packet = timeline()->relations[view->residuals()->relation]->messages->all[it.transmission];
        QCOMPARE(nanoseconds(time.cursor()), nanoseconds(timeline()->traces[packet.fromTrace].clock(packet.sent)));
        QVERIFY(time.row().isValid());
        QCOMPARE(traceOf(*timeline(), time.row()), packet.fromTrace);
        const auto labels = view->findChildren<QLabel*>();
        const auto ends = std::ranges::find_if(labels, [](const QLabel* label) { return label->text().contains("received"); });
        QVERIFY(ends != labels.end());
        emit(*ends)->linkActivated("other");
        QCOMPARE(nanoseconds(time.cursor()), nanoseconds(timeline()->traces[packet.toTrace].clock(packet.received)));
        QCOMPARE(traceOf(*timeline(), time.row()), packet.toTrace);
    }

    void aClockThatWasSetByHandHasAPlot()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        const std::size_t all = view->residuals()->all;
        clocks().set(shifted(*timeline(), {}, Db, 2s), "offset of db");
        QTRY_VERIFY(isStill(view) && view->residuals() && view->residuals()->isOfClockOverride);
        QCOMPARE(view->residuals()->all, all);
        QTRY_VERIFY(view->plot().isVisible() && view->plot().scale().isValid());
        QVERIFY(view->plot().scale().most() > Duration(2s));
        const auto labels = view->findChildren<QLabel*>();
        const QString words = QString("With the clock set by hand, %1 of %2 packets arrive before").arg(view->residuals()->early).arg(all);
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); }));
        clocks().set(withRawTimes(*timeline(), {}, Db), "raw times of db");
        QTRY_VERIFY(isStill(view) && !view->plot().isVisible());
    }

    /// Property: while a host's rows are dragged, the experiment's whole range may become shorter or longer, but the cursor and the visible
    /// range stay.
    void aDraggedLaneDoesNotMoveTheCursor()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        clocks().set(shifted(*timeline(), {}, Db, 3s), "offset of db");
        QTRY_VERIFY(isStill(view));
        TimeWindow& time = m_window->context().time();
        time.setVisible(timeline()->range);
        const TimeRange visible = time.visible();
        const Timestamp cursor = timeline()->range.end - 10ms;
        time.setCursor(cursor);
        HostGestures& hosts = m_window->findChild<TimeArea*>()->axis().hosts();
        const auto drag = [&](Duration to) {
            hosts.begin(Db, cursor);
            hosts.moveTo(cursor + to);
            return QTest::qWaitFor([&] { return isStill(view); }, 60'000);
        };
        for (const Duration to : {Duration(-3s), Duration(4s)}) {
            QVERIFY(drag(to));
            QVERIFY(clocks().isPreviewing());
            QVERIFY(time.cursor() == cursor);
            QVERIFY(time.visible() == visible);
            hosts.cancel();
            QTRY_VERIFY(isStill(view));
            QVERIFY(time.cursor() == cursor);
            QVERIFY(time.visible() == visible);
            QVERIFY(time.full() == timeline()->range);
        }
        QVERIFY(drag(-3s));
        hosts.end();
        QTRY_VERIFY(isStill(view));
        QVERIFY(time.full() == timeline()->range);
        // The window has moved the cursor back into the experiment's range, which is shorter now.
        QVERIFY(time.cursor() <= timeline()->range.end);
    }

    void aSessionKeepsTheClocks()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        clocks().set(withReference(*timeline(), withOffset(*timeline(), {}, Db, 4s), Db), "both");
        QTRY_VERIFY(isStill(view));
        const ClockSettings kept = clocks().choice();
        const TimeRange visible = m_window->context().time().visible();
        const QString path = m_folder.filePath("kept.heliograph");
        QVERIFY(saveSession(m_window->sessionState(), path));

        view = opened({path}, options());

        QVERIFY(view);
        QVERIFY(clocks().choice() == kept);
        QVERIFY(!changes().canUndo());
        QCOMPARE(timeline()->reference, Db);
        QVERIFY(timeline()->hosts[Web].method == ClockMethod::Manual);
        QVERIFY(m_window->context().time().visible() == visible);
    }

    void aSessionKeepsAClockThatBends()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        const HostTimestamp middle = middleOfHost(*timeline(), Db);
        const auto on = [&](Duration by, Duration offset) {
            return ClockPoint{middle + by, timestamp(nanoseconds(middle + by)) + offset, Duration(3'000)};
        };
        ClockSettings bent;
        bent.hosts["db"] = {ClockLine{middle, timestamp(nanoseconds(middle)) + 4s, 0},
                            Duration(7'000),
                            {on(-50ms, 4s), on({}, 4s + 1us), on(50ms, 4s + 40us)},
                            true};
        clocks().set(bent, "import");
        QTRY_VERIFY(isStill(view));
        const std::string document = syncDocument(*timeline());
        QCOMPARE(hostClocks(*timeline())[Db].intervals.size(), std::size_t(2));
        const QString path = m_folder.filePath("bent.heliograph");
        QVERIFY(saveSession(m_window->sessionState(), path));

        view = opened({path}, options());

        QVERIFY(view);
        QCOMPARE(QByteArray::fromStdString(syncDocument(*timeline())), QByteArray::fromStdString(document));
        QCOMPARE(hostClocks(*timeline())[Db].intervals.size(), std::size_t(2));
    }

    void whatTheCommandLineSaysComesBeforeTheSession()
    {
        QVERIFY(opened());
        clocks().set(withOffset(*timeline(), {}, Db, 4s), "offset of db");
        const QString path = m_folder.filePath("other.heliograph");
        QVERIFY(saveSession(m_window->sessionState(), path));
        ExperimentOptions given = options();
        given.clocks.hosts["db"] = {ClockLine{hostTime(0), timestamp(1'000), 0}, Duration(3)};
        QVERIFY(opened({path}, given));
        QCOMPARE(hostClocks(*timeline())[Db].offset, Duration(1'000));
        // Open another trace: the clock settings of the previous traces must not apply to it.
        m_window->open({QStringLiteral(SOURCE_DIR "/resources/samples/workers")});
        QVERIFY(clocks().choice() == ClockSettings());
    }

    void readingAgainKeepsThem()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        clocks().set(withOffset(*timeline(), {}, Db, 4s), "offset of db");
        QTRY_VERIFY(isStill(view));
        m_window->actions().at("file.reload").trigger();
        QTRY_VERIFY_WITH_TIMEOUT(timeline() && isStill(view), 60'000);
        QVERIFY(timeline()->hosts[Db].method == ClockMethod::Manual);
        QCOMPARE(changes().undoText(), QString("Offset of db"));
    }

    void aFileIsWrittenAndTakenByWindowAndCommandLine()
    {
        ClocksView* view = opened();
        QVERIFY(view);
        clocks().set(withGain(*timeline(), withOffset(*timeline(), {}, Db, 4s), Db, -41'200'000'000'000), "clock of db");
        QTRY_VERIFY(isStill(view));
        const QString path = m_folder.filePath("clocks.json");
        QCOMPARE(writeClocks(m_window->context(), path), QString());
        const QByteArray written = heliograph(QStringList{"sync"} + traces() + QStringList{"--json", "--sync", path}).out;
        QVERIFY(written.contains("\"method\":\"manual\""));
        const ClockLine line = lineOf(*timeline(), clocks().choice(), Db);
        changes().undo();
        QTRY_VERIFY(isStill(view));

        QCOMPARE(readClocks(m_window->context(), path), QString());

        QTRY_VERIFY(isStill(view));
        const ClockLine again = lineOf(*timeline(), clocks().choice(), Db);
        const HostTimestamp middle = middleOfHost(*timeline(), Db);
        QVERIFY(again(middle) == line(middle));
        QCOMPARE(again.gain, line.gain);
        QCOMPARE(changes().undoText(), QString("Import of clocks.json"));
        QVERIFY(readClocks(m_window->context(), path).contains("changes nothing"));
        QVERIFY(!readClocks(m_window->context(), m_folder.filePath("nowhere.json")).isEmpty());
        QFile broken(m_folder.filePath("broken.json"));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{\"hosts\": 7}") > 0);
        broken.close();
        const QString problem = readClocks(m_window->context(), broken.fileName());
        QVERIFY2(problem.contains("broken.json") && problem.contains("hosts"), qPrintable(problem));
        QCOMPARE(changes().undoText(), QString("Import of clocks.json"));
    }
};

HELIO_TEST(ClocksWindowTest)
#include "tst_clocks_window.moc"
