// The inspector of analyses: rules, errors and times.

#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/code/code_pane.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/inspector/inspector_view.h"
#include "widgets/docks/inspector/rule_rows.h"

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSplitter>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace helio;

namespace {

const QString Source = "<tmfxml>\n  <first/>\n  <second/>\n  <third/>\n</tmfxml>\n";

AnalysisEntry entryOf(const QString& id)
{
    return {.id = id,
            .label = "Analysis " + id,
            .origin = "yours",
            .path = "/tmp/" + id + ".xml",
            .source = Source,
            .attributes = id,
            .isOn = true};
}

/// An inspector with two analyses and synthetic rules.
struct Inspected {
    Inspected()
        : list(AnalysisList::of(context))
        , view(context)
    {
        list.setTrial([this](const Timeline&, const std::string& id, std::optional<std::size_t> rule, std::stop_token) {
            ++runs;
            auto trial = std::make_shared<AnalysisTrial>();
            trial->rules = {{2, "transition", "a -> b", 2500, 3, {}}, {4, "transition", "b -> c", 7, 0, {"fd"}}};
            if (id == "two")
                trial->rules[0].fired = 1;
            if (rule == std::optional<std::size_t>(0))
                trial->times = {timestamp(100), timestamp(200), timestamp(300)};
            return trial;
        });
        view.resize(1100, 300);
        view.show();
        context.setTimeline(MadeTimeline::make(3));
        context.time().setFull({timestamp(0), timestamp(4000)});
        list.set({entryOf("one"), entryOf("two")}, {});
    }
    CodePane& code() { return *view.findChild<CodePane*>(); }
    /// Returns the texts of the cells in a line of the file. `line`: line number, from 1.
    QStringList cells(int line)
    {
        QStringList texts;
        for (const CodeCell& cell : code().rows()[std::size_t(line - 1)].cells)
            texts << cell.text;
        return texts;
    }
    void click(int line) { emit code().chosen(line - 1); }
    bool says(const QString& text)
    {
        const auto labels = view.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* it) { return it->isVisible() && it->text().contains(text); });
    }
    QToolButton* button(const QString& name)
    {
        for (auto* it : view.findChildren<QToolButton*>())
            if (it->accessibleName() == name)
                return it;
        return nullptr;
    }

    std::atomic<int> runs = 0;
    ViewContext context;
    AnalysisList& list;
    InspectorView view;
};

} // namespace

class InspectorTest : public QObject {
    Q_OBJECT

private slots:
    void eachRuleHasItsCountsBesideItsLine()
    {
        Inspected it;
        QTRY_COMPARE(it.view.rules().size(), std::size_t(2));
        QCOMPARE(it.code().rows().size(), std::size_t(5));
        QCOMPARE(it.cells(1), QStringList());
        QCOMPARE(it.cells(2), QStringList({QStringLiteral("2\u2009500"), "3", ""}));
        QCOMPARE(it.cells(4), QStringList({"7", "never", "fd"}));
        QVERIFY(it.says("2 rules, 1 unmatched"));
    }

    void aRulesMomentsAreMarkedAndSteppedThrough()
    {
        Inspected it;
        QTRY_COMPARE(it.view.rules().size(), std::size_t(2));
        it.click(2);
        QTRY_VERIFY(it.context.moments() && it.context.moments()->size() == 3);
        QVERIFY(it.says("transition a -> b"));
        it.context.time().setCursor(timestamp(150));
        QToolButton* next = it.button("Next match");
        QTRY_VERIFY(next->isEnabled());
        next->click();
        QVERIFY(it.context.time().cursor() == timestamp(200));
        QVERIFY(it.says("2 of 3"));
        next->click();
        next->click();
        QVERIFY(it.context.time().cursor() == timestamp(300));
        it.button("Previous match")->click();
        QVERIFY(it.context.time().cursor() == timestamp(200));

        it.click(4); // The rule in line 4 never fired, so there are no times to mark.
        QVERIFY(!it.context.moments());
        QVERIFY(it.says("never"));
        it.click(2);
        QTRY_VERIFY(it.context.moments());
        it.button("Remove the marks from the time axis")->click();
        QVERIFY(!it.context.moments());
    }

