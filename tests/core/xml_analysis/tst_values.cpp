#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

namespace {

/// Returns the value that `stateValue` gets at an event "e" with `fields`, at time 1 on CPU 3, for example "int 5"; empty for null.
/// Diagnostics of the run are appended.
QString found(const std::string& stateValue, const Fields& fields = {}, const std::string& definitions = {})
{
    KernelScript s;
    s.event(1, 3, "e", fields).event(2, 0, "end");
    const DeclaredRun run(provider(definitions + on("e", set("r", stateValue))), s);
    QString is = QString::fromStdString(run.problems() + run.attribute("r"));
    if (is.endsWith(" 1-2"))
        is.chop(4);
    return is + QString::fromStdString(run.complaints());
}

/// Returns the expected message if no attribute was set because no event has the field `name`.
QString noField(const char* name)
{
    return QString("line 1, column 43: no attribute was set, and none of the 1 events of this eventHandler has a field %1 x1\n").arg(name);
}

const std::string Group = element("mappingGroup", R"(id="g")",
                                  element("entry", {}, integer(1) + text("one")) + element("entry", {}, longer(2) + text("two"))
                                      + element("entry", {}, null() + text("nothing")) + element("entry", {}, text("a") + longer(5))
                                      + element("entry", {}, text("e") + integer(6)) + element("entry", {}, longer(2) + text("never")));

struct Somewhere : KernelScript {
    Somewhere()
    {
        m_info.hostname = "box";
        m_info.clock.uuid = "u-1";
    }
};

} // namespace

class ValuesTest : public QObject {
    Q_OBJECT

private slots:
    void values_data()
    {
        QTest::addColumn<QString>("is");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QString& is, const QString& expected) { QTest::newRow(name) << is << expected; };

        row("int", found(integer(5)), "int 5");
        row("negative int", found(integer(-5)), "int -5");
        row("plus", found(value("int", "+5")), "int 5");
        row("hex", found(value("int", "0xff")), "int 255");
        row("long", found(longer(4242424242)), "long 4242424242");
        row("least long", found(value("long", "-0x8000000000000000")), "long -9223372036854775808");
        row("string", found(text("oh! hello!")), "string oh! hello!");
        row("null", found(null()), "");
        row("delete", found(value("delete")), "");
        row("eventName", found(value("eventName")), "string e");

        // Values of event fields.
        row("long field", found(field("x"), {{"x", -7}}), "long -7");
        row("text field", found(field("x"), {{"x", "ab"}}), "string ab");
        row("float field", found(field("x"), {{"x", 2.5}}), "double 2.5");
        row("no such field", found(field("y"), {{"x", 1}}), noField("y"));
        row("names of fields have their case", found(field("X"), {{"x", 1}}), noField("X"));
        row("cpu", found(field("cpu")), "int 3");
        row("CPU", found(field("CPU")), "int 3");
        row("a field called cpu", found(field("cpu"), {{"cpu", 9}}), "long 9");
        row("timestamp", found(field("timestamp")), "long 1");
        row("Timestamp", found(field("Timestamp")), "long 1");
        row("a field called timestamp", found(field("timestamp"), {{"timestamp", "noon"}}), "string noon");
        row("event type", found(field("Event type")), "string e");
        row("context", found(field("context._vpid"), {{"$vpid", 8}}), "long 8");
        row("context without its underscore", found(field("context.vpid"), {{"$vpid", 8}}), "long 8");
        row("context by its bare name", found(field("vpid"), {{"$vpid", 8}}), "long 8");
        row("a field before a context", found(field("vpid"), {{"$vpid", 8}, {"vpid", 9}}), "long 9");
        row("a text context", found(field("context._procname"), {{"$procname", "sh"}}), "string sh");
        row("tid of the event", found(field("tid"), {{"$vtid", 8}}), "long 8");
        row("TID of nobody", found(field("TID")), "");

        const auto to = [](const char* type) { return std::string("forcedType=\"") + type + "\""; };
        row("int to long", found(integer(5, to("long"))), "long 5");
        row("int to string", found(integer(-5, to("string"))), "string -5");
        row("int to double", found(integer(5, to("double"))), "double 5.0");
        row("long to int", found(field("x", to("int")), {{"x", 7}}), "int 7");
        row("long to int wraps", found(field("x", to("int")), {{"x", 4294967301}}), "int 5");
        row("long to string", found(field("x", to("string")), {{"x", 7}}), "string 7");
        row("double to int", found(field("x", to("int")), {{"x", 2.9}}), "int 2");
        row("double to int, below 0", found(field("x", to("int")), {{"x", -2.9}}), "int -2");
        row("large double to int", found(field("x", to("int")), {{"x", 1e300}}), "int 2147483647");
        row("large double to long", found(field("x", to("long")), {{"x", -1e300}}), "long -9223372036854775808");
        row("no number to long", found(field("x", to("long")), {{"x", std::numeric_limits<double>::quiet_NaN()}}), "long 0");
        row("double to string", found(field("x", to("string")), {{"x", 1.0}}), "string 1.0");
        row("large double to string", found(field("x", to("string")), {{"x", 1e10}}), "string 1.0E10");
        row("small double to string", found(field("x", to("string")), {{"x", 0.00025}}), "string 2.5E-4");
        row("text to int", found(text("12", to("int"))), "int 12");
        row("text to long", found(text("-4242424242", to("long"))), "long -4242424242");
        row("text to double", found(text("1e3", to("double"))), "double 1000.0");
        row("text to string", found(text("12", to("string"))), "string 12");
        row("null to anything", found(null(to("int"))), "");
        row("missing to anything", found(field("y", to("string"))), noField("y"));

