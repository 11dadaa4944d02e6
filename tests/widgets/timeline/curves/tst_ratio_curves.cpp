// Ratios of counters in a curves panel: adding, drawing, saving and undoing them.

#include "tests/core/query/counted_script.h"
#include "tests/support/made_counters.h"
#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/curves/ratio_tip.h"
#include "widgets/timeline/panels/curves_panel.h"
#include "widgets/timeline/panels/ratio_dialog.h"
#include "widgets/timeline/panels/time_area.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>

#include <array>

using namespace helio;
using namespace helio::test;

namespace {

Timestamp at(std::int64_t ns) { return Timestamp(Duration(ns)); }

void addTotal(StoreBuilder& builder, int cpu, const char* title, TrackId track,
              const std::vector<std::pair<std::int64_t, std::int64_t>>& points)
{
    const std::string id = "cpu:" + std::to_string(cpu) + '/' + title;
    const auto series = *builder.counters().addSeries(
        {.view = "load", .id = id, .title = title, .kind = CounterSeries::Kind::Accumulating, .track = track});
    for (const auto& [time, value] : points)
        builder.counters().addInteger(series, hostTime(time), value);
}

/// Adds counters. CPU 0: 2 instructions per cycle until 1000, no cycle until 2000, half an instruction per cycle until 4000. CPU 1:
/// cycles only.
void fillCpus(StoreBuilder& builder)
{
    std::array<TrackId, 2> cpus{};
    for (int i = 0; i < 2; ++i) {
        Track track;
        track.key = "cpu:" + std::to_string(i);
        track.label = "CPU " + std::to_string(i);
        track.cpu = i;
        track.sortKey = i;
        cpus[std::size_t(i)] = builder.addTrack(track);
    }
    addTotal(builder, 0, "cycles", cpus[0], {{0, 0}, {1000, 1'000'000}, {2000, 1'000'000}, {4000, 5'000'000}});
    addTotal(builder, 0, "instructions", cpus[0], {{0, 0}, {1000, 2'000'000}, {2000, 2'000'000}, {4000, 4'000'000}});
    addTotal(builder, 0, "cache misses", cpus[0], {{0, 0}, {4000, 400}});
    addTotal(builder, 1, "cycles", cpus[1], {{0, 0}, {4000, 8'000'000}});
}

struct Shown {
    explicit Shown(const std::shared_ptr<const Timeline>& timeline = withCounters(fillCpus))
        : area(context)
    {
        area.resize(1100, 900);
        area.show();
        context.setTimeline(timeline);
        panel = qobject_cast<CurvesPanel*>(area.panel("load"));
        graph = panel->graph();
    }
    QStringList names() const
    {
        QStringList names;
        for (const NamedSeries& it : graph->series())
            names << it.name;
        return names;
    }
    void settle()
    {
        (void)graph->grab(); // Painting requests outdated curves.
        QTRY_VERIFY(graph->isIdle());
        picture = graph->grab().toImage();
    }
    void add(const char* formula) { panel->addRatio(*CounterFormula::parse(formula)); }
    int x(std::int64_t ns) { return area.axis().labelWidth() + int(area.axis().scale(graph->width()).xAt(at(ns))); }
    /// y of the topmost pixel of the colour in the column of a time; -1 if there is none.
    int topOf(const QColor& color, std::int64_t ns)
    {
        for (int y = 0; y < picture.height(); ++y)
            if (picture.pixelColor(x(ns), y) == color)
                return y;
        return -1;
    }

    ViewContext context;
    TimeArea area;
    CurvesPanel* panel = nullptr;
    CurveGraph* graph = nullptr;
    QImage picture;
};

QStringList linesOf(const QMenu& menu)
{
    QStringList lines;
    for (const QAction* action : menu.actions())
        if (action->text().contains("ratio"))
            lines << action->text();
    return lines;
}

void choose(const QMenu& menu, const QString& text)
{
    for (QAction* action : menu.actions())
        if (action->text() == text)
            return action->trigger();
    QFAIL(qPrintable(text));
}

/// The dialog for ratios, on the counters of fillCpus(), and its widgets.
struct Asked {
    explicit Asked(std::vector<std::string> taken = {})
        : dialog(series(), std::move(taken))
    {
        dialog.show();
        edit->setFocus();
    }
    static std::vector<ViewSeries> series()
    {
        const auto timeline = withCounters(fillCpus);
        return viewSeries(*timeline, "load");
    }
    void type(const QString& text)
    {
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    QString words() const { return dialog.findChildren<QLabel*>()[1]->text(); }
    QAbstractItemView* popup() const { return dialog.findChild<QCompleter*>()->popup(); }

    RatioDialog dialog;
    QLineEdit* edit = dialog.findChild<QLineEdit*>();
    QPushButton* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
};

const QStringList Recorded{"cycles, CPU 0", "instructions", "cache misses", "cycles, CPU 1"};

} // namespace

class RatioCurvesTest : public QObject {
    Q_OBJECT

private slots:
    void theDialogProposesTheUsualRatio()
    {
        Asked asked;
        QCOMPARE(asked.edit->text(), "instructions / cycles");
        QCOMPARE(asked.edit->selectedText(), asked.edit->text()); // The proposed text is selected, so that typing replaces it.
        QCOMPARE(asked.dialog.formula()->text(), "instructions / cycles");
        QVERIFY(asked.ok->isEnabled());
        QCOMPARE(asked.words(), "1 curve"); // Only CPU 0 has instructions.
        QCOMPARE(Asked({"instructions / cycles"}).edit->text(), "cycles / instructions");
    }