    void anotherAnalysisIsRunAndItsMomentsGo()
    {
        Inspected it;
        QTRY_COMPARE(it.view.rules().size(), std::size_t(2));
        it.click(2);
        QTRY_VERIFY(it.context.moments());
        it.list.inspect("two");
        QVERIFY(!it.context.moments());
        QTRY_VERIFY(it.view.rules().size() == 2 && it.view.rules()[0].fired == 1);
        QCOMPARE(it.view.findChild<QComboBox*>()->currentText(), QString("Analysis two"));
    }

    /// Property: the first running analysis is shown at the beginning, not the first of the list; the user's choice stays.
    void itBeginsWithTheFirstThatRunsAndStaysWithWhatWasChosen()
    {
        Inspected it;
        const auto shown = [&] { return it.view.findChild<QComboBox*>()->currentData().toString(); };
        AnalysisEntry off = entryOf("one");
        off.isOn = false;
        AnalysisEntry foreign = entryOf("two");
        foreign.applies = false;
        foreign.reason = "it is for other traces";
        it.list.set({off, foreign, entryOf("three"), entryOf("four")}, {});
        QCOMPARE(shown(), QString("three"));
        it.list.set({entryOf("one"), foreign, entryOf("three"), entryOf("four")}, {});
        QCOMPARE(shown(), QString("three")); // The shown analysis stays, although an analysis before it in the list runs now.
        it.list.set({off, foreign}, {});
        QCOMPARE(shown(), QString("one")); // No analysis runs, so the first one that could run is shown.

        it.list.inspect("two");
        QCOMPARE(shown(), QString("two"));
        it.list.set({off, foreign, entryOf("three")}, {});
        QCOMPARE(shown(), QString("two"));
    }

    /// Input: an analysis with dozens of missing events. Property: all of them are listed and can be copied.
    void whyOneDoesNotRunIsThereAsAWhole()
    {
        Inspected it;
        QTRY_COMPARE(it.view.rules().size(), std::size_t(2));
        AnalysisEntry foreign = entryOf("two");
        foreign.applies = false;
        QStringList events;
        for (int i = 0; i < 60; ++i)
            events << QStringLiteral("syscall_entry_%1").arg(i);
        foreign.reason = "record them with lttng enable-event -k " + events.join(',');
        const int before = it.view.minimumSizeHint().height();
        it.list.set({entryOf("one"), foreign}, {});
        auto* reason = it.view.findChild<QPlainTextEdit*>();
        QVERIFY(!reason->isVisible());
        it.list.inspect("two");
        QVERIFY(reason->isVisible() && reason->isReadOnly());
        QCOMPARE(reason->toPlainText(), "Does not run here: " + foreign.reason);
        QVERIFY(it.says("Does not run here") && !it.says("Click a counted line"));
        QVERIFY(it.view.minimumSizeHint().height() <= before + 80); // The list scrolls; the dock does not grow.
        it.list.inspect("one");
        QVERIFY(!reason->isVisible());
        QVERIFY(it.says("Click a counted line"));
    }

    void aLineThatIsCutIsWholeInItsTip()
    {
        Inspected it;
        AnalysisEntry one = entryOf("one");
        const QString wide = "  <wide name=\"" + QString(300, 'x') + "\"/>";
        one.source = "<tmfxml>\n" + wide + "\n</tmfxml>\n";
        it.list.set({one}, {});
        QCOMPARE(it.code().tipOf(0), QString());
        QVERIFY2(it.code().tipOf(1).contains(wide.trimmed().toHtmlEscaped()), qPrintable(it.code().tipOf(1)));
        QCOMPARE(it.code().tipOf(-1), QString());
    }