        // Values that are mapped, then converted to a type
        const std::string mapped = R"(mappingGroup="g")";
        row("mapped int", found(integer(1, mapped), {}, Group), "string one");
        row("a long is no int", found(longer(1, mapped), {}, Group), "");
        row("the first entry counts", found(field("x", mapped), {{"x", 2}}, Group), "string two");
        row("mapped null", found(field("y", mapped), {}, Group), "string nothing");
        row("mapped text", found(field("x", mapped), {{"x", "a"}}, Group), "long 5");
        row("no entry", found(text("b", mapped), {}, Group), "");
        row("mapped and turned", found(text("a", mapped + " " + to("string")), {}, Group), "string 5");
        row("not turned and mapped", found(text("1", mapped + " " + to("int")), {}, Group), "");
        row("mapped event name", found(value("eventName", {}, mapped), {}, Group), "int 6");
        row("entries are of the event",
            found(text("ab", R"(mappingGroup="h")"), {{"x", "ab"}, {"y", 4}},
                  element("mappingGroup", R"(id="h")", element("entry", {}, field("x") + field("y")))),
            "long 4");
        row("mapped by a group and another",
            found(text("ab", R"(mappingGroup="h")"), {},
                  Group + element("mappingGroup", R"(id="h")", element("entry", {}, text("ab") + integer(1, mapped)))),
            "string one");

        const std::string five = R"(<definedValue name="n" value="5"/><definedValue name="f" value="x"/>)";
        row("defined int", found(value("int", "$n"), {}, five), "int 5");
        row("defined text", found(text("$n"), {}, five), "string 5");
        row("defined field", found(field("$f"), {{"x", 1}}, five), "long 1");
        row("only where it begins with it", found(text("a$n"), {}, five), "string a$n");
        row("only as a whole", found(text("$no"), {}, five), "string $no");
    }
    void values()
    {
        QFETCH(QString, is);
        QFETCH(QString, expected);
        QCOMPARE(is, expected);
    }

    void textThatIsNoNumberIsNullAndSaidSo_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("type");
        test::addRow("word", "hello", "int");
        test::addRow("nothing", "", "long");
        test::addRow("blank", " 1", "int");
        test::addRow("behind it", "1x", "long");
        test::addRow("too large for an int", "4242424242", "int");
        test::addRow("point", "1.5", "long");
        test::addRow("word for a double", "one", "double");
    }
    void textThatIsNoNumberIsNullAndSaidSo()
    {
        QFETCH(QString, text);
        QFETCH(QString, type);
        const QString is = found(xml_text::text(text.toStdString(), "forcedType=\"" + type.toStdString() + "\""));
        QVERIFY2(is.startsWith("line 1, column ")
                     && is.endsWith(": a text is not a number and cannot be converted to one: it counts as null x1\n"),
                 qPrintable(is));
    }

    void theHostIsThatOfItsClock()
    {
        Somewhere s;
        s.event(1, 0, "e").event(2, 0, "end");
        QCOMPARE(DeclaredRun(provider(on("e", set("a", field("hostID")) + set("b", field("hostid")))), s).tree(),
                 "a: string u-1 1-2\nb: string u-1 1-2\n");
    }

    void anEventIsOfTheThreadThatRunsOnItsCpu()
    {
        KernelScript s;
        s.event(5, 0, "e").sw(10, 0, 1, 0, 42).sw(20, 1, 2, 0, 43).event(30, 0, "e").event(40, 1, "e").sw(50, 0, 42, 0, 44);
        s.event(60, 0, "e").event(70, 2, "e").event(80, 0, "end");
        const DeclaredRun run(provider(on("e", set("{cpu}", field("TID"))) + on("sched_switch", set("switch", field("tid")))), s);
        QCOMPARE(run.attribute("0"), "int 42 30-60, int 44 60-80");
        QCOMPARE(run.attribute("1"), "int 43 40-80");
        QCOMPARE(run.attribute("2"), "");
        // A switch event itself belongs to the thread that leaves the CPU.
        QCOMPARE(run.attribute("switch"), "int 42 50-80");
    }

    void queriesAreOfNow()
    {
        KernelScript s;
        s.event(10, 0, "e", {{"k", "a"}, {"v", 1}}).event(20, 0, "e", {{"k", "b"}, {"v", 2}}).event(30, 0, "copy", {{"k", "b"}});
        s.event(40, 0, "copy", {{"k", "c"}}).event(50, 0, "end");
        const DeclaredRun run(provider(on("e", set("m/{k}", field("v"))) + on("copy", set("r", query("m/{k}")))), s);
        QCOMPARE(run.tree(), "m\nm/a: long 1 10-50\nm/b: long 2 20-50\nm/c\nr: long 2 30-40\n");
    }
};

HELIO_TEST(ValuesTest)

#include "tst_values.moc"
