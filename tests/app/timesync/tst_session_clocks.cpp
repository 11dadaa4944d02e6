#include "app/gui/common/experiment_pane.h"
#include "app/gui/common/window_frame.h"
#include "app/timesync/clock_settings_json.h"
#include "core/clock/fit/clock_line.h"
#include "core/experiment/host_alignment.h"
#include "core/timesync/host_clocks.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"
#include "widgets/controls/status_bar.h"

#include <QAction>
#include <QJsonArray>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

using namespace helio;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t Web = 0;
constexpr std::uint32_t Db = 1;

/// A window with the fixture of two hosts.
struct TwoHosts {
    explicit TwoHosts(ClockSettings clocks = {})
        : pane(window, status)
    {
        makeVerticalLayout(&window)->addWidget(&pane.area());
        open(std::move(clocks));
    }
    void open(ClockSettings clocks = {})
    {
        options.storeDirectory = cache.path().toStdString();
        options.clocks = std::move(clocks);
        pane.session().open({QString::fromStdString(test::twoHostsPath("web")), QString::fromStdString(test::twoHostsPath("db"))}, options);
    }

    bool isReady() { return pane.session().state() == Session::State::Ready && !pane.session().isSettingClocks(); }
    ClockHistory& clocks() { return pane.context().clocks(); }
    ChangeHistory& changes() { return pane.context().changes(); }
    std::shared_ptr<const Timeline> timeline() { return pane.context().timeline(); }
    bool isShown() { return timeline()->clockSettings == clocks().choice(); }
    Duration offset() { return hostClocks(*timeline())[Db].offset; }

    ExperimentOptions options;
    QTemporaryDir cache;
    QWidget window;
    StatusBar status;
    ExperimentPane pane;
};

} // namespace

class SessionClocksTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void whatIsDecidedIsShownAndUndone()
    {
        TwoHosts it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        const Duration found = it.offset();
        QVERIFY(std::chrono::abs(found - test::TwoHostsLag) < test::TwoHostsBound);

        it.clocks().set(withOffset(*it.timeline(), it.clocks().choice(), Db, 12ms), "offset of db");

        QTRY_VERIFY(it.isShown());
        QCOMPARE(it.offset(), Duration(12ms));
        it.changes().undo();
        QTRY_VERIFY(it.isShown());
        QCOMPARE(it.offset(), found);
    }

    void ofManyPreviewsTheLastIsShown()
    {
        TwoHosts it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        const auto from = it.timeline();
        const Duration found = it.offset();
        for (int i = 1; i <= 300; ++i) {
            it.clocks().preview(shifted(*from, {}, Db, i * 1ms));
            if (i % 30 == 0)
                QTest::qWait(1);
        }
        it.clocks().keep("offset of db");
        QTRY_VERIFY(it.isShown() && it.isReady());
        QCOMPARE(it.offset(), found + 300ms);
    }

    void whatIsDecidedWhileItIsReadHolds()
    {
        TwoHosts it;
        QTRY_VERIFY_WITH_TIMEOUT(it.timeline() && it.timeline()->hosts.size() == 2, 60'000);
        it.clocks().set(withOffset(*it.timeline(), {}, Db, 4s), "offset of db");
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady() && it.isShown(), 60'000);
        QVERIFY(it.timeline()->hosts[Db].method == ClockMethod::Manual);
    }

    void itHoldsWhenTheTracesAreOpenedOnceMore()
    {
        TwoHosts it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        it.clocks().set(withOffset(*it.timeline(), {}, Db, 4s), "offset of db");
        QTRY_VERIFY(it.isShown());
        const auto before = it.timeline();

        it.options.clocks = {}; // The traces are reopened with options that contain no clocks.
        it.pane.session().reopen(it.options);
        it.clocks().set(shifted(*before, it.clocks().choice(), Db, 1s), "offset of db");

        QTRY_VERIFY_WITH_TIMEOUT(!it.pane.session().isReopening() && it.isReady(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(it.isShown(), 60'000);
        QVERIFY(std::chrono::abs(it.offset() - Duration(5s)) <= 1us);
        QVERIFY(it.changes().canUndo());
    }

    void otherTracesHaveTheirOwn()
    {
        TwoHosts it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        it.clocks().set(withRawTimes(*it.timeline(), {}, Db), "clock of db");
        it.pane.session().open({QStringLiteral(SOURCE_DIR "/resources/samples/workers")}, it.options);
        QVERIFY(it.clocks().choice() == ClockSettings());
        QVERIFY(!it.changes().canUndo());
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QVERIFY(it.timeline()->clockSettings == ClockSettings());
    }

    void theOptionsDecideAtFirst()
    {
        ClockSettings clocks;
        clocks.reference = "db";
        TwoHosts it(clocks);
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QVERIFY(it.clocks().choice() == clocks);
        QCOMPARE(it.timeline()->reference, Db);
    }

    /// Property: the visible range shows the same data when another host becomes the reference.
    void anotherReferenceTakesThePlaceAlong()
    {
        TwoHosts it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        const auto before = it.timeline();
        TimeWindow& time = it.pane.time();
        const HostTimestamp seen = middleOfHost(*before, Db);
        const Timestamp at = before->hosts[Db].clock(seen);
        time.setVisible({at - 1ms, at + 1ms});
        time.setSelection({at, at + 500us});
        time.setCursor(at);
        time.jump({.cursor = at + 100us});
        time.setCursor(at);
        it.pane.context().bookmarks().add({at, at});

        it.clocks().set(withReference(*before, {}, Db), "reference db");

        QTRY_VERIFY(it.isShown());
        const auto isNear = [&](Timestamp t, Duration off = {}) {
            return std::abs(nanoseconds(t) - nanoseconds(seen) - off.count()) <= 2000;
        }; // The tolerance is 2 µs, because the clocks of the two hosts drift against each other.
        QVERIFY(isNear(time.cursor()));
        QVERIFY(isNear(time.visible().begin, -1ms) && isNear(time.visible().end, 1ms));
        QVERIFY(isNear(time.selection().end, 500us));
        QVERIFY(isNear(it.pane.context().bookmarks().all().at(0).range.begin));
        time.setVisible(time.full());
        time.back();
        QVERIFY(isNear(time.visible().begin, -1ms));
        it.changes().undo();
        QTRY_VERIFY(it.isShown());
        QVERIFY(std::abs((time.cursor() - at).count()) <= 2);
    }

    void bookmarksOfTheHistoryMoveWithTheClock()
    {
        TwoHosts it;
        QTRY_VERIFY(it.isReady());
        const auto before = it.timeline();
        const Timestamp at = before->hosts[Db].clock(middleOfHost(*before, Db));
        Bookmarks& bookmarks = it.pane.context().bookmarks();
        bookmarks.add({at, at}, "first");
        bookmarks.remove(0);

        it.clocks().set(withReference(*before, {}, Db), "reference db");
        QTRY_VERIFY(it.isShown());
        const Timestamp moved = convertTimeBetween(*it.timeline(), *before, at);
        QVERIFY(std::abs((moved - at).count()) > 2);
        it.changes().undo(); // Undo the change of the clock. The timeline with the old clock is computed in the background and shown later.
        it.changes().undo(); // Undo the removal of the bookmark at once: its time is on the axis that is still shown.
        QCOMPARE(bookmarks.all().size(), std::size_t(1));
        QVERIFY(std::abs((bookmarks.all()[0].range.begin - moved).count()) <= 2);
        QTRY_VERIFY(it.isShown());
        QVERIFY(std::abs((bookmarks.all()[0].range.begin - at).count()) <= 4);
    }

    void aFileKeepsAllDigits()
    {
        ClockSettings choice;
        choice.reference = "web";
        choice.hosts["db"] = {ClockLine{hostTime(1'700'000'000'123'456'789), timestamp(-5), -49'700'000'000'001}, Duration(18'001)};
        choice.hosts["raw"] = {};
        choice.hosts["hand"] = {ClockLine{hostTime(3), timestamp(4), 0}};
        choice.hosts["fast"] = {ClockLine{hostTime(3), timestamp(4), *parseRate("1.9")}};
        choice.hosts["file"] = {ClockLine{hostTime(3), timestamp(4), 0}, Duration(9)};
        choice.hosts["file"].origin =
            ClockOrigin{ClockMethod::Packets, FitQuality::Approximate, Duration(8), 1234, 5, 6, 1, {"web", "client", "file"}};
        QVERIFY(clockSettingsFrom(clockSettingsJson(choice)) == choice);
        QVERIFY(clockSettingsFrom({}) == ClockSettings());
    }

    void aFileKeepsAllOfAGivenClock()
    {
        ClockOverride given;
        // This binding fails to compile when ClockOverride gets another member, as a reminder that the session file must save the member.
        auto& [line, error, points, isBent, origin] = given;
        line = ClockLine{hostTime(7), timestamp(-5), 1'234};
        error = Duration::max() - Duration(1);
        points = {{hostTime(-3), timestamp(1'000), Duration(5)},
                  {hostTime(1'700'000'000'123'456'789), timestamp(1'700'000'000'123'456'790), Duration::max()},
                  {hostTime(1'700'000'000'223'456'789), timestamp(1'700'000'000'213'456'790), Duration(1)}};
        isBent = true;
        origin = ClockOrigin{ClockMethod::Hypercalls, FitQuality::Accurate, Duration(3), 77, 1, 2, 0, {"web", "db"}};
        for (const bool bends : {true, false}) {
            isBent = bends;
            const ClockSettings choice{"web", {{"db", given}}};
            const ClockSettings again = clockSettingsFrom(clockSettingsJson(choice));
            QVERIFY(again.hosts.contains("db"));
            const auto& [line2, error2, points2, isBent2, origin2] = again.hosts.at("db");
            QVERIFY(line2 == line);
            QVERIFY(origin2 == origin);
            QCOMPARE(error2, error);
            QVERIFY(points2 == points);
            QCOMPARE(isBent2, bends);
            QVERIFY(again == choice);
        }
    }

    void pointsThatNoClockGoesThroughAreLeftOut_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        test::addRow("no number", "at_ns", "soon");
        test::addRow("not there", "is_ns", "");
        test::addRow("back in time", "at_ns", "5");
        test::addRow("too far", "is_ns", "9223372036854775807");
    }
    void pointsThatNoClockGoesThroughAreLeftOut()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        const ClockLine line{hostTime(1), timestamp(2), 3};
        QJsonObject json =
            clockSettingsJson({"web", {{"db", {line, {}, {{hostTime(10), timestamp(20)}, {hostTime(30), timestamp(42)}}, true}}}});
        QJsonArray hosts = json["hosts"].toArray();
        QJsonObject db = hosts[0].toObject();
        QJsonArray points = db["points"].toArray();
        QJsonObject last = points[1].toObject();
        last[key] = value;
        points[1] = last;
        db["points"] = points;
        hosts[0] = db;
        json["hosts"] = hosts;
        const ClockOverride given = clockSettingsFrom(json).hosts.at("db");
        // Without the optional members, a clock from JSON has only ClockOverride::line, the straight line from its times to the reference
        // clock.
        QVERIFY(given == (ClockOverride{line}));
    }

    void whatMakesNoSenseInAFileIsLeftOut()
    {
        QJsonObject json = clockSettingsJson({"web", {{"db", {ClockLine{hostTime(1), timestamp(2), 3}, Duration(4)}}}});
        QJsonArray hosts = json["hosts"].toArray();
        QJsonObject db = hosts[0].toObject();
        db["is_ns"] = "99999999999999999999999";
        hosts[0] = db;
        json["hosts"] = hosts;
        QVERIFY(clockSettingsFrom(json).hosts.empty());
        db["is_ns"] = "12";
        db["gain"] = "9000000000000000000";
        db["error_ns"] = "-7";
        hosts[0] = db;
        json["hosts"] = hosts;
        const ClockOverride given = clockSettingsFrom(json).hosts.at("db");
        QCOMPARE(given.line->gain, std::int64_t(0)); // In a session file, a number outside the valid range is read as 0.
        QCOMPARE(given.error, Duration::max());
    }
};

HELIO_TEST(SessionClocksTest)
#include "tst_session_clocks.moc"
