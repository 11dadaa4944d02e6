#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

namespace {

/// Returns a segment element. `name`: the attribute segName, or an element with the name.
std::string segment(const std::string& name, const std::string& content = {})
{
    const bool isElement = name.starts_with("<");
    return element("segment", {},
                   (isElement ? element("segType", {}, element("segName", {}, name)) : element("segType", "segName=\"" + name + "\""))
                       + content);
}
std::string timed(const std::string& content) { return element("segTime", {}, content); }
std::string time(const std::string& which, const std::string& type, const std::string& value)
{
    return element(which, "type=\"" + type + "\" value=\"" + value + "\"");
}
std::string contents(const std::string& fields) { return element("segContent", {}, fields); }
std::string holds(const std::string& name, const std::string& type, const std::string& value)
{
    return element("segField", "name=\"" + name + "\" type=\"" + type + "\"", value);
}
std::string holdsConstant(const std::string& name, const std::string& type, const std::string& value)
{
    return element("segField", "name=\"" + name + "\" type=\"" + type + "\" value=\"" + value + "\"");
}

/// Returns a pattern that makes a segment at each event "y" of a scenario that began at "x".
std::string whereMade(const std::string& content, const std::string& before = {})
{
    return pattern(
        action("make", content)
            + fsm("f", state("s", transition("x", "w")) + state("w", transition("y", "w", R"(action="make")")), R"(multiple="false")"),
        before);
}

/// Returns the segments that the pattern makes for an event "x" at 10 and an event "y" at 30. Only "y" has the fields.
QString made(const std::string& content, const Fields& fields = {}, const std::string& before = {})
{
    KernelScript s;
    s.event(5, 0, "other").event(10, 0, "x").event(30, 2, "y", fields).event(40, 0, "end");
    const DeclaredRun run(whereMade(content, before), s);
    return QString::fromStdString(run.problems() + run.complaints() + run.segments());
}

} // namespace

class DeclaredSegmentsTest : public QObject {
    Q_OBJECT

private slots:
    void names()
    {
        QCOMPARE(made(segment("call")), "call 10-30\n");
        QCOMPARE(made(segment("$n"), {}, R"(<definedValue name="n" value="defined"/>)"), "defined 10-30\n");
        QCOMPARE(made(segment(field("v")), {{"v", "read"}}), "read 10-30\n");
        QCOMPARE(made(segment(field("v")), {{"v", 7}}), "7 10-30\n");
        QCOMPARE(made(segment(field("v")), {{"v", 1.0}}), "1.0 10-30\n");
        QCOMPARE(made(segment(field("none"))), "null 10-30\n");
        QCOMPARE(made(segment(value("eventName"))), "y 10-30\n");
        QCOMPARE(made(segment(query("scenarios/f/0/state"))), "w 10-30\n");
        const std::string group = element("mappingGroup", R"(id="g")", element("entry", {}, longer(7) + text("seven")));
        QCOMPARE(made(segment(field("v", R"(mappingGroup="g")")), {{"v", 7}}, group), "seven 10-30\n");
        QCOMPARE(made(segment(field("v", R"(forcedType="int")")), {{"v", 4294967301}}), "5 10-30\n");
    }