    void whatIsWrongIsSaidWhileItIsWritten_data()
    {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("said");
        test::addRow("nothing", "", "column 1: expected a value");
        test::addRow("half", "cycles /", "column 9: expected a value");
        test::addRow("no counter", "2 / 3", "the formula names no counter");
        test::addRow("a counter", "cycles", "this is a single counter, which is already drawn");
        test::addRow("unknown", "cycles / x", "no single counter is named \"x\"; there are: cache misses, cycles, instructions");
        test::addRow("there already", " cycles / instructions ", "this ratio already exists");
    }
    void whatIsWrongIsSaidWhileItIsWritten()
    {
        QFETCH(QString, written);
        QFETCH(QString, said);
        Asked asked({"cycles / instructions"});
        asked.type(written.isEmpty() ? "x" : written);
        if (written.isEmpty())
            QTest::keyClick(asked.edit, Qt::Key_Backspace);
        QCOMPARE(asked.words(), said);
        QVERIFY(!asked.ok->isEnabled() && !asked.dialog.formula());
        QTest::keyClick(asked.edit, Qt::Key_Return);
        QVERIFY(asked.dialog.isVisible()); // The dialog stays open until the formula is valid.
        asked.type("2 * cycles");
        QCOMPARE(asked.words(), "2 curves");
        QTest::keyClick(asked.edit, Qt::Key_Return);
        QVERIFY(!asked.dialog.isVisible());
        QCOMPARE(asked.dialog.result(), int(QDialog::Accepted));
    }

    void countersOfDifferentRowsMakeNothing()
    {
        std::vector<ViewSeries> two(2);
        two[0].title = "a";
        two[1].title = "b";
        two[1].ref.store = StoreIndex(1);
        RatioDialog dialog(two, {});
        dialog.findChild<QLineEdit*>()->setText("a / b");
        QVERIFY(!dialog.formula());
        QCOMPARE(dialog.findChildren<QLabel*>()[1]->text(), "nothing here has all of these counters");
    }

    void namesAreCompletedInQuotesWhereTheyNeedThem()
    {
        Asked asked;
        asked.type("instructions / mis");
        QTRY_VERIFY(asked.popup()->isVisible());
        QTest::keyClick(asked.popup(), Qt::Key_Down);
        QTest::keyClick(asked.popup(), Qt::Key_Return);
        QCOMPARE(asked.edit->text(), "instructions / \"cache misses\"");
        QVERIFY(asked.ok->isEnabled());
        asked.type("\"cache mi");
        QTRY_VERIFY(asked.popup()->isVisible());
        QTest::keyClick(asked.popup(), Qt::Key_Down);
        QTest::keyClick(asked.popup(), Qt::Key_Return);
        QCOMPARE(asked.edit->text(), "\"cache misses\"");
        asked.type("cycles");
        QVERIFY(!asked.popup()->isVisible()); // The list of completions is closed, because the name is complete.
    }

    void theMenuAsksAndItsCurveComesFirst()
    {
        Shown s;
        QTRY_COMPARE(s.names(), Recorded);
        s.panel->setCollapsed(true);
        QMenu menu;
        s.panel->fillMenu(menu);
        QCOMPARE(linesOf(menu), QStringList{"Add ratio…"});
        choose(menu, "Add ratio…");
        auto* dialog = s.panel->findChild<RatioDialog*>();
        QVERIFY(dialog);
        QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
        QTRY_COMPARE(s.names(), QStringList{"instructions / cycles"} + Recorded);
        QVERIFY(!s.panel->isCollapsed());
        QCOMPARE(s.panel->header()->subtitle(), "4 counters, 1 ratio");
        QCOMPARE(s.graph->series()[1].color, curveColor(theme(), 0)); // Other curves keep their colours.
        s.add("instructions / cycles"); // A formula is not added twice.
        s.add("1000 * cycles");
        QTRY_COMPARE(s.names(), (QStringList{"instructions / cycles", "1000 * cycles, CPU 0", "1000 * cycles, CPU 1"} + Recorded));
        QCOMPARE(s.panel->header()->subtitle(), "4 counters, 3 ratios");
    }

