#include "app/compare/compare_window.h"
#include "widgets/compare/why_slower_view.h"
#include "widgets/timegraph/time_graph.h"
#include "widgets/timegraph/time_panels.h"
#include "widgets/views/time_area.h"

#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

const QString sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");
const QString fixture = QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small");

struct Opened {
    QTemporaryDir cache;
    CompareWindow window;

    Opened()
    {
        ExperimentOptions options;
        options.storeDirectory = cache.path().toStdString();
        window.show();
        window.open({sample}, {sample}, options);
    }
    bool isReady()
    {
        return window.session(Side::A).state() == Session::State::Ready && window.session(Side::B).state() == Session::State::Ready;
    }
    const Ledger& ledger() const { return window.findChild<WhySlowerView*>()->ledger(); }
};

} // namespace

class CompareWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void twoSidesShareTimeAndTheirDifferenceAddsUp()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QTRY_VERIFY(!it.ledger().lines.empty());
        CompareContext& context = it.window.context();
        QVERIFY(!context.program().isEmpty());
        QCOMPARE(it.ledger().a, it.ledger().b); // The same trace on both sides.
        QCOMPARE(it.window.findChildren<TimeArea*>().size(), 2);

        const TimeRange full = context.a().time().full();
        context.a().time().setVisible({full.begin + full.duration() / 4, full.begin + full.duration() / 2});
        QCOMPARE(context.b().time().visible(), context.a().time().visible());
        context.link().setLinked(false);
        context.b().time().setVisible(full);
        QVERIFY(context.a().time().visible() != context.b().time().visible());
    }

    void theLedgerSpeaksOfTheSelectedRange()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        it.window.context().setProgram("mixwork");
        QTRY_VERIFY(it.ledger().a > Duration(1'000'000'000));
        const Timestamp begin = it.window.context().a().time().full().begin;
        // From 0.6 to 0.7 s after the start the program runs.
        it.window.context().a().time().setSelection({begin + Duration(600'000'000), begin + Duration(700'000'000)});
        QTRY_COMPARE(it.ledger().a, Duration(100'000'000));
        QCOMPARE(it.ledger().b, Duration(100'000'000));
    }

    void aChosenRowIsChosenOnTheOtherSide()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        CompareContext& context = it.window.context();
        const auto threads = rows(*context.b().timeline(), "control-flow");
        QVERIFY(threads.size() > 3);
        context.b().time().setRow(threads[2].ref);
        QCOMPARE(context.a().time().row(), threads[2].ref); // The same trace: the same track.
    }

    void sidesOfDifferentLengthAreClosedWhileAllIsShown()
    {
        QTemporaryDir cache;
        ExperimentOptions options;
        options.storeDirectory = cache.path().toStdString();
        auto window = std::make_unique<CompareWindow>();
        window->show();
        window->open({sample}, {fixture}, options);
        QTRY_COMPARE_WITH_TIMEOUT(window->session(Side::A).state(), Session::State::Ready, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(window->session(Side::B).state(), Session::State::Ready, 60'000);
        CompareContext& context = window->context();
        QTRY_COMPARE(context.a().time().cursor() - context.link().alignment().a, context.b().time().cursor() - context.link().alignment().b);
        QVERIFY(context.a().time().own().contains(context.a().time().cursor()));
        QVERIFY(context.a().time().own().duration() != context.b().time().own().duration());
        QCOMPARE(context.a().time().full().duration(), context.b().time().full().duration());
        window.reset(); // Both sides' time changes once more; nobody is there to be told.
    }

    void aSideThatCannotBeOpenedSaysSo()
    {
        CompareWindow window;
        window.show();
        window.open({sample}, {"/no/such/trace"}, {});
        QTRY_COMPARE(window.session(Side::B).state(), Session::State::Failed);
        QVERIFY(!window.session(Side::B).problem().isEmpty());
        QCOMPARE(window.findChild<WhySlowerView*>()->headline(), "B cannot be opened.");
    }
};

QTEST_MAIN(CompareWindowTest)
#include "tst_compare_window.moc"