    void times_data()
    {
        QTest::addColumn<QString>("is");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& content, const char* expected) {
            QTest::newRow(name) << made(segment("s", timed(content)),
                                        {{"at", 20},
                                         {"until", 25},
                                         {"long", 7},
                                         {"text", "22"},
                                         {"real", 23.9},
                                         {"least", std::numeric_limits<std::int64_t>::min()},
                                         {"most", std::numeric_limits<std::int64_t>::max()}})
                                << expected;
        };
        row("begin and end", time("begin", "eventField", "at") + time("end", "eventField", "until"), "s 20-25\n");
        row("begin and duration", time("begin", "eventField", "at") + time("duration", "eventField", "long"), "s 20-27\n");
        row("texts and doubles", time("begin", "eventField", "text") + time("end", "eventField", "real"), "s 22-23\n");
        row("a value within", element("begin", {}, field("at")) + element("end", {}, longer(21)), "s 20-21\n");
        row("constants", time("begin", "long", "3") + time("duration", "int", "4"), "s 3-7\n");
        row("no begin", time("begin", "eventField", "none") + time("end", "eventField", "until"), "s 10-25\n");
        row("no end", time("begin", "eventField", "at") + time("end", "eventField", "none"), "s 20-30\n");
        row("no duration", time("begin", "eventField", "at") + time("duration", "eventField", "none"), "s 20-30\n");
        row("end before the begin", time("begin", "eventField", "at") + time("end", "long", "19"), "s 20-30\n");
        row("end at the begin", time("begin", "eventField", "at") + time("end", "long", "20"), "s 20-20\n");
        row("duration below 0", time("begin", "eventField", "at") + time("duration", "long", "-1"), "s 20-30\n");
        row("duration too large", time("begin", "eventField", "at") + time("duration", "eventField", "most"), "s 20-30\n");
        row("after the event", time("begin", "eventField", "at") + time("end", "long", "50"), "s 20-50\n");
        row("duration least of all", time("begin", "eventField", "at") + time("duration", "eventField", "least"), "s 20-30\n");
    }
    void times()
    {
        QFETCH(QString, is);
        QFETCH(QString, expected);
        QCOMPARE(is, expected);
    }

    void aBeginAfterTheEventIsSaid()
    {
        const QString is = made(segment("s", timed(time("begin", "long", "35") + time("end", "long", "34"))));
        QVERIFY2(is.startsWith("line 1, column ") && is.endsWith("a segment would end before it begins: its duration is 0 x1\ns 35-35\n"),
                 qPrintable(is));
    }

    void textThatIsNoTimeIsNone()
    {
        const QString is = made(segment("s", timed(time("begin", "string", "soon") + time("end", "long", "25"))));
        QVERIFY2(is.contains("a text is not a number and cannot be converted to one: it counts as null x1\ns 10-25\n"), qPrintable(is));
    }

    void timesFarAwayDoNoHarm()
    {
        const QString is = made(segment("s", timed(time("begin", "eventField", "least") + time("end", "eventField", "most"))),
                                {{"least", std::numeric_limits<std::int64_t>::min()}, {"most", std::numeric_limits<std::int64_t>::max()}});
        QVERIFY2(is.startsWith("s -") && is.count('\n') == 1, qPrintable(is));
    }

    void fieldsAreTurnedIntoTheirTypes()
    {
        const Fields fields{{"n", 7}, {"t", "12"}, {"d", 2.5}, {"z", "a;b=c\\d"}};
        QCOMPARE(made(segment("s",
                              contents(holdsConstant("i", "int", "-3") + holdsConstant("l", "long", "0x10")
                                       + holdsConstant("d", "double", "0.5") + holdsConstant("t", "string", "x y")))),
                 "s 10-30 i=-3;l=16;d=0.5;t=x y\n");
        QCOMPARE(made(segment("s",
                              contents(holds("n", "long", field("n")) + holds("text", "string", field("n"))
                                       + holds("number", "int", field("t")) + holds("cut", "long", field("d"))
                                       + holds("cpu", "int", field("cpu")) + holds("state", "string", query("scenarios/f/0/state")))),
                      fields),
                 "s 10-30 n=7;text=7;number=12;cut=2;cpu=2;state=w\n");
        QCOMPARE(made(segment("s", contents(holds("a;=", "string", field("z")))), fields), "s 10-30 a\\;\\==a\\;b\\=c\\\\d\n");
    }

    void nullsAreLeftOut()
    {
        QCOMPARE(made(segment("s",
                              contents(holds("a", "int", field("none")) + holds("b", "null", field("n")) + holdsConstant("c", "null", "x")
                                       + holds("d", "string", {}) + holdsConstant("e", "int", "1"))),
                      {{"n", 7}}),
                 "s 10-30 e=1\n");
    }

    void whatAFieldsValueIsMappedByDoesNotCount()
    {
        const std::string group = element("mappingGroup", R"(id="g")", element("entry", {}, longer(7) + longer(8)));
        QCOMPARE(made(segment("s", contents(holds("a", "long", field("n", R"(mappingGroup="g" forcedType="string")")))), {{"n", 7}}, group),
                 "s 10-30 a=7\n");
    }

    void aSegmentOfTheFirstTransitionBeginsThere()
    {
        KernelScript s;
        s.event(5, 0, "other").event(10, 0, "x").event(20, 0, "x").event(30, 0, "end");
        const DeclaredRun run(
            pattern(action("make", segment("s")) + fsm("f", state("s", transition("x", "d", R"(action="make")")) + final("d"))), s);
        QCOMPARE(run.segments(), "s 10-10\ns 20-20\n");
    }

    void theyAreMadeInOrderOfTheirActions()
    {
        KernelScript s;
        s.event(10, 0, "x").event(30, 0, "y").event(40, 0, "end");
        const DeclaredRun run(
            pattern(action("make", segment("first") + set("n", integer(1)) + segment("second")) + action("more", segment("third"))
                    + fsm("f", state("s", transition("x", "w")) + state("w", transition("y", "d", R"(action="make:more")")) + final("d"))),
            s);
        QCOMPARE(run.segments(), "first 10-30\nsecond 10-30\nthird 10-30\n");
    }

    void whatDoesNotMatchMakesNone()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "end");
        const DeclaredRun run(
            pattern(action("make", segment("s"))
                    + fsm("f", state("s", transition("x", "w")) + state("w", transition("y", "d", R"(action="make")")) + final("d"))),
            s);
        QCOMPARE(run.segments(), "");
        QCOMPARE(run.store().segments().kinds().size(), std::size_t(1));
    }

    void theyAreCalledAsThePatternSays()
    {
        KernelScript s;
        s.event(10, 0, "x").event(30, 0, "y").event(40, 0, "end");
        const std::string handler = fsm("f", state("s", transition("x", "s")));
        const auto kindOf = [&](const std::string& head) {
            return DeclaredRun(pattern(handler, head), s).store().segments().kinds().front();
        };
        QCOMPARE(kindOf("").id, "p");
        QCOMPARE(kindOf("").title, "p");
        QCOMPARE(kindOf(R"(<head><label value="Waits"/></head>)").title, "Waits");
        QCOMPARE(kindOf(R"(<head><label value="Waits"/><viewLabelPrefix value="Wait"/></head>)").title, "Wait");
    }
};

HELIO_TEST(DeclaredSegmentsTest)

#include "tst_declared_segments.moc"