    void whatWasChosenComesBackWithASession()
    {
        Inspected it;
        it.list.set({entryOf("one"), entryOf("two"), entryOf("three")}, {});
        QVERIFY(!it.view.save().contains("analysis")); // No analysis is saved, because the user has not chosen one.
        it.list.inspect("two");
        it.view.findChild<QSplitter*>()->setSizes({500, 600});
        emit it.view.findChild<QSplitter*>()->splitterMoved(500, 1);
        const QJsonObject kept = it.view.save();

        Inspected other;
        other.view.restore(kept);
        QCOMPARE(other.view.findChild<QComboBox*>()->currentData().toString(), QString("two"));
        const QList<int> sizes = other.view.findChild<QSplitter*>()->sizes();
        QVERIFY(std::abs(sizes[0] - 500) < 30);

        Inspected later; // Restores the choice before the traces are open, when the analysis may not exist yet.
        later.list.set({entryOf("one")}, {});
        later.view.restore({{"analysis", "late"}, {"code", "wide"}});
        QCOMPARE(later.view.findChild<QComboBox*>()->currentData().toString(), QString("one"));
        later.list.set({entryOf("one"), entryOf("late")}, {});
        QCOMPARE(later.view.findChild<QComboBox*>()->currentData().toString(), QString("late"));
    }

    void theSourceHasMostOfTheRoom()
    {
        Inspected it;
        for (const int width : {760, 1000, 1240, 1800}) {
            it.view.resize(width, 260);
            const QList<int> sizes = it.view.findChild<QSplitter*>()->sizes();
            QVERIFY2(sizes[0] >= width * 6 / 10 && sizes[1] >= 250, qPrintable(QString::number(width)));
        }
    }

    void itIsRunOnceForWhatIsOpenAndOnlyWhileItIsSeen()
    {
        Inspected it;
        QTRY_COMPARE(it.view.rules().size(), std::size_t(2));
        QCOMPARE(it.runs.load(), 1);
        it.context.setTimeline(MadeTimeline::make(3)); // Another timeline with the same content.
        QTest::qWait(50);
        QCOMPARE(it.runs.load(), 1);
        it.list.nextOpened();
        QTRY_COMPARE(it.runs.load(), 2);
        it.view.hide();
        it.list.nextOpened();
        QTest::qWait(50);
        QCOMPARE(it.runs.load(), 2);
        it.view.show();
        QTRY_COMPARE(it.runs.load(), 3);
    }

    void anErrorStandsAtItsLineInPlaceOfTheCounts()
    {
        Inspected it;
        QTRY_COMPARE(it.view.rules().size(), std::size_t(2));
        it.list.set({entryOf("one"), entryOf("two")}, {{"/tmp/one.xml", 3, "/tmp/one.xml:3:4: it is wrong", false}});
        QCOMPARE(it.cells(2), QStringList());
        QCOMPARE(it.cells(3), QStringList("error"));
        QVERIFY(it.says("/tmp/one.xml:3:4: it is wrong"));
        it.list.set({entryOf("one"), entryOf("two")}, {});
        QCOMPARE(it.cells(3), QStringList());
        QCOMPARE(it.cells(4), QStringList({"7", "never", "fd"}));
    }

    void itsPillsAskTheWindow()
    {
        Inspected it;
        QSignalSpy switched(&it.list, &AnalysisList::switchRequested);
        QSignalSpy edited(&it.list, &AnalysisList::editorRequested);
        for (auto* pill : it.view.findChildren<Pill*>())
            if (pill->text() == "Run" || pill->text() == "Open in editor")
                pill->click();
        QCOMPARE(switched.count(), 1);
        QCOMPARE(switched[0][1].toBool(), false);
        QCOMPARE(edited.count(), 1);
        QCOMPARE(edited[0][0].toString(), QString("/tmp/one.xml"));
    }

    void withoutAnyItSaysWhatToDo()
    {
        Inspected it;
        it.list.set({}, {});
        QVERIFY(it.says("No analysis to inspect"));
    }
};

HELIO_TEST(InspectorTest)

#include "tst_inspector.moc"