    void aRightClickInThePanelOffersTheSame()
    {
        Shown s;
        QTRY_COMPARE(s.names(), Recorded);
        s.add("instructions / cycles");
        s.settle();
        const auto offered = [&] {
            QMenu menu;
            s.area.addPanelActions(menu);
            return linesOf(menu);
        };
        QVERIFY(offered().isEmpty());
        QTest::mouseClick(s.graph, Qt::RightButton, {}, QPoint(s.x(2000), 20));
        QCOMPARE(offered(), (QStringList{"Add ratio…", "Remove ratio instructions / cycles"}));
        QTest::mouseClick(s.area.panel("control-flow")->body(), Qt::RightButton, {}, QPoint(s.x(2000), 20));
        QVERIFY(offered().isEmpty());
    }

    void itsCurveIsWhatWasCountedByWhatWasCounted()
    {
        Shown s;
        s.add("instructions / cycles");
        QTRY_COMPARE(int(s.graph->series().size()), 5);
        for (const int other : {1, 2, 3, 4})
            s.graph->setShown(other, false);
        s.settle();
        QCOMPARE(s.graph->values(), (ValueScale{0, 2})); // The ratio has its own scale.
        const QColor color = s.graph->series()[0].color;
        QCOMPARE(s.topOf(color, 500), int(s.graph->yOf(2)));
        QCOMPARE(s.topOf(color, 3000), int(s.graph->yOf(0.5)));
        QCOMPARE(s.topOf(color, 1500), -1); // No cycles were counted at 1500, so there is no ratio and nothing is drawn.
    }

    void besideCountersItHasAScaleOfItsOwn()
    {
        Shown s;
        s.add("instructions / cycles");
        QTRY_COMPARE(int(s.graph->series().size()), 5);
        s.settle();
        const QColor color = s.graph->series()[0].color;
        QCOMPARE(s.graph->values(), (ValueScale{0, 1}));
        // The ratio is 2. It is drawn at the top of the area, because its own scale ends at 2; the common scale ends at 1 at the same
        // height.
        QCOMPARE(s.topOf(color, 500), int(s.graph->yOf(1)));
        QCOMPARE(s.topOf(color, 3000), int(s.graph->yOf(0.25)));
        s.panel->removeRatio("instructions / cycles");
        QTRY_COMPARE(s.names(), Recorded);
        s.settle();
        QVERIFY(s.graph->values().high > 1e12); // Without the ratio, the recorded counters share one scale, up to more than 1e12.
    }

    void itsTipSaysBothSums()
    {
        const auto timeline = withCounters(fillCpus);
        const std::vector formulas{*CounterFormula::parse("instructions / cycles")};
        const NamedSeries ratio = namedSeries(*timeline, "load", theme(), formulas).front();
        const CurveData known = fetchCurve(*timeline, ratio, {at(0), at(4000)}, Duration(500));
        const auto tip = [&](std::int64_t ns) { return ratioTip(ratio, *known.ratio, at(ns), {}, 9); };
        QCOMPARE(tip(600)->title, "instructions / cycles");
        QCOMPARE(tip(600)->duration, "2");
        QCOMPARE(tip(3000)->duration, "0.5");
        // With a resolution of 500 ns, the point at 2000 takes the column up to 2500. The sums at 3000 therefore only cover 2500 to 4000.
        QCOMPARE(tip(3000)->parts,
                 (std::vector<std::pair<QString, QString>>{{"instructions", shortValue(1'500'000)}, {"cycles", shortValue(3'000'000)}}));
        QVERIFY(!tip(1600));
        QVERIFY(!tip(4500));
    }

