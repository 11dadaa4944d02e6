#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

namespace {

const std::string Push = R"(stack="push")";
const std::string Pop = R"(stack="pop")";
const std::string PopAll = R"(stack="popAll")";
const std::string Peek = R"(stack="peek")";

/// Returns handlers that push the field "v" and that pop.
std::string pushAndPop()
{
    return on("push", set("s", field("v", Push))) + on("pop", set("s", null(Pop))) + on("clear", set("s", null(PopAll)));
}

} // namespace

class ValueStacksTest : public QObject {
    Q_OBJECT

private slots:
    void valuesArePutOnEachOther()
    {
        KernelScript s;
        s.event(10, 0, "push", {{"v", "a"}}).event(20, 0, "push", {{"v", "b"}}).event(30, 0, "pop").event(40, 0, "push", {{"v", "c"}});
        s.event(50, 0, "pop").event(60, 0, "pop").event(70, 0, "pop").event(80, 0, "end");
        const DeclaredRun run(provider(pushAndPop()), s);
        QCOMPARE(run.tree(),
                 "s/1: string a 10-60\ns/2: string b 20-30, string c 40-50\ns: int 1 10-20, int 2 20-30, int 1 30-40, int 2 40-50, int 1 "
                 "50-60\n");
        QCOMPARE(run.complaints(), "");
    }

    void allIsTakenAtOnce()
    {
        KernelScript s;
        for (int i = 1; i <= 3; ++i)
            s.event(i * 10, 0, "push", {{"v", i}});
        s.event(40, 0, "clear").event(50, 0, "clear").event(60, 0, "push", {{"v", 9}}).event(70, 0, "end");
        const DeclaredRun run(provider(pushAndPop()), s);
        QCOMPARE(run.tree(),
                 "s/1: long 1 10-40, long 9 60-70\ns/2: long 2 20-40\ns/3: long 3 30-40\ns: int 1 10-20, int 2 20-30, int 3 30-40, int 1 "
                 "60-70\n");
        QCOMPARE(run.complaints(), "");
    }

