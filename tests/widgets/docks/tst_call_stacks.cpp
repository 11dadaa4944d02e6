// The call stack panel: its rows and their appearance.

#include "tests/support/opened_text.h"
#include "tests/widgets/docks/shown_calls.h"

using namespace helio;

class CallStacksTest : public QObject {
    Q_OBJECT

private slots:
    void theOutermostFramesStandBesideTheThreadAndItsStatesBelowItsStack()
    {
        const auto timeline = MadeCalls::make();
        const auto all = shownRows(*timeline);
        QStringList shown;
        for (const GraphRow& row : all)
            shown << QStringLiteral("%1 %2 %3").arg(row.name, row.id).arg(int(row.drawnAs));
        const auto words = [](const char* name, RowShape shape) { return QStringLiteral("%1 %2").arg(name).arg(int(shape)); };
        QCOMPARE(shown,
                 (QStringList{words("app ", RowShape::Normal), words("worker-0 100", RowShape::FirstFrame), words(" ", RowShape::Frame),
                              words(" ", RowShape::Frame), words(" ", RowShape::Frame), words(" ", RowShape::Strip),
                              words("helper 555", RowShape::FirstFrame)}));
        QVERIFY(all[0].isHeading && !all[1].isHeading);
        QCOMPARE(all[1].ref, depthOf(*timeline, "calls:100/1"));
        QCOMPARE(all[3].place, QString("worker-0 100, depth 3"));
        const auto threads = rows(*timeline, "control-flow");
        QCOMPARE(all[5].ref, threads.front().ref); // Row of the states of thread 100.
        QCOMPARE(all[1].meter(), all[5].ref);
        // Name from the kernel's trace; in the user-space trace, the thread has the process' name.
        QCOMPARE(all[1].name, QString("worker-0"));
        QVERIFY(all[1].hasShare && !all[6].hasShare); // Thread 555 has no share, because its time on a CPU is unknown.
    }

    void aPinnedDepthHasAName()
    {
        const auto timeline = MadeCalls::make();
        RowTree tree;
        ViewRows found = makeViewRows(*timeline, View);
        tree.setRows(std::move(found.rows));
        tree.setPinned(tree.find(depthOf(*timeline, "calls:100/2")), true);
        const auto pinned = makePinnedGraphRows(tree, found.beside);
        QCOMPARE(pinned.size(), std::size_t(1));
        QCOMPARE(pinned[0].name, QString("worker-0 100, depth 2"));
        QCOMPARE(pinned[0].drawnAs, RowShape::FirstFrame);
    }

    void wakeUpsRunBetweenTheStrips()
    {
        const auto timeline = MadeCalls::make();
        const GraphRows stacks(shownRows(*timeline), Density::Normal);
        QCOMPARE(findLinkView(*timeline, View, stacks), std::string("control-flow"));
        // Without rows for threads' states, the arrows of the call stack view itself are drawn.
        QCOMPARE(findLinkView(*timeline, View, GraphRows()), std::string(View));
    }

