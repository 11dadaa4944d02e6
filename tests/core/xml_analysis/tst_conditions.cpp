#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

namespace {

/// Returns the result of the condition (1 or 0) at an event of type "e" with these fields at time 1000 on CPU 3; another value if the file
/// has problems.
int holds(const std::string& condition, const Fields& fields = {}, const std::string& before = {})
{
    KernelScript s;
    s.event(1000, 3, "e", fields).event(2000, 0, "end");
    const DeclaredRun run(provider(on("e", before + setIf(condition, "r", integer(1), integer(0)))), s);
    const std::string is = run.problems() + run.complaints() + run.attribute("r");
    return is == "int 1 1000-2000" ? 1 : is == "int 0 1000-2000" ? 0 : -1;
}

const std::string Yes = is(integer(1) + integer(1));
const std::string No = is(integer(1) + integer(2));
std::string both(const std::string& parts) { return element("and", {}, parts); }
std::string any(const std::string& parts) { return element("or", {}, parts); }
std::string isNot(const std::string& part) { return element("not", {}, part); }
std::string timeRange(const std::string& how, const std::string& begin, const std::string& end, const std::string& unit = {})
{
    return element(
        "condition", {},
        element("timerange", unit.empty() ? "" : "unit=\"" + unit + "\"", element(how, "begin=\"" + begin + "\" end=\"" + end + "\"")));
}
std::string elapsed(const std::string& how, const std::string& since, const std::string& length, const std::string& unit = "ns")
{
    return element("condition", {},
                   element("elapsedTime", "unit=\"" + unit + "\"", element(how, "since=\"" + since + "\" value=\"" + length + "\"")));
}

} // namespace

class ConditionsTest : public QObject {
    Q_OBJECT

private slots:
    void comparisons_data()
    {
        QTest::addColumn<int>("order"); // Expected order of the left side relative to the right side: -1 less, 0 equal, 1 greater.
        QTest::addColumn<QString>("sides");
        const Fields fields{{"long", 10}, {"double", 10.0}, {"text", "10"}, {"wide", 4294967306}, {"part", 10.9}};
        const auto row = [](const char* name, int order, const std::string& sides) {
            QTest::newRow(name) << order << QString::fromStdString(sides);
        };
        row("ints", -1, integer(9) + integer(10));
        row("equal ints", 0, integer(-4) + integer(-4));
        row("longs", 1, longer(4242424242) + longer(-4242424242));
        row("int and long", 0, integer(10) + longer(10));
        row("long and int", 0, longer(10) + integer(10));
        row("int and long, as ints", 0, integer(10) + field("wide"));
        row("long and int, as longs", 1, field("wide") + integer(10));
        row("int and double, as ints", 0, integer(10) + field("part"));
        row("long and double, as longs", 0, field("long") + field("part"));
        row("int and large double", -1, integer(10) + text("1e300", R"(forcedType="double")"));
        row("double and int, as texts", 1, field("double") + integer(10)); // The values are compared as texts, and "10.0" comes after "10".
        row("doubles, as texts", -1, field("double") + text("9.5", R"(forcedType="double")"));
        row("equal doubles", 0, field("double") + text("1e1", R"(forcedType="double")"));
        row("texts", -1, text("ab") + text("b"));
        row("texts have their case", -1, text("B") + text("a"));
        row("text and its beginning", 1, text("abc") + text("ab"));
        row("equal texts", 0, text("ab") + text("ab"));
        row("text and int, as texts", -1, field("text") + integer(9));
        row("int and text, as texts", -1, integer(10) + text("9"));
        row("long and text", 0, field("long") + text("10"));
        row("text and long", 0, field("text") + field("long"));
        row("nulls", 0, null() + null());
        row("null and its text", 0, null() + text("null"));
        row("text null and null", 0, text("null") + field("none"));
        row("null and int", 1, null() + integer(5)); // The values are compared as the texts "null" and "5".
        row("int and null", -1, integer(5) + null());
        row("event name", 0, value("eventName") + text("e"));
        row("forced", 0, field("text", R"(forcedType="int")") + integer(10));
        row("field element", 0, ofField("long") + integer(10));
        row("field element of a text", -1, ofField("text") + text("2"));
        row("field element cpu", 0, ofField("cpu") + integer(3));
        row("field element that is not there", 0, ofField("none") + null());
        row("path", 0, path("known/{long}") + text("k"));
        row("path to nothing", 0, path("unknown/{long}") + null());
        row("path nowhere", 0, path("unknown/{none}") + null());
        row("query on the right", 0, text("k") + query("known/10"));
    }
    void comparisons()
    {
        QFETCH(int, order);
        QFETCH(QString, sides);
        const Fields fields{{"long", 10}, {"double", 10.0}, {"text", "10"}, {"wide", 4294967306}, {"part", 10.9}};
        const std::string before = set("known/{long}", text("k"));
        const auto holdsWith = [&](const char* operation) { return holds(is(sides.toStdString(), operation), fields, before); };
        QCOMPARE(holdsWith(""), int(order == 0));
        QCOMPARE(holdsWith("eq"), int(order == 0));
        QCOMPARE(holdsWith("ne"), int(order != 0));
        QCOMPARE(holdsWith("lt"), int(order < 0));
        QCOMPARE(holdsWith("le"), int(order <= 0));
        QCOMPARE(holdsWith("gt"), int(order > 0));
        QCOMPARE(holdsWith("ge"), int(order >= 0));
        QCOMPARE(holds(isNot(is(sides.toStdString())), fields, before), int(order != 0));
    }

