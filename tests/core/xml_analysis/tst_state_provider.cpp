#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

class StateProviderTest : public QObject {
    Q_OBJECT

private slots:
    void aFieldNamesAnAttributeAndAnotherIsItsValue()
    {
        KernelScript s;
        s.event(10, 0, "open", {{"fd", 3}, {"path", "a"}})
            .event(20, 1, "open", {{"fd", 4}, {"path", "b"}})
            .event(30, 0, "close", {{"fd", 3}});
        const DeclaredRun run(provider(R"(
            <location id="file"><stateAttribute type="constant" value="Files"/><stateAttribute type="eventField" value="fd"/></location>
            <eventHandler eventName="open">
              <stateChange>
                <stateAttribute type="location" value="file"/>
                <stateValue type="eventField" value="path"/>
              </stateChange>
              <stateChange>
                <stateAttribute type="constant" value="CPU"/>
                <stateValue type="eventField" value="cpu"/>
              </stateChange>
            </eventHandler>
            <eventHandler eventName="clo*">
              <stateChange>
                <stateAttribute type="location" value="file"/>
                <stateValue type="null"/>
              </stateChange>
            </eventHandler>)"),
                              s);
        QCOMPARE(run.problems(), "");
        QCOMPARE(run.tree(), "CPU: int 0 10-20, int 1 20-30\nFiles\nFiles/3: string a 10-30\nFiles/4: string b 20-30\n");
    }