    void theHeaderCountsThreadsAndTracks()
    {
        const OpenedText opened(
            R"([{"ph":"X","pid":1,"tid":2,"ts":1,"dur":9,"name":"a"},{"ph":"X","pid":1,"tid":3,"ts":1,"dur":9,"name":"a"},)"
            R"({"ph":"b","pid":1,"tid":2,"ts":3,"cat":"c","id":1,"name":"load"},)"
            R"({"ph":"e","pid":1,"tid":2,"ts":8,"cat":"c","id":1,"name":"load"}])",
            "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        ViewContext context;
        TimeArea area(context);
        area.resize(1300, 900);
        area.show();
        context.setTimeline(opened.timeline);
        QTRY_VERIFY(area.rowsPanel(View));
        QTRY_COMPARE(area.rowsPanel(View)->header()->subtitle(), QString("2 threads, 1 track"));
    }

    void theHeaderCountsThreads()
    {
        Shown s;
        QCOMPARE(s.panel()->header()->subtitle(), QString("2 threads"));
    }

    void barsHaveTheColourOfTheirModule()
    {
        const Picture picture;
        const QColor app = picture.theme().category(moduleColors(*MadeCalls::make())->categoryOf("app"));
        const QColor libc = picture.theme().category(moduleColors(*MadeCalls::make())->categoryOf("libc.so.6"));
        QVERIFY(app != libc);
        const int first = 20 + 3; // Height in pixels of the process row and of the space above the stack.
        QCOMPARE(picture.at(first + 1, 2900), app);
        QCOMPARE(picture.at(first + 17 + 14, 150), app);
        QCOMPARE(picture.at(first + 34 + 8, 1480), libc);
        QCOMPARE(picture.at(first + 34 + 15, 2000), libc); // A call of 1 ns, alone in a pixel of 4 ns: a quarter of the height.
        QCOMPARE(picture.at(first + 34 + 8, 1700), picture.theme().color("surface.timeline"));
        QCOMPARE(picture.at(10, 1700), picture.theme().color("surface.group"));
    }

    void threadsStatesAreAThinStripBelowTheirStack()
    {
        const Picture picture;
        const int strip = 20 + 3 + 4 * 17 + 2;
        QCOMPARE(picture.at(strip + 4, 200), picture.theme().color("thread.running-user"));
        QCOMPARE(picture.at(strip + 6, 200), picture.theme().color("surface.timeline")); // The strip with the states is 5 pixels high.
    }

    void endsThatWereNotSeenLookOtherwise()
    {
        const Picture picture;
        const QColor app = picture.theme().category(moduleColors(*MadeCalls::make())->categoryOf("app"));
        const int y = 20 + 3 + 3 * 17 + 17 + 12 + 3 + 8; // y of the middle of the second thread's row.
        QCOMPARE(picture.at(y, 200), app); // "cut" has its module's colour, except for its last 14 pixels.
        bool isHatched = false;
        for (int ns = 348; ns < 400; ns += 4)
            isHatched |= picture.at(y, ns) != app;
        QVERIFY(isHatched); // The last 14 pixels of "cut" are hatched.
        QCOMPARE(picture.at(y, 3800), app); // "loop" fades over its last 30 pixels.
        QVERIFY(picture.at(y, 3980).lightness() < picture.at(y, 3900).lightness());
        QVERIFY(picture.at(y, 3900).lightness() < app.lightness());
    }

    void aStackCanBeCollapsedToSomeDepths()
    {
        Shown s;
        const TrackRef second = s.depth("calls:100/2");
        QVERIFY(!s.menuLines(second).contains("Show all depths"));
        s.choose(second, "Hide depths below");
        QCOMPARE(s.graph().rows().count(), 5);
        QCOMPARE(s.graph().rows()[2].hiddenDepths, 2);
        QCOMPARE(s.graph().rows()[2].line.track, s.depth("calls:100/3"));
        QCOMPARE(s.graph().rows()[1].hiddenDepths, 0);
        QCOMPARE(s.graph().rows()[3].drawnAs, RowShape::Strip);

        const QRect row(0, s.graph().rows().top(2), s.area.axis().labelWidth(), s.graph().rows().metrics(2).height);
        QTest::mouseClick(&s.graph(), Qt::LeftButton, {}, hiddenDepthsChip(row).center());
        QCOMPARE(s.graph().rows().count(), 7);
    }

    void whatWasCollapsedIsKept()
    {
        Shown s;
        s.choose(s.depth("calls:100/2"), "Hide depths below");
        const QJsonObject kept = s.panel()->save();
        Shown other;
        other.panel()->restore(kept);
        QCOMPARE(other.graph().rows().count(), 5);
        other.window().setRow(other.depth("calls:100/3")); // Going to a call in a hidden depth shows this depth.
        QCOMPARE(other.graph().rows().count(), 6);
    }

    void aFunctionCanBeHiddenAndShownAgain()
    {
        Shown s;
        s.click(2, 2500); // Selects the call of render().
        const QColor app = theme().category(moduleColors(*MadeCalls::make())->categoryOf("app"));
        QTRY_COMPARE(s.colorAt(2, 2500), app);
        s.choose(s.depth("calls:100/2"), "Hide render");
        QTRY_VERIFY(s.colorAt(2, 2500) != app);
        QCOMPARE(s.panel()->header()->subtitle(), QString("2 threads, filtered"));
        Shown other;
        other.panel()->restore(s.panel()->save());
        QCOMPARE(other.panel()->header()->subtitle(), QString("2 threads, filtered"));
        QMenu menu;
        s.panel()->fillMenu(menu);
        QAction* const hidden = lineOf(menu, "Without render");
        QVERIFY(hidden && hidden->isChecked());
        hidden->trigger();
        QTRY_COMPARE(s.colorAt(2, 2500), app);
        QCOMPARE(s.panel()->header()->subtitle(), QString("2 threads"));
    }

    void aHiddenCallIsNeitherOutlinedNorListed()
    {
        Shown s;
        s.click(2, 2500); // Selects the call of render().
        QTRY_VERIFY(s.graph().selectedState());
        s.choose(s.depth("calls:100/2"), "Hide render");
        QTRY_VERIFY(s.graph().isIdle() && !s.graph().selectedState());
        FrameChoice frames;
        frames.hiddenFunctions = {"read"};
        const CallsByRow calls = callsAt(*s.timeline, {s.depth("calls:100/2"), s.depth("calls:100/3")}, at(1450), frames);
        QCOMPARE(calls.size(), std::size_t(1));
        QCOMPARE(calls.begin()->second.function, QString("render"));
    }

    void theLegendHasNoModulesWhereColoursAreThoseOfFunctions()
    {
        Shown s;
        const auto has = [&s](const QString& name) {
            return std::ranges::count(s.panel()->header()->legend(), name, &LegendChip::text) > 0;
        };
        QTRY_VERIFY(has("app"));
        QMenu menu;
        s.panel()->fillMenu(menu);
        lineOf(menu, "Colour by function")->trigger();
        QVERIFY(!has("app") && !has("libc.so.6") && !s.panel()->header()->legend().empty()); // Legend entries of states remain.
    }

    void aRightClickOnAThreadsNameIsAboutTheThread()
    {
        Shown s;
        QSignalSpy menus(&s.area, &TimeArea::contextMenuRequested);
        QTest::mouseClick(&s.graph(), Qt::RightButton, {}, {30, s.graph().rows().top(1) + 8});
        QCOMPARE(menus.takeLast()[1].value<TrackRef>(), s.graph().rows()[5].ref); // The menu is for the row with the thread's states.
        QTest::mouseClick(&s.graph(), Qt::RightButton, {}, {30, s.graph().rows().top(2) + 8});
        QCOMPARE(menus.takeLast()[1].value<TrackRef>(), s.depth("calls:100/2"));
    }

    void aJumpToACallShowsAllOfItsStack()
    {
        Shown s;
        s.graph().resize(s.graph().width(), 90);
        const auto* scroll = s.graph().findChild<QScrollBar*>();
        const GraphRows& rows = s.graph().rows();
        s.window().setRow(s.depth("calls:555/1"));
        QVERIFY(scroll->value() > rows.top(1)); // The stack of thread 100 is partly above the visible part.
        s.window().setRow(s.depth("calls:100/1"));
        QVERIFY(scroll->value() <= rows.top(1));
        // The whole stack of thread 100, including the strip with its states, is in the visible 90 pixels.
        QVERIFY(scroll->value() + 90 >= rows.top(6));
    }

    void theLegendNamesModulesAndAClickShowsOneAlone()
    {
        Shown s;
        s.click(2, 2500); // Selects the call of render().
        s.window().setSelection({});
        const QColor app = theme().category(moduleColors(*MadeCalls::make())->categoryOf("app"));
        QTRY_VERIFY(s.panel()->header()->legend().size() > 2
                    && s.panel()->header()->legend()[0].text == "app"); // Modules come first in the legend, then states.
        QCOMPARE(s.panel()->header()->legend()[0].look.color, app);
        QCOMPARE(s.panel()->header()->legend()[1].text, QString("libc.so.6"));
        emit s.panel()->header()->chipClicked("libc.so.6");
        QTRY_COMPARE(s.colorAt(2, 2500), theme().color("line.subtle"));
        emit s.panel()->header()->chipClicked("libc.so.6");
        QTRY_COMPARE(s.colorAt(2, 2500), app);
    }

    void itsMenuLeadsToTheDurationsOfItsFunction()
    {
        Shown s;
        s.click(2, 2500); // Selects the call of render().
        QSignalSpy shown(&s.context, &ViewContext::viewRequested);
        s.choose(s.depth("calls:100/2"), "Show durations of render");
        QCOMPARE(shown.takeFirst().front().toString(), QString("durations"));
        s.window().setCursor(at(3500)); // No call is open at this time.
        QVERIFY(s.menuLines(s.depth("calls:100/2")).filter("Show durations of").isEmpty());
    }

    void othersFadeWhenAFunctionHasTheFocus()
    {
        Shown s;
        s.click(2, 2500); // Selects the call of render().
        const QColor app = theme().category(moduleColors(*MadeCalls::make())->categoryOf("app"));
        s.choose(s.depth("calls:100/2"), "Focus on render");
        s.window().setSelection({});
        QTRY_COMPARE(s.colorAt(1, 2500), theme().color("line.subtle")); // The call of main() is faded.
        QCOMPARE(s.colorAt(2, 2500), app);
        QCOMPARE(s.panel()->header()->subtitle(), QString("2 threads, filtered"));
    }

    void theLabelColumnHasTheCallsAtTheCursor()
    {
        const auto timeline = MadeCalls::make();
        const TrackRef read = depthOf(*timeline, "calls:100/3"), write = depthOf(*timeline, "calls:100/4"),
                       loop = depthOf(*timeline, "calls:555/1");
        const CallsByRow calls = callsAt(*timeline, {read, write, loop}, at(1450));
        // The calls read() and loop() are open at 1450 ns. The call write() has returned, so its row has no entry.
        QCOMPARE(calls.size(), std::size_t(2));
        QCOMPARE(calls.at(read).function, QString("read"));
        QCOMPARE(calls.at(read).duration, durationText(Duration(200)));
        QCOMPARE(calls.at(loop).function, QString("loop"));
        QCOMPARE(calls.at(loop).duration, QString("open"));
    }

    void aTooltipHasTheCallsFunctionSelfTimeAndModule()
    {
        const auto tip = tipAt("calls:100/2", between(1250, 1260));
        QVERIFY(tip);
        QCOMPARE(tip->title, QString("render"));
        QCOMPARE(tip->duration, durationText(Duration(1600)));
        const std::vector<std::pair<QString, QString>> facts{{"Self", durationText(Duration(1399))}, {"Module", "app"}};
        QCOMPARE(tip->facts, facts);
        QVERIFY(tip->cause.isEmpty());
    }

    void aTooltipSaysHowACallEnds()
    {
        QCOMPARE(tipAt("calls:555/1", between(200, 210))->cause, QString("Called; exit not recorded"));
        QCOMPARE(tipAt("calls:555/1", between(600, 610))->cause, QString("Called; still running at the end of the trace"));
        QVERIFY(!tipAt("calls:555/1", between(450, 460)));
    }

    void aTooltipOfAPixelNamesItsOnlyCallOrTheLongestOfMany()
    {
        QCOMPARE(tipAt("calls:100/3", between(1990, 2010))->title, QString("read"));
        QCOMPARE(tipAt("calls:100/3", between(1990, 2010))->duration, durationText(Duration(1)));
        const auto tip = tipAt("calls:100/2", between(900, 1300));
        QCOMPARE(tip->title, QString("2 calls"));
        QCOMPARE(tip->facts.back().second, QString("render, ") + durationText(Duration(1600)));
    }

private:
    static std::optional<TipContent> tipAt(const std::string& key, TimeRange pixel)
    {
        const auto timeline = MadeCalls::make();
        TipRequest question{timeline, depthOf(*timeline, key), "row", pixel.begin, {}, {}, {}, 6, theme(), pixel};
        return tipFor(question);
    }
};

HELIO_TEST(CallStacksTest)
#include "tst_call_stacks.moc"