    void combinations_data()
    {
        QTest::addColumn<bool>("isSo");
        QTest::addColumn<QString>("condition");
        const auto row = [](const char* name, bool isSo, const std::string& condition) {
            QTest::newRow(name) << isSo << QString::fromStdString(condition);
        };
        row("not", false, isNot(Yes));
        row("not not", true, isNot(isNot(Yes)));
        row("and of one", true, both(Yes));
        row("and of two", false, both(Yes + No));
        row("and of three", false, both(Yes + Yes + No));
        row("and, all", true, both(Yes + Yes + Yes));
        row("or of one", false, any(No));
        row("or of three", true, any(No + No + Yes));
        row("or, none", false, any(No + No));
        row("and of or and not", true, both(any(No + Yes) + isNot(No)));
        row("or of and and not", false, any(both(Yes + No) + isNot(Yes)));
        row("not of and", true, isNot(both(Yes + No)));
        row("deep", true, isNot(any(isNot(both(Yes + any(No + Yes))) + isNot(isNot(No)))));
    }
    void combinations()
    {
        QFETCH(bool, isSo);
        QFETCH(QString, condition);
        QCOMPARE(holds(condition.toStdString()), int(isSo));
    }

    void timeRangesIncludeBothEnds_data()
    {
        QTest::addColumn<bool>("isSo"); // Expected result at 1000 ns.
        QTest::addColumn<QString>("condition");
        const auto row = [](const char* name, bool isSo, const std::string& condition) {
            QTest::newRow(name) << isSo << QString::fromStdString(condition);
        };
        row("in", true, timeRange("in", "0", "2000"));
        row("at its begin", true, timeRange("in", "1000", "2000"));
        row("at its end", true, timeRange("in", "0", "1000"));
        row("before it", false, timeRange("in", "1001", "2000"));
        row("behind it", false, timeRange("in", "0", "999"));
        row("out, at its begin", false, timeRange("out", "1000", "2000"));
        row("out, behind it", true, timeRange("out", "0", "999"));
        row("us", true, timeRange("in", "1", "1", "us"));
        row("ms", false, timeRange("in", "1", "2", "ms"));
        row("out of s", true, timeRange("out", "1", "2", "s"));
        row("ends in its begin", false, timeRange("in", "2000", "0"));
        row("huge", true, timeRange("in", "-9223372036854775808", "9223372036854775807", "s"));
    }
    void timeRangesIncludeBothEnds()
    {
        QFETCH(bool, isSo);
        QFETCH(QString, condition);
        QCOMPARE(holds(condition.toStdString()), int(isSo));
    }