    void namesFitWhole_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("events");
        test::addRow("plain", "io_read", "io_read");
        test::addRow("star", "io_*", "io_read io_write");
        test::addRow("star in the middle", "*_r*d", "io_read net_read");
        test::addRow("alternatives", "io_read|close", "close io_read");
        test::addRow("alternatives in parentheses", "(io|net)_read", "io_read net_read");
        test::addRow("expression", "io_(re|wri).e?", "io_write");
        test::addRow("class", "[in]+[oe]t?_read", "io_read net_read");
        test::addRow("dot is any letter", "io.read", "io_read");
        test::addRow("part", "read", "");
        test::addRow("capital", "IO_READ", "");
        test::addRow("nothing", "", "");
        test::addRow("all", "*", "close io_read io_write net_read");
        // The "*" stands for any text, also behind a dot. The pattern ".*" therefore needs at least one character.
        test::addRow("star behind a dot", "clos.*", "close");
        test::addRow("star behind a dot, nothing left", "close.*", "");
    }
    void namesFitWhole()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, events);
        KernelScript s;
        s.event(1, 0, "io_read").event(2, 0, "io_write").event(3, 0, "net_read").event(4, 0, "close").event(5, 0, "end_of_all");
        s.event(6, 0, "z");
        const DeclaredRun run(provider(on(pattern.toStdString(), set("!", integer(1))) + on("z", set("seen", integer(1)))), s, {}, 7);
        QString found;
        for (const QString& line : QString::fromStdString(run.tree()).split('\n', Qt::SkipEmptyParts))
            if (const QString name = line.section(':', 0, 0); name != "seen" && name != "end_of_all" && name != "z")
                found += (found.isEmpty() ? "" : " ") + name;
        QCOMPARE(found, events);
    }

    void aNameMayBeADefinedValue()
    {
        KernelScript s;
        s.event(1, 0, "io_read").event(2, 0, "close").event(3, 0, "$E").event(4, 0, "end");
        const std::string defined = element("definedValue", R"(name="E" value="io_*")");
        const DeclaredRun run(provider(defined + on("$E", set("!", integer(1)))), s);
        QCOMPARE(run.tree(), "io_read: int 1 1-4\n");
    }

    void handlersRunInTheirOrderAndSeeWhatWasWrittenBefore()
    {
        KernelScript s;
        s.event(10, 0, "e", {{"v", 7}}).event(20, 0, "e", {{"v", 8}});
        const DeclaredRun run(
            provider(on("e", set("a", field("v")) + set("b", query("a"))) + on("*", set("c", query("b")) + set("b", text("last")))), s, {},
            30);
        QCOMPARE(run.tree(), "a: long 7 10-20, long 8 20-30\nb: string last 10-20, string last 20-30\nc: long 7 10-20, long 8 20-30\n");
    }

    void theLastValueAtOneTimeCounts()
    {
        KernelScript s;
        s.event(10, 0, "e", {{"v", 1}}).event(20, 0, "e", {{"v", 2}}).event(20, 1, "e", {{"v", 3}}).event(30, 0, "e", {{"v", 3}});
        const DeclaredRun run(provider(on("e", set("a", field("v")))), s, {}, 40);
        QCOMPARE(run.attribute("a"), "long 1 10-20, long 3 20-40");
    }

    void aValueOfAnotherTypeIsAnotherValue()
    {
        KernelScript s;
        s.event(10, 0, "i").event(20, 0, "l").event(30, 0, "s").event(40, 0, "n").event(50, 0, "i").event(60, 0, "end");
        const DeclaredRun run(provider(on("i", set("a", integer(1))) + on("l", set("a", longer(1))) + on("s", set("a", text("1")))
                                       + on("n", set("a", null()))),
                              s);
        QCOMPARE(run.attribute("a"), "int 1 10-20, long 1 20-30, string 1 30-40, int 1 50-60");
    }

    void aPathWithANullLeadsNowhereButWhatIsBeforeItIsThere()
    {
        KernelScript s;
        s.event(10, 0, "e", {{"v", 1}}).event(20, 0, "end");
        const DeclaredRun run(provider(on("e", set("a/{none}/b", integer(1)) + set("c", query("d/{none}/e")) + set("f", integer(2)))), s);
        QCOMPARE(run.tree(), "a\nc\nd\nf: int 2 10-20\n");
        QCOMPARE(run.complaints(), "");
    }

    void aNullStepIsNoStep()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "end");
        const DeclaredRun run(
            provider(on("e", "<stateChange>" + path("a") + R"(<stateAttribute type="null"/>)" + path("b") + integer(1) + "</stateChange>")),
            s);
        QCOMPARE(run.tree(), "a\na/b: int 1 10-20\n");
    }

    void stepsAreNamedByFieldsEventsAndOtherAttributes()
    {
        KernelScript s;
        s.event(10, 0, "e", {{"n", 5}, {"d", 2.5}, {"s", "x/y"}}).event(20, 0, "end");
        const std::string byQuery = element("stateAttribute", R"(type="query")", path("name"));
        const DeclaredRun run(
            provider(on("e",
                        set("name", text("deep")) + set("{n}/{d}/!", integer(1)) + set("{s}", integer(2))
                            + element("stateChange", {}, path("q") + byQuery + integer(3)) + set("{cpu}/{timestamp}", integer(4)))),
            s);
        QCOMPARE(run.tree(),
                 "0\n0/10: int 4 10-20\n5\n5/2.5\n5/2.5/e: int 1 10-20\nname: string deep 10-20\nq\nq/deep: int 3 10-20\nx\\/y \"x/y\": "
                 "int 2 10-20\n");
    }

    void locationsStandInOneAnotherInAnyOrder()
    {
        KernelScript s;
        s.event(10, 0, "e", {{"n", 5}}).event(20, 0, "end");
        const std::string inner = element("location", R"(id="inner")", path("a/{n}"));
        const std::string outer = element("location", R"(id="outer")", path("top/@inner/b"));
        const std::string handler = on("e", set("@outer/c", integer(1)));
        for (const std::string& all : {inner + outer + handler, outer + inner + handler, outer + handler.substr(0, 0) + inner + handler})
            QCOMPARE(DeclaredRun(provider(all), s).tree(), "top\ntop/a\ntop/a/5\ntop/a/5/b\ntop/a/5/b/c: int 1 10-20\n");
    }

    void conditionsChooseWhatHappens()
    {
        KernelScript s;
        s.event(10, 0, "e", {{"v", 1}}).event(20, 0, "e", {{"v", 2}}).event(30, 0, "e", {{"v", 3}});
        const auto isV = [](int v) { return is(ofField("v") + integer(v)); };
        const std::string nested = element("stateChange", {},
                                           element("if", {}, isV(1)) + element("then", {}, path("n") + text("one"))
                                               + element("else", {},
                                                         element("if", {}, isV(2)) + element("then", {}, path("n") + text("two"))
                                                             + element("else", {}, path("m") + text("more"))));
        const DeclaredRun run(provider(on("e", setIf(isV(2), "t", integer(1)) + setIf(isV(2), "te", integer(1), integer(0)) + nested)), s,
                              {}, 40);
        QCOMPARE(
            run.tree(),
            "m: string more 30-40\nn: string one 10-20, string two 20-40\nt: int 1 20-40\nte: int 0 10-20, int 1 20-30, int 0 30-40\n");
    }

    void incrementsAddInTheirTypes()
    {
        KernelScript s;
        for (int i = 1; i <= 3; ++i)
            s.event(i * 10, 0, "e", {{"l", i}, {"d", i * 0.5}});
        const std::string more = R"(increment="true")";
        const DeclaredRun run(
            provider(on(
                "e", set("i", integer(2, more)) + set("l", field("l", more)) + set("d", field("d", more)) + set("once", text("x", more)))),
            s, {}, 40);
        QCOMPARE(run.tree(),
                 "d: double 0.5 10-20, double 1.5 20-30, double 3.0 30-40\ni: int 2 10-20, int 4 20-30, int 6 30-40\n"
                 "l: long 1 10-20, long 3 20-30, long 6 30-40\nonce: string x 10-40\n");
        QVERIFY(run.complaints().ends_with("the added value is not of the attribute's type: the attribute is unchanged x2\n"));
    }

    void incrementsWrapAroundAndNullClears()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "e").event(30, 0, "clear").event(40, 0, "e").event(50, 0, "end");
        const std::string more = R"(increment="true")";
        const DeclaredRun run(
            provider(on("e", set("i", value("int", "0x7fffffff", more)) + set("l", value("long", "9223372036854775807", more)))
                     + on("clear", set("i", null(more)) + set("l", field("none", more)))),
            s);
        QCOMPARE(run.tree(),
                 "i: int 2147483647 10-20, int -2 20-30, int 2147483647 40-50\nl: long 9223372036854775807 10-20, long -2 20-30, "
                 "long 9223372036854775807 40-50\n");
    }

    void anIncrementOfAnotherTypeChangesNothing()
    {
        KernelScript s;
        s.event(10, 0, "i").event(20, 0, "l").event(30, 0, "end");
        const DeclaredRun run(provider("\n" + on("i", set("a", integer(1))) + "\n" + on("l", set("a", longer(1, R"(increment="true")")))),
                              s);
        QCOMPARE(run.attribute("a"), "int 1 10-30");
        QVERIFY(run.complaints().starts_with("line 3, column ") && run.complaints().ends_with(" x1\n"));
    }

    void updatesReplaceWhatIsThereFromItsBegin()
    {
        KernelScript s;
        s.event(10, 0, "begin").event(20, 0, "end").event(30, 0, "begin").event(40, 0, "end").event(50, 0, "other").event(60, 0, "last");
        const std::string more = R"(update="true")";
        const DeclaredRun run(
            provider(on("begin", set("a", text("?"))) + on("end", set("a", text("known", more)) + set("a", null()))
                     + on("other", set("b", integer(5, more)) + set("c", integer(2, R"(increment="true" update="true")")))),
            s);
        QCOMPARE(run.attribute("a"), "string known 10-20, string known 30-40");
        // An attribute that never had a value is null from the start of the trace.
        QCOMPARE(run.attribute("b"), "int 5 10-60");
        QCOMPARE(run.attribute("c"), "int 2 10-60");
    }

    void deletingLeavesWhatIsBelow()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "d").event(30, 0, "end");
        const DeclaredRun run(provider(on("e", set("a", integer(1)) + set("a/b", integer(2))) + on("d", set("a", value("delete")))), s);
        QCOMPARE(run.tree(), "a/b: int 2 10-30\na: int 1 10-20\n");
    }

    void eachEventOfATypeHasItsOwnFields()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"a", 1}, {"b", "one"}}).event(20, 0, "y", {{"b", 2}, {"a", "two"}}).event(30, 0, "z", {{"c", 3}});
        s.event(40, 0, "end");
        const DeclaredRun run(provider(on("x|y|z", set("a", field("a")) + set("b", field("b")))), s);
        QCOMPARE(run.tree(), "a: long 1 10-20, string two 20-30\nb: string one 10-20, long 2 20-30\n");
    }
};

HELIO_TEST(StateProviderTest)

#include "tst_state_provider.moc"