    /// Input: on CPU 0, thread 7 runs, executes a system call, and runs again. Then the CPU is idle, runs thread 9, and is idle again.
    /// Property: the tooltip shows the ratio in the selected range, in total and for each state.
    void itsTipSaysWhatItIsInTheSelectedRange()
    {
        const Timeline timeline = twoThreads().timeline();
        const std::vector formulas{*CounterFormula::parse("instructions / cycles")};
        const NamedSeries ratio = namedSeries(timeline, "counters-cpu", theme(), formulas).front();
        const auto said = [&](std::int64_t begin, std::int64_t end) {
            TipContent tip;
            addRange(tip, timeline, ratio, {timestamp(begin), timestamp(end)}, theme());
            QStringList lines;
            for (const auto& [look, words] : tip.states)
                lines << look.words + ": " + words;
            lines.sort();
            for (const auto& [name, words] : tip.facts)
                lines.prepend(name + ": " + words);
            return lines.join("; ").replace(QChar(0x2009), ' ');
        };
        QCOMPARE(said(-1'000'000, 1'000'000),
                 "Selected: 1.16 in 600.000 µs; Idle: 0.4 in 200.000 µs; Running in user space: 2 in 100.000 µs; "
                 "Running: 1.22 in 200.000 µs; System call: 0.25 in 100.000 µs");
        QCOMPARE(said(50'000, 150'000), "Selected: 1.22 in 100.000 µs; Running: 2 in 50.000 µs; System call: 0.25 in 50.000 µs");
        QCOMPARE(said(700'000, 800'000), "Selected: unknown");
        // Timeline in which the threads on the CPUs are unknown, so the tip has no ratio by state.
        const auto other = withCounters(fillCpus);
        const NamedSeries plain = namedSeries(*other, "load", theme(), formulas).front();
        TipContent tip;
        addRange(tip, *other, plain, {at(500), at(3000)}, theme());
        QCOMPARE(tip.facts.front().second.left(6), "0.8 in");
        QVERIFY(tip.states.empty());
        addRange(tip, *other, plain, {at(1200), at(1900)}, theme());
        QCOMPARE(tip.facts.back().second.left(8), "no value");
    }

    void aMenuTakesItBack()
    {
        Shown s;
        s.add("instructions / cycles");
        s.add("1000 * cycles");
        QTRY_COMPARE(int(s.graph->series().size()), 7);
        QMenu menu;
        s.panel->fillMenu(menu);
        QCOMPARE(linesOf(menu), (QStringList{"Add ratio…", "Remove ratio instructions / cycles", "Remove ratio 1000 * cycles"}));
        choose(menu, "Remove ratio instructions / cycles");
        QTRY_COMPARE(s.names(), (QStringList{"1000 * cycles, CPU 0", "1000 * cycles, CPU 1"} + Recorded));
    }

    void sessionsKeepRatiosAndWhichAreHidden()
    {
        QJsonObject kept;
        {
            Shown s;
            s.add("instructions / cycles");
            s.add("1000 * cycles");
            QTRY_COMPARE(int(s.graph->series().size()), 7);
            s.graph->setShown(1, false);
            QCOMPARE(s.panel->header()->subtitle(), "4 counters, 2 of 3 ratios");
            kept = s.area.save();
        }
        QCOMPARE(kept["load"].toObject()["ratios"].toArray(), (QJsonArray{"instructions / cycles", "1000 * cycles"}));
        Shown s;
        s.area.restore(kept);
        QTRY_COMPARE(int(s.graph->series().size()), 7);
        QCOMPARE(s.names()[1], "1000 * cycles, CPU 0");
        QVERIFY(s.graph->isShown(0) && !s.graph->isShown(1) && s.graph->isShown(2));
        QCOMPARE(s.area.save(), kept);
        s.area.restore({{"load", QJsonObject()}});
        QTRY_COMPARE(s.names(), Recorded);
    }

    void whateverAFileSaysIsRead()
    {
        Shown s;
        QTRY_COMPARE(s.names(), Recorded);
        QJsonArray ratios{5, "a /", "cycles", "2 * cycles", "2 * cycles", "other / recording"};
        s.area.restore({{"load", QJsonObject{{"ratios", ratios}}}});
        QTRY_COMPARE(s.names(), (QStringList{"2 * cycles, CPU 0", "2 * cycles, CPU 1"} + Recorded));
        // Only the two valid formulas are kept. The formula "other / recording" has no counters here, but another recording may have them.
        QCOMPARE(s.panel->ratios().size(), std::size_t(2));
        for (int i = 0; i < 5000; ++i)
            ratios.append(QString("cycles * %1").arg(i));
        s.area.restore({{"load", QJsonObject{{"ratios", ratios}}}});
        QVERIFY(s.panel->ratios().size() <= 64);
    }

    void ratiosStayWhenTheTimelineIsAnother()
    {
        Shown s;
        s.add("instructions / cycles");
        QTRY_COMPARE(int(s.graph->series().size()), 5);
        s.context.setTimeline({});
        QVERIFY(s.graph->series().empty());
        s.context.setTimeline(withCounters(fillCpus));
        QTRY_COMPARE(s.names(), QStringList{"instructions / cycles"} + Recorded);
    }
};

HELIO_TEST(RatioCurvesTest)
#include "tst_ratio_curves.moc"