    void elapsedTimeCountsFromWhenAStateWasEntered_data()
    {
        QTest::addColumn<QString>("condition");
        QTest::addColumn<QString>("when"); // Expected times, out of 1003, 1004, 1005 and 1006, at which the condition is true.
        const auto row = [](const char* name, const std::string& condition, const char* when) {
            QTest::newRow(name) << QString::fromStdString(condition) << when;
        };
        row("less", elapsed("less", "open", "4"), "1003 ");
        row("equal", elapsed("equal", "open", "4"), "1004 ");
        row("more", elapsed("more", "open", "4"), "1005 1006 ");
        row("in us", elapsed("less", "open", "1", "us"), "1003 1004 1005 1006 ");
        row("of the begin", elapsed("equal", "idle", "1003"), "1003 ");
        row("never entered", elapsed("more", "done", "0"), "");
        row("never entered, not less", isNot(elapsed("less", "done", "4")), "1003 1004 1005 1006 ");
        row("no such state", elapsed("more", "nowhere", "0"), "");
        row("huge", elapsed("less", "open", "9223372036854775807", "s"), "1003 1004 1005 1006 ");
    }
    /// The scenario enters the state at 1000. Each later time is tested by running the analysis once.
    void elapsedTimeCountsFromWhenAStateWasEntered()
    {
        QFETCH(QString, condition);
        QFETCH(QString, when);
        KernelScript s;
        s.event(0, 0, "other").event(1000, 0, "begin").event(1003, 0, "ask").event(1004, 0, "ask").event(1005, 0, "ask");
        s.event(1006, 0, "ask").event(2000, 0, "end");
        const DeclaredRun run(
            pattern(testIf("t", condition.toStdString()) + action("mark", set("times/{timestamp}", integer(1)))
                    + fsm("f",
                          state("idle", transition("begin", "open"))
                              + state("open", transition("ask", "open", R"(cond="t" action="mark")") + transition("close", "done"))
                              + final("done"))),
            s);
        QString found;
        for (const int time : {1003, 1004, 1005, 1006})
            if (run.attribute("times/" + std::to_string(time)) != "not there")
                found += QString::number(time) + " ";
        QCOMPARE(QString::fromStdString(run.problems()), QString());
        QCOMPARE(found, when);
    }

    void elapsedTimeBearsWhatIsWrittenWhereItLooks()
    {
        KernelScript s;
        s.event(10, 0, "begin").event(15, 0, "write").event(20, 0, "ask").event(30, 0, "end");
        const std::string write = set("~/state/open/startTime", value("long", "-9223372036854775808"));
        const DeclaredRun run(
            pattern(
                testIf("t", elapsed("more", "open", "5")) + action("write", write) + action("mark", set("asked", integer(1)))
                + fsm("f",
                      state("idle", transition("begin", "open"))
                          + state("open",
                                  transition("write", "open", R"(action="write")") + transition("ask", "done", R"(cond="t" action="mark")"))
                          + final("done"))),
            s);
        QCOMPARE(run.attribute("asked"), "int 1 20-30");
    }

    void whatConditionsNameIsMade()
    {
        KernelScript s;
        s.event(10, 0, "e").event(20, 0, "end");
        QCOMPARE(DeclaredRun(provider(on("e", setIf(is(path("a/b") + integer(1)), "r", integer(1)))), s).tree(), "a\na/b\n");
    }
};

HELIO_TEST(ConditionsTest)

#include "tst_conditions.moc"
