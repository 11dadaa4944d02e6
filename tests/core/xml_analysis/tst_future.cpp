#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

namespace {

/// Returns a stateChange with a future time.
std::string later(const std::string& where, const std::string& what, const std::string& type, const std::string& text)
{
    return element("stateChange", {}, path(where) + what + element("futureTime", "type=\"" + type + "\" value=\"" + text + "\""));
}

} // namespace

class FutureTest : public QObject {
    Q_OBJECT

private slots:
    void changesHappenThen()
    {
        KernelScript s;
        s.event(10, 0, "e", {{"at", 15}, {"v", 1}}).event(20, 0, "e", {{"at", 25}, {"v", 2}}).event(30, 0, "other").event(40, 0, "end");
        const DeclaredRun run(provider(on("e", later("a", field("v"), "eventField", "at")) + on("other", set("b", query("a")))), s);
        QCOMPARE(run.tree(), "a: long 1 15-25, long 2 25-40\nb: long 2 30-40\n");
    }

    void whatComesFirstIsDoneFirst()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "x").event(50, 0, "end");
        const DeclaredRun run(provider(on("e",
                                          later("a", integer(3), "long", "40") + later("a", integer(2), "long", "30")
                                              + later("a", integer(4), "long", "40") + set("a", integer(1)))
                                       + on("x", set("a", integer(9)))),
                              s);
        QCOMPARE(run.attribute("a"), "int 1 10-20, int 9 20-30, int 2 30-40, int 4 40-50");
    }

    void atItsTimeItIsBeforeTheEvent()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "x").event(30, 0, "end");
        const DeclaredRun run(provider(on("e", later("a", integer(1), "int", "20")) + on("x", set("b", query("a")) + set("a", integer(2)))),
                              s);
        QCOMPARE(run.tree(), "a: int 2 20-30\nb: int 1 20-30\n");
    }

    void timesMayBeTexts_data()
    {
        QTest::addColumn<QString>("time");
        QTest::addColumn<QString>("is");
        test::addRow("number", "20", "int 1 20-40");
        test::addRow("double", "2.09e1", "int 1 20-40");
        test::addRow("now", "10", "int 1 10-40");
        test::addRow("no number", "soon", "int 1 10-40");
    }
    void timesMayBeTexts()
    {
        QFETCH(QString, time);
        QFETCH(QString, is);
        KernelScript s;
        s.event(10, 0, "e").event(30, 0, "x").event(40, 0, "end");
        const DeclaredRun run(provider(on("e", later("a", integer(1), "string", time.toStdString()))), s);
        QCOMPARE(QString::fromStdString(run.attribute("a")), is);
        QCOMPARE(run.complaints(), "");
    }

    void nullIsNow()
    {
        KernelScript s;
        s.event(10, 0, "e").event(40, 0, "end");
        QCOMPARE(DeclaredRun(provider(on("e", later("a", integer(1), "eventField", "none"))), s).attribute("a"), "int 1 10-40");
    }

    void thePastIsOver()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "e").event(40, 0, "end");
        const DeclaredRun run(provider("\n" + on("e", later("a", integer(1), "long", "10"))), s);
        QCOMPARE(run.tree(), "a\n");
        QVERIFY(run.complaints().starts_with("line 2, column ")
                && run.complaints().ends_with("the time of a scheduled change is already over: ignored x1\n"));
    }

    void whatIsAfterTheEndNeverHappens()
    {
        KernelScript s;
        s.event(10, 0, "e").event(40, 0, "end");
        const DeclaredRun run(provider(on("e",
                                          later("a", integer(1), "long", "41") + later("a", integer(2), "long", "9223372036854775807")
                                              + later("b", integer(3), "long", "35"))),
                              s);
        QCOMPARE(run.tree(), "a\nb: int 3 35-40\n");
    }

    void theValueIsThatOfNow()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "x").event(40, 0, "end");
        const DeclaredRun run(provider(on("e",
                                          set("n", integer(5)) + later("n", integer(2, R"(increment="true")"), "long", "30")
                                              + later("copy", query("n"), "long", "30"))
                                       + on("x", set("n", integer(100)))),
                              s);
        QCOMPARE(run.tree(), "copy: int 5 30-40\nn: int 5 10-20, int 100 20-30, int 7 30-40\n");
    }

    void updatesAreOfNow()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "x").event(40, 0, "end");
        const DeclaredRun run(provider(on("e", set("a", integer(1))) + on("x", later("a", integer(2, R"(update="true")"), "long", "30"))),
                              s);
        QCOMPARE(run.attribute("a"), "int 2 10-40");
    }

    void stacksChangeThen()
    {
        KernelScript s;
        s.event(10, 0, "e", {{"v", "a"}}).event(20, 0, "e", {{"v", "b"}}).event(30, 0, "x").event(50, 0, "x").event(60, 0, "end");
        const DeclaredRun run(
            provider(on("e", later("s", field("v", R"(stack="push")"), "long", "25") + later("s", null(R"(stack="pop")"), "long", "40"))),
            s);
        QCOMPARE(run.tree(), "s/1: string a 25-40\ns/2: string b 25-40\ns: int 2 25-40\n");
        QCOMPARE(run.complaints(), "");
    }

    void stacksOfThePastChangeNow()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "push").event(30, 0, "pop").event(40, 0, "end");
        const DeclaredRun run(provider(on("push", later("s", text("a", R"(stack="push")"), "long", "10"))
                                       + on("pop", later("s", null(R"(stack="popAll")"), "long", "10"))),
                              s);
        QCOMPARE(run.tree(), "s/1: string a 20-30\ns: int 1 20-30\n");
        QCOMPARE(run.complaints(), "");
    }

    void patternsChangeLaterToo()
    {
        KernelScript s;
        s.event(10, 0, "e").event(40, 0, "end");
        const DeclaredRun run(
            pattern(action("a", later("x", integer(1), "long", "20")) + fsm("f", state("s", transition("e", "s", R"(action="a")")))), s);
        QCOMPARE(run.attribute("x"), "int 1 20-40");
    }
};

HELIO_TEST(FutureTest)

#include "tst_future.moc"
