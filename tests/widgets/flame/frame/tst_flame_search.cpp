// Search in a flame graph: its results, their display, and the end of the search.

#include "tests/support/test_program.h"
#include "tests/widgets/flame/frame/made_content.h"
#include "widgets/flame/frame/flame_search.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

QString samplesFound(const SampleSum& sum, const FunctionMatcher&) { return QStringLiteral("%1 samples").arg(sum.samples); }

} // namespace

class FlameSearchTest : public QObject {
    Q_OBJECT

private slots:
    void functionsAreFoundAndThreadsAreNot()
    {
        SampledFunction function;
        function.name = "Initialise";
        function.code = CodeKind::User;
        QVERIFY(makeFunctionMatcher("initial")(function));
        QVERIFY(!makeFunctionMatcher("work")(function));
        function.code = CodeKind::Thread;
        QVERIFY(!makeFunctionMatcher("initial")(function));
    }

    void whatIsFoundIsSaidAndFollowsTheContent()
    {
        FlameView graph;
        FlameSearch search(graph, samplesFound);
        search.setText("wor");
        QCOMPARE(search.found(), QString()); // The result is empty, because there is no tree to search.

        graph.setContent(madeContent({"main;work 30", "main;rest;work 5", "main;rest 10"}));
        search.refresh();
        QCOMPARE(search.found(), "35 samples in 2 frames");
        search.setText("nothing like this");
        QCOMPARE(search.found(), "none");
        search.clear();
        QCOMPARE(search.found(), QString());
        QCOMPARE(graph.matchCount(), 0);
    }

    void escapeEndsItAndLeadsBackToTheGraph()
    {
        QWidget window;
        auto* graph = new FlameView(&window);
        FlameSearch search(*graph, samplesFound, &window);
        graph->setContent(madeContent({"main;work 30"}));
        window.show();
        QApplication::setActiveWindow(&window);
        search.setFocus();
        search.setText("work");
        QSignalSpy left(&search, &FlameSearch::left);

        QTest::keyClick(&search, Qt::Key_Escape);

        QCOMPARE(left.count(), 1);
        QCOMPARE(search.text(), QString());
        QCOMPARE(graph->matchCount(), 0);
        QTRY_VERIFY(graph->hasFocus());
        QTest::keyClick(&search, Qt::Key_A); // Other keys reach the field.
        QCOMPARE(search.text(), "a");
    }

    void whatItFoundStandsInsideOfItWhereItHoldsAll()
    {
        FlameView graph;
        FlameSearch search(graph, samplesFound);
        QVERIFY(!search.foundLabel()->parentWidget());
        search.placeInField();
        QCOMPARE(search.foundLabel()->parentWidget(), &search);
    }
};

HELIO_TEST(FlameSearchTest)
#include "tst_flame_search.moc"