    void nullsArePushedToo()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "pop").event(30, 0, "end");
        const DeclaredRun run(provider(on("e", set("s", field("none", Push)) + set("s", text("x", Push))) + pushAndPop()), s);
        QCOMPARE(run.tree(), "s/1\ns/2: string x 10-20\ns: int 2 10-20, int 1 20-30\n");
    }

    void whatIsBelowATakenValueBecomesNull()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "pop").event(30, 0, "end");
        const DeclaredRun run(provider(on("e", set("s", text("x", Push)) + set("s/1/a/b", integer(5))) + pushAndPop()), s);
        QCOMPARE(run.attribute("s/1/a/b"), "int 5 10-20");
    }

    void theTopIsSeen()
    {
        KernelScript s;
        s.event(5, 0, "look").event(10, 0, "push", {{"v", "a"}}).event(20, 0, "push", {{"v", "b"}}).event(30, 0, "look");
        s.event(40, 0, "pop").event(50, 0, "look").event(60, 0, "pop").event(70, 0, "look").event(80, 0, "end");
        // A peek ignores the type of the value.
        const DeclaredRun run(provider(pushAndPop() + on("look", set("top", value("int", {}, Peek, path("s"))))), s);
        QCOMPARE(run.problems(), "");
        QCOMPARE(run.attribute("top"), "string b 30-50, string a 50-70");
    }

    void theTopIsAddedAndReplaces()
    {
        KernelScript s;
        s.event(10, 0, "push", {{"v", 3}}).event(20, 0, "look").event(30, 0, "look").event(40, 0, "end");
        const DeclaredRun run(
            provider(pushAndPop()
                     + on("look",
                          set("sum", value("long", {}, Peek + R"( increment="true")", path("s"))) + set("last", field("timestamp"))
                              + set("last", value("long", {}, Peek + R"( update="true")", path("s"))))),
            s);
        QCOMPARE(run.problems(), "");
        QCOMPARE(run.attribute("sum"), "long 3 20-30, long 6 30-40");
        QVERIFY2(run.attribute("last").ends_with("long 3 20-30, long 3 30-40"), run.attribute("last").c_str());
        QCOMPARE(run.complaints(), "");
    }

    void theTopIsComparedAndMapped()
    {
        KernelScript s;
        s.event(10, 0, "push", {{"v", "a"}}).event(20, 0, "look").event(30, 0, "push", {{"v", "b"}}).event(40, 0, "look");
        s.event(50, 0, "end");
        const std::string group = element("mappingGroup", R"(id="g")", element("entry", {}, text("a") + integer(1)));
        const DeclaredRun run(provider(group + pushAndPop()
                                       + on("look",
                                            setIf(is(value("query", {}, Peek, path("s")) + text("b")), "isB", integer(1), integer(0))
                                                + set("mapped", value("query", {}, Peek + R"( mappingGroup="g")", path("s"))))),
                              s);
        QCOMPARE(run.attribute("isB"), "int 0 20-40, int 1 40-50");
        QCOMPARE(run.attribute("mapped"), "int 1 20-40");
    }

    void stacksBelowAttributesOfTheirOwn()
    {
        KernelScript s;
        s.event(10, 0, "in", {{"t", 1}}).event(20, 0, "in", {{"t", 2}}).event(30, 0, "in", {{"t", 1}}).event(40, 0, "out", {{"t", 1}});
        s.event(50, 0, "end");
        const DeclaredRun run(provider(on("in", set("{t}/S", field("timestamp", Push))) + on("out", set("{t}/S", null(Pop)))), s);
        QCOMPARE(run.tree(),
                 "1\n1/S/1: long 10 10-50\n1/S/2: long 30 30-40\n1/S: int 1 10-30, int 2 30-40, int 1 40-50\n2\n2/S/1: long 20 20-50\n2/S: "
                 "int 1 20-50\n");
    }

    void whatIsNoStackStaysAsItIs_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("use");
        QTest::addColumn<int>("complaints");
        const auto row = [](const char* name, const std::string& what, const std::string& use, int complaints) {
            QTest::newRow(name) << QString::fromStdString(what) << QString::fromStdString(use) << complaints;
        };
        row("push on a text", text("x"), text("y", Push), 1);
        row("push on a long", longer(1), text("y", Push), 1);
        row("push on an int below 0", integer(-5), text("y", Push), 1);
        row("push on the deepest", integer(100000), text("y", Push), 1);
        row("pop of a text", text("x"), null(Pop), 1);
        row("pop of what is not there", integer(7), null(Pop), 1);
        row("pop all of a text", text("x"), null(PopAll), 1);
        row("pop all of what is not there", integer(7), null(PopAll), 1);
    }
    void whatIsNoStackStaysAsItIs()
    {
        QFETCH(QString, what);
        QFETCH(QString, use);
        QFETCH(int, complaints);
        KernelScript s;
        s.event(10, 0, "a").event(20, 0, "b").event(30, 0, "a").event(40, 0, "end");
        const DeclaredRun before(provider(on("a", set("s", what.toStdString()))), s);
        const std::string was = before.attribute("s");
        const DeclaredRun run(provider(on("a", set("s", what.toStdString())) + "\n" + on("b", set("s", use.toStdString()))), s);
        QCOMPARE(run.attribute("s"), was);
        const QString said = QString::fromStdString(run.complaints());
        QVERIFY2(said.startsWith("line 2, column ")
                     && said.endsWith(QString("the attribute is not a stack, or the stack is full x%1\n").arg(complaints)),
                 qPrintable(said));
    }

    void theTopOfWhatIsNoStackIsNull()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "end");
        const DeclaredRun run(provider(on("e",
                                          set("a", text("x")) + set("b", integer(9)) + set("top", value("query", {}, Peek, path("a")))
                                              + set("top2", value("query", {}, Peek, path("b"))))),
                              s);
        QCOMPARE(run.tree(), "a: string x 10-20\nb: int 9 10-20\ntop\ntop2\n");
    }

    void deepStacksEnd()
    {
        KernelScript s;
        for (int i = 0; i < 1000; ++i)
            s.event(10 + i, 0, "push", {{"v", i}});
        for (int i = 0; i < 1001; ++i)
            s.event(2000 + i, 0, "pop");
        s.event(4000, 0, "end");
        const DeclaredRun run(provider(pushAndPop()), s);
        QCOMPARE(run.attribute("s/1000"), "long 999 1009-2000");
        QCOMPARE(run.attribute("s/1"), "long 0 10-2999");
        QVERIFY(run.attribute("s").ends_with("int 1 2998-2999"));
    }
};

HELIO_TEST(ValueStacksTest)

#include "tst_value_stacks.moc"
