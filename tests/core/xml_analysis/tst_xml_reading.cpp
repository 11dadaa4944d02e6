#include "core/xml_analysis/file.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/core/xml_analysis/xml_problems.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Returns a state provider with the given text in its third line.
QByteArray inProvider(const QByteArray& line)
{
    return "<tmfxml>\n<stateProvider id=\"p\" version=\"1\">\n" + line + "\n</stateProvider>\n</tmfxml>\n";
}
QByteArray inHandler(const QByteArray& content)
{
    return inProvider("<eventHandler eventName=\"e\"><stateChange>\n" + content + "\n</stateChange></eventHandler>");
}
QByteArray inPattern(const QByteArray& line)
{
    return "<tmfxml>\n<pattern id=\"p\" version=\"1\"><patternHandler>\n" + line + "\n</patternHandler></pattern></tmfxml>\n";
}
/// Returns a pattern that contains `line` and a valid state machine.
QByteArray inPatternToo(const QByteArray& line) { return inPattern(line + "\n<fsm id=\"f\"><state id=\"s\"/></fsm>"); }
QByteArray inFsm(const QByteArray& line) { return inPattern("<fsm id=\"f\">\n" + line + "\n</fsm>"); }

const QByteArray Path = R"(<stateAttribute type="constant" value="a"/>)";
const QByteArray Value = R"(<stateValue type="int" value="1"/>)";
const QByteArray Change = "<stateChange>" + Path + Value + "</stateChange>";

} // namespace

class XmlReadingTest : public QObject {
    Q_OBJECT

private slots:
    void whatTheLanguageHasIsTaken_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("provider") << inHandler(Path + Value);
        QTest::newRow("definitions between handlers")
            << inProvider("<eventHandler eventName=\"e\">" + Change + "</eventHandler><location id=\"l\">" + Path
                          + "</location><eventHandler eventName=\"e\">" + Change + "</eventHandler>");
        QTest::newRow("hex") << inHandler(Path + R"(<stateValue type="int" value="0x7f"/>)");
        QTest::newRow("least int") << inHandler(Path + R"(<stateValue type="int" value="-2147483648"/>)");
        QTest::newRow("least long") << inHandler(Path + R"(<stateValue type="long" value="-9223372036854775808"/>)");
        QTest::newRow("text without a value") << inHandler(Path + R"(<stateValue type="string"/>)");
        QTest::newRow("null step") << inHandler(R"(<stateAttribute type="null"/>)" + Path + Value);
        QTest::newRow("else") << inHandler("<if><condition>" + Value + Value + "</condition></if><then>" + Path + Value + "</then><else>"
                                           + Path + Value + "</else>");
        QTest::newRow("locations in any order")
            << inProvider("<location id=\"b\"><stateAttribute type=\"location\" value=\"a\"/></location><location id=\"a\">" + Path
                          + "</location><eventHandler eventName=\"e\"><stateChange><stateAttribute type=\"location\" value=\"b\"/>" + Value
                          + "</stateChange></eventHandler>");
        QTest::newRow("fsm of one state") << inFsm("<state id=\"s\"/>");
        QTest::newRow("all of a machine") << inPattern(
            R"(<test id="t"><if><condition><timerange unit="ms"><in begin="1" end="2"/></timerange>
</condition></if></test><test id="u"><if><not><condition><elapsedTime unit="s"><less since="s" value="1"/></elapsedTime></condition></not>
</if></test><action id="a"/><fsm id="f" multiple="false" consuming="0"><precondition event="x|y*" cond="t:u"/><initialState>
<transition target="s"/></initialState><state id="s"><onentry action="a"/><onexit action="a:a"/><transition event="x" cond="t"
 target="d" action="a:a" saveStoredFields="true" clearStoredFields="false"/></state><final id="d"/></fsm>)");
        QTest::newRow("segment") << inPatternToo(R"(<action id="a"><segment><segType segName="s"/><segTime><begin type="long" value="1"/>
<duration type="eventField" value="d"/></segTime><segContent><segField name="x" type="int" value="3"/><segField name="y" type="string">
<stateValue type="eventField" value="z"/></segField></segContent></segment><stateChange>)"
                                                 + Path + Value + "</stateChange></action>");
        QTest::newRow("comments and namespaces")
            << QByteArray("<?xml version=\"1.0\"?><!-- a --><tmfxml xmlns:x=\"urn:y\" x:at=\"z\"><!-- b --><xyView id=\"v\">"
                          "<head><analysis id=\"p\"/></head><entry path=\"*\"/></xyView></tmfxml>");
    }
    void whatTheLanguageHasIsTaken()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(problemsOf(text), QByteArray());
        QVERIFY(xml::readFile(text.toStdString()).isUsable());
    }

    void faultsSayWhereTheyAre_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");

        // Text that is not XML
        QTest::newRow("empty") << QByteArray() << QByteArray("1:1: there is no element in the file\n");
        QTest::newRow("no end") << QByteArray("<tmfxml>\n<a>\n</tmfxml>")
                                << QByteArray("3:3: the end tag \"</tmfxml>\" does not match its start tag, or one is missing\n");
        QTest::newRow("wrong end") << inProvider("<eventHandler eventName=\"e\"></eventHander >")
                                   << QByteArray("3:31: the end tag \"</eventHander>\" does not match its start tag, or one is missing\n");
        QTest::newRow("text between tags") << inProvider("so <!-- it --> <eventHandler eventName=\"e\">" + Change + "</eventHandler>\n")
                                           << QByteArray("3:1: stateProvider: warning: the text \"so\" between the tags is ignored\n");
        QTest::newRow("text behind the end") << inHandler(Path + Value) + " \ngarbage\n"
                                             << QByteArray("9:1: warning: the text \"garbage\" between the tags is ignored\n");
        QTest::newRow("another root") << inHandler(Path + Value) + "<tmfxml/>"
                                      << QByteArray("8:1: tmfxml: warning: it is outside of the file's first element: ignored\n");
        QTest::newRow("long constant") << inHandler("<stateAttribute type=\"constant\" value=\"" + QByteArray(5'000'000, 'x') + "\"/>"
                                                    + Value)
                                       << QByteArray("4:1: the attribute \"value\" is longer than 4096 bytes\n");
        QTest::newRow("long name") << inProvider("<" + QByteArray(4097, 'x') + "/>")
                                   << QByteArray("3:1: an element's name is longer than 4096 bytes\n");
        QTest::newRow("attribute twice") << QByteArray(
            "<tmfxml><xyView id=\"a\" id=\"b\"><head><analysis id=\"p\"/></head>\n<entry path=\"*\"/></xyView></tmfxml>")
                                         << QByteArray("1:9: xyView: the attribute \"id\" is given twice\n");

        // Well-formed XML that breaks the rules of the language.
        QTest::newRow("other root") << QByteArray("\n <svg/>") << QByteArray("2:2: svg: the file's first element is not tmfxml\n");
        QTest::newRow("nothing in it") << QByteArray(
            "<tmfxml/>") << QByteArray("1:1: tmfxml: missing one of: timeGraphView, xyView, stateProvider, pattern, callstack\n");
        QTest::newRow("unknown element")
            << QByteArray("<tmfxml>\n  <xyviews/></tmfxml>")
            << QByteArray("2:3: xyviews: not allowed here in tmfxml: expected timeGraphView, xyView, stateProvider, pattern, "
                          "callstack\n");
        QTest::newRow("no version") << QByteArray("<tmfxml>\n<stateProvider id=\"p\"><eventHandler eventName=\"e\">" + Change
                                                  + "</eventHandler></stateProvider></tmfxml>")
                                    << QByteArray("2:1: stateProvider: the attribute \"version\" is missing\n");
        QTest::newRow("version no integer") << QByteArray("<tmfxml>\n<stateProvider id=\"p\" version=\"1.0\"><eventHandler eventName=\"e\">"
                                                          + Change + "</eventHandler></stateProvider></tmfxml>")
                                            << QByteArray("2:1: stateProvider: the attribute \"version\" is \"1.0\", not an integer\n");
        QTest::newRow("no handler last") << inProvider("<location id=\"l\"/>")
                                         << QByteArray("2:1: stateProvider: its last element must be eventHandler\n");
        QTest::newRow("handler does nothing") << inProvider("<eventHandler eventName=\"e\"/>")
                                              << QByteArray("3:1: eventHandler: stateChange is missing\n");
        QTest::newRow("unknown attribute") << inHandler(Path + R"(<stateValue type="null" colour="red"/>)")
                                           << QByteArray("4:44: stateValue: warning: the attribute \"colour\" has no meaning here\n");
        QTest::newRow("unknown type") << inHandler(Path + R"(<stateValue type="double" value="1"/>)")
                                      << QByteArray(
                                             "4:44: stateValue: the attribute \"type\" is \"double\", not one of null, int, long, string, "
                                             "eventField, eventName, delete, query, script\n");
        QTest::newRow("no boolean") << inHandler(Path + R"(<stateValue type="int" value="1" increment="bla"/>)")
                                    << QByteArray("4:44: stateValue: the attribute \"increment\" is \"bla\", not true or false\n");
        QTest::newRow("unknown operator") << inHandler(
            "<if>\n<condition operator=\"like\">" + Value + Value + "</condition></if><then>" + Path + Value
            + "</then>") << QByteArray("5:1: condition: the attribute \"operator\" is \"like\", not one of eq, ne, ge, gt, le, lt\n");
        QTest::newRow("one operand") << inHandler("<if>\n<condition>" + Value + "</condition></if><then>" + Path + Value + "</then>")
                                     << QByteArray("5:1: condition: stateValue is missing\n");
        QTest::newRow("not of two") << inHandler("<if><not><condition>" + Value + Value + "</condition>\n<condition>" + Value + Value
                                                 + "</condition></not></if><then>" + Path + Value + "</then>")
                                    << QByteArray("5:1: condition: not allowed here in not\n");
        QTest::newRow("no path") << inHandler(Value)
                                 << QByteArray("4:1: stateValue: not allowed here in stateChange: expected stateAttribute\n");
        QTest::newRow("two values") << inHandler(Path + Value + Value) << QByteArray("4:78: stateValue: not allowed here in stateChange\n");
        QTest::newRow("view in a pattern") << inPattern(
            "<timeGraphView/>") << QByteArray("3:1: timeGraphView: not allowed here in patternHandler: expected test, action, fsm\n");

        // Missing or superfluous elements
        QTest::newRow("no location") << inHandler(R"(<stateAttribute type="location" value="l"/>)" + Value)
                                     << QByteArray("4:1: stateAttribute: there is no location \"l\"\n");
        QTest::newRow("location in itself") << inProvider(
            "<location id=\"a\">\n<stateAttribute type=\"location\" value=\"a\"/></location><eventHandler eventName=\"e\">"
            "<stateChange><stateAttribute type=\"location\" value=\"a\"/>"
            + Value + "</stateChange></eventHandler>")
                                            << QByteArray("4:1: stateAttribute: the location \"a\" contains itself\n");
        QTest::newRow("location in its own query")
            << inProvider("<location id=\"a\"><stateAttribute type=\"query\">\n<stateAttribute type=\"location\" "
                          "value=\"a\"/></stateAttribute></location><eventHandler eventName=\"e\">"
                          "<stateChange><stateAttribute type=\"location\" value=\"a\"/>"
                          + Value + "</stateChange></eventHandler>")
            << QByteArray("4:1: stateAttribute: the location \"a\" contains itself\n");
        QTest::newRow("location twice") << inProvider("<location id=\"a\">" + Path + "</location>\n<location id=\"a\">" + Path
                                                      + "</location><eventHandler eventName=\"e\">" + Change + "</eventHandler>")
                                        << QByteArray("4:1: location: warning: the location \"a\" is defined twice; the last one counts\n");
        QTest::newRow("value twice") << inProvider(
            "<definedValue name=\"a\" value=\"1\"/>\n<definedValue name=\"a\" value=\"2\"/><eventHandler eventName=\"e\">" + Change
            + "</eventHandler>") << QByteArray("4:1: definedValue: warning: the value \"a\" is defined twice; the first one counts\n");
        QTest::newRow("no mapping group") << inHandler(Path + R"(<stateValue type="int" value="1" mappingGroup="g"/>)")
                                          << QByteArray("4:44: stateValue: there is no mapping group \"g\"\n");
        QTest::newRow("mapping group in itself")
            << inProvider("<mappingGroup id=\"g\"><entry>\n<stateValue type=\"int\" value=\"1\" mappingGroup=\"g\"/>" + Value
                          + "</entry></mappingGroup><eventHandler eventName=\"e\">" + Change + "</eventHandler>")
            << QByteArray("4:1: stateValue: the mapping group \"g\" must be defined before the groups that map values with it\n");
        QTest::newRow("mapping group twice") << inProvider(
            "<mappingGroup id=\"g\"><entry>" + Value + Value + "</entry></mappingGroup>\n<mappingGroup id=\"g\"><entry>" + Value + Value
            + "</entry></mappingGroup><eventHandler eventName=\"e\">" + Change + "</eventHandler>")
                                             << QByteArray("4:1: mappingGroup: the mapping group \"g\" is defined twice\n");
        QTest::newRow("no int") << inHandler(Path + R"(<stateValue type="int" value="abc"/>)")
                                << QByteArray("4:44: stateValue: the attribute \"value\" is \"abc\", not an int\n");
        QTest::newRow("int without a value") << inHandler(Path + R"(<stateValue type="int"/>)")
                                             << QByteArray("4:44: stateValue: the attribute \"value\" is \"\", not an int\n");
        QTest::newRow("int too large") << inHandler(Path + R"(<stateValue type="int" value="2147483648"/>)")
                                       << QByteArray("4:44: stateValue: the attribute \"value\" is \"2147483648\", not an int\n");
        QTest::newRow("long too large") << inHandler(Path + R"(<stateValue type="long" value="9223372036854775808"/>)")
                                        << QByteArray("4:44: stateValue: the attribute \"value\" is \"9223372036854775808\", not a long\n");
        QTest::newRow("int of an unknown value") << inHandler(Path + R"(<stateValue type="int" value="$lots"/>)")
                                                 << QByteArray("4:44: stateValue: the attribute \"value\" is \"$lots\", not an int\n");
        QTest::newRow("step without a name") << inHandler(R"(<stateAttribute type="constant"/>)" + Value)
                                             << QByteArray("4:1: stateAttribute: the attribute \"value\" is missing\n");
        QTest::newRow("step without a field") << inHandler(R"(<stateAttribute type="eventField"/>)" + Value)
                                              << QByteArray("4:1: stateAttribute: the attribute \"value\" is missing\n");
        QTest::newRow("step of an unknown value") << inHandler(R"(<stateAttribute type="constant" value="$x"/>)" + Value)
                                                  << QByteArray("4:1: stateAttribute: there is no defined value \"x\"\n");
        QTest::newRow("query without a path") << inHandler(R"(<stateAttribute type="query"/>)" + Value)
                                              << QByteArray("4:1: stateAttribute: a query needs the path of an attribute\n");
        QTest::newRow("value of a query without a path") << inHandler(Path + R"(<stateValue type="query"/>)")
                                                         << QByteArray("4:44: stateValue: a query needs the path of an attribute\n");
        QTest::newRow("field without a name") << inHandler(Path + R"(<stateValue type="eventField"/>)")
                                              << QByteArray("4:44: stateValue: the attribute \"value\", the name of a field, is missing\n");
        QTest::newRow("script") << inHandler(Path + R"(<stateValue type="script" value="1+1"/>)")
                                << QByteArray("4:44: stateValue: scripts are not supported: use state values and conditions instead\n");
        QTest::newRow("push and increment")
            << inHandler(Path + R"(<stateValue type="int" value="1" stack="push" increment="true"/>)")
            << QByteArray("4:44: stateValue: a value that is pushed onto or popped from a stack can neither be added nor "
                          "update another value\n");
        QTest::newRow("pool in a provider") << inHandler(R"(<stateAttribute type="pool"/>)" + Value)
                                            << QByteArray("4:1: stateAttribute: only patterns have scenarios\n");
        QTest::newRow("scenario in a provider") << inHandler("<stateAttribute type=\"constant\" value=\"#CurrentScenario\"/>" + Value)
                                                << QByteArray("4:1: stateAttribute: only patterns have scenarios\n");
        QTest::newRow("two of an id") << QByteArray("<tmfxml><stateProvider id=\"p\" version=\"1\"><eventHandler eventName=\"e\">" + Change
                                                    + "</eventHandler></stateProvider>\n"
                                                      "<stateProvider id=\"p\" version=\"1\"><eventHandler eventName=\"e\">"
                                                    + Change + "</eventHandler></stateProvider></tmfxml>")
                                      << QByteArray("2:1: stateProvider: another one has the ID \"p\"\n");
        QTest::newRow("an empty id") << QByteArray("<tmfxml>\n<stateProvider id=\"\" version=\"1\"><eventHandler eventName=\"e\">" + Change
                                                   + "</eventHandler></stateProvider></tmfxml>")
                                     << QByteArray("2:1: stateProvider: its ID is empty\n");
        QTest::newRow("two views of an id") << QByteArray(
            "<tmfxml><xyView id=\"v\"><head><analysis id=\"p\"/></head><entry path=\"*\"/></xyView>\n"
            "<timeGraphView id=\"v\"><head><analysis id=\"p\"/></head></timeGraphView></tmfxml>")
                                            << QByteArray("2:1: timeGraphView: another view has the ID \"v\"\n");
        QTest::newRow("call stacks called as a view") << QByteArray(
            "<tmfxml><xyView id=\"v\"><head><analysis id=\"p\"/></head><entry path=\"*\"/></xyView>\n"
            "<callstack id=\"v\"><callstackGroup><level path=\"a\"/></callstackGroup><analysis id=\"p\"/></callstack></tmfxml>")
                                                      << QByteArray("2:1: callstack: another view has the ID \"v\"\n");
        QTest::newRow("view of nothing")
            << QByteArray("<tmfxml>\n<xyView id=\"v\"><entry path=\"*\"/></xyView></tmfxml>")
            << QByteArray("2:1: xyView: warning: it names no analysis, so it shows nothing: add an element analysis to head\n");
        QTest::newRow("view of a query") << QByteArray("<tmfxml><xyView id=\"v\"><head><analysis id=\"p\"/></head><entry path=\"*\">\n"
                                                       "<display type=\"query\"/></entry></xyView></tmfxml>")
                                         << QByteArray("2:1: display: warning: a query needs the path of an attribute: ignored\n");
        QTest::newRow("no colour") << QByteArray("<tmfxml><timeGraphView id=\"v\"><head><analysis id=\"p\"/></head>\n"
                                                 "<definedValue name=\"a\" value=\"1\" color=\"red\"/></timeGraphView></tmfxml>")
                                   << QByteArray("2:1: definedValue: warning: the color is \"red\", not one like \"#4477aa\"\n");

        // Event names
        QTest::newRow("bad expression") << inProvider("<eventHandler eventName=\"a(\">" + Change + "</eventHandler>")
                                        << QByteArray("3:1: eventHandler: the event name \"a(\" is not a valid regular expression: ");
        QTest::newRow("lookahead") << inProvider("<eventHandler eventName=\"(?!a)b\">" + Change + "</eventHandler>")
                                   << QByteArray("3:1: eventHandler: the event name \"(?!a)b\" is not a valid regular expression: ");
        QTest::newRow("backreference") << inProvider("<eventHandler eventName=\"(a)\\1\">" + Change + "</eventHandler>")
                                       << QByteArray("3:1: eventHandler: the event name \"(a)\\1\" is not a valid regular expression: ");
        QTest::newRow("expression too large")
            << inProvider("<eventHandler eventName=\"((a{100}){100}){100}\">" + Change + "</eventHandler>")
            << QByteArray("3:1: eventHandler: the event name \"((a{100}){100}){100}\" is not a valid regular expression: ");

        // Errors in patterns and their state machines
        QTest::newRow("no machine") << inPattern("<test id=\"t\"/>") << QByteArray("2:29: patternHandler: its last element must be fsm\n");
        QTest::newRow("machine without states") << inFsm("") << QByteArray("3:1: fsm: the machine has no states\n");
        QTest::newRow("machine twice") << inPattern("<fsm id=\"f\"><state id=\"s\"/></fsm>\n<fsm id=\"f\"><state id=\"s\"/></fsm>")
                                       << QByteArray("4:1: fsm: the machine \"f\" is defined twice\n");
        QTest::newRow("state twice") << inFsm("<state id=\"s\"/>\n<state id=\"s\"/>")
                                     << QByteArray("5:1: state: the state \"s\" is defined twice\n");
        QTest::newRow("no such target") << inFsm("<state id=\"s\">\n<transition target=\"t\"/></state>")
                                        << QByteArray("5:1: transition: there is no state \"t\" in the machine \"f\"\n");
        QTest::newRow("to the begin") << inFsm(
            "<initialState><transition target=\"s\"/></initialState><state id=\"s\">\n<transition target=\"initialState\"/></state>")
                                      << QByteArray("5:1: transition: there is no state \"initialState\" in the machine \"f\"\n");
        QTest::newRow("no such action") << inFsm("<state id=\"s\">\n<transition target=\"s\" action=\"a\"/></state>")
                                        << QByteArray("5:1: transition: there is no action \"a\"\n");
        QTest::newRow("no such entry action") << inFsm("<state id=\"s\">\n<onentry action=\"a\"/></state>")
                                              << QByteArray("5:1: onentry: there is no action \"a\"\n");
        QTest::newRow("no such test") << inFsm("<precondition cond=\"t\"/>\n<state id=\"s\"/>")
                                      << QByteArray("4:1: precondition: there is no test \"t\"\n");
        QTest::newRow("no such initial state") << inPattern("<fsm id=\"f\" initial=\"t\"><state id=\"s\"/></fsm>")
                                               << QByteArray("3:1: fsm: there is no state \"t\" in the machine \"f\"\n");
        QTest::newRow("no such initial machine")
            << QByteArray("<tmfxml>\n<pattern id=\"p\" version=\"1\"><patternHandler initial=\"g\">\n<fsm id=\"f\"><state "
                          "id=\"s\"/></fsm></patternHandler></pattern></tmfxml>")
            << QByteArray("2:29: patternHandler: there is no machine \"g\"\n3:1: fsm: warning: it is never started: the "
                          "attribute \"initial\" of patternHandler does not name it\n");
        QTest::newRow("sub-states")
            << inFsm("<state id=\"s\" automatic=\"x\">\n<state id=\"t\"/></state>")
            << QByteArray("4:1: state: warning: the attribute \"automatic\" has no effect\n5:1: state: warning: nested states "
                          "are not supported: it has no effect\n");
        QTest::newRow("scheduled machine") << inPatternToo("<action id=\"a\">\n<fsmScheduleAction id=\"f\"/></action>")
                                           << QByteArray("4:1: fsmScheduleAction: warning: it has no effect: machines are started by the "
                                                         "attribute \"initial\" of patternHandler\n");
        QTest::newRow("segment without a name") << inPatternToo("<action id=\"a\"><segment>\n<segType/></segment></action>")
                                                << QByteArray("4:1: segType: the segment has no name: segName is missing\n");
        QTest::newRow("segment of two ends") << inPatternToo(
            "<action id=\"a\"><segment><segType segName=\"s\"/><segTime><begin type=\"long\" value=\"1\"/>"
            "<end type=\"long\" value=\"1\"/>\n<duration type=\"long\" value=\"1\"/></segTime></segment></action>")
                                             << QByteArray("4:1: duration: not allowed here in segTime\n");
        QTest::newRow("segment field twice") << inPatternToo(
            "<action id=\"a\"><segment><segType segName=\"s\"/><segContent><segField name=\"x\" type=\"int\" value=\"1\"/>\n"
            "<segField name=\"x\" type=\"int\" value=\"1\"/></segContent></segment></action>")
                                             << QByteArray("4:1: segField: another field is named \"x\" in the segment\n");
        QTest::newRow("segment field no number")
            << inPatternToo("<action id=\"a\"><segment><segType segName=\"s\"/><segContent>\n<segField name=\"x\" type=\"double\" "
                            "value=\"y\"/></segContent></segment></action>")
            << QByteArray("4:1: segField: the attribute \"value\" is \"y\", not a number\n");
    }
    void faultsSayWhereTheyAre()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        // Only the beginning is compared: the messages of the regular expression library may change.
        if (said.endsWith('\n'))
            QCOMPARE(problemsOf(text), said);
        else
            QVERIFY2(problemsOf(text).startsWith(said) && problemsOf(text).count('\n') == 1, problemsOf(text).constData());
    }

    void placesAreRightBehindAByteOrderMark()
    {
        QCOMPARE(problemsOf(std::string("\xef\xbb\xbf<tmfxml>\n\n  <xyviews/></tmfxml>")),
                 QByteArray("3:3: xyviews: not allowed here in tmfxml: expected timeGraphView, xyView, stateProvider, pattern, "
                            "callstack\n"));
    }

    void allFaultsAreSaidInTheirOrder()
    {
        const QByteArray said = problemsOf(inProvider("<eventHandler eventName=\"(\">" + Change
                                                      + "</eventHandler>\n<eventHandler eventName=\"e\"><stateChange>"
                                                        "<stateAttribute type=\"location\" value=\"x\"/>"
                                                      + Value + "</stateChange></eventHandler>"));
        QCOMPARE(said.count('\n'), 2);
        QVERIFY(said.startsWith("3:1: eventHandler") && said.contains("\n4:42: stateAttribute"));
    }

    // Tests with files that are made to exhaust memory or time.

    void depthIsLimited()
    {
        std::string deep = "<tmfxml>";
        for (int i = 0; i < 100'000; ++i)
            deep += "<a>";
        for (int i = 0; i < 100'000; ++i)
            deep += "</a>";
        QCOMPARE(problemsOf(deep + "</tmfxml>"), QByteArray("1:198: elements are nested more than 64 deep\n"));
    }

    void sizeIsLimited()
    {
        std::string many = "<tmfxml>";
        for (std::size_t i = 0; i < xml::MostElements; ++i)
            many += "<a/>";
        QVERIFY(problemsOf(many + "</tmfxml>").endsWith("there are more than 500000 elements\n"));
        QCOMPARE(problemsOf(std::string(xml::MostBytes + 1, ' ')), QByteArray(" it is larger than 32 MiB\n"));
    }

    void faultsAreNotWithoutEnd()
    {
        std::string all = "<tmfxml>";
        for (int i = 0; i < 100'000; ++i)
            all += "<stateProvider/>";
        QVERIFY(problemsOf(all + "</tmfxml>").count('\n') <= 1000);
    }

    void warningsHideNoError()
    {
        QByteArray all = "<tmfxml>\n<stateProvider id=\"p\" version=\"1\"";
        for (int i = 0; i < 1000; ++i)
            all += " a" + QByteArray::number(i) + "=\"\"";
        all += "><eventHandler/></stateProvider></tmfxml>";
        QVERIFY(problemsOf(all).contains("eventHandler: the attribute \"eventName\" is missing"));
        QVERIFY(!xml::readFile(all.toStdString()).isUsable());
    }

    void locationsDoNotMultiply_data()
    {
        QTest::addColumn<QByteArray>("step");
        QTest::addColumn<QByteArray>("last");
        QTest::newRow("steps") << QByteArray(R"(<stateAttribute type="location" value="%"/>)") << Path;
        QTest::newRow("of nothing") << QByteArray(R"(<stateAttribute type="location" value="%"/>)")
                                    << QByteArray(R"(<stateAttribute type="null"/>)");
        QTest::newRow("queries") << QByteArray(
            R"(<stateAttribute type="query"><stateAttribute type="location" value="%"/></stateAttribute>)")
                                 << Path;
    }
    /// Input: 40 locations, each of which uses its predecessor twice, so that the number of steps doubles with each location. Property: the
    /// reader reports that a limit was exceeded, instead of computing all steps.
    void locationsDoNotMultiply()
    {
        QFETCH(QByteArray, step);
        QFETCH(QByteArray, last);
        QByteArray locations = "<location id=\"l0\">" + last + "</location>";
        for (int i = 1; i <= 40; ++i) {
            QByteArray inner = step;
            inner.replace("%", "l" + QByteArray::number(i - 1));
            locations += "<location id=\"l" + QByteArray::number(i) + "\">" + inner + inner + "</location>";
        }
        const QByteArray said =
            problemsOf(inProvider(locations + "<eventHandler eventName=\"e\"><stateChange><stateAttribute type=\"location\" value=\"l40\"/>"
                                  + Value + "</stateChange></eventHandler>"));
        QVERIFY2(said.contains("more than"), said.left(200).constData());
        QVERIFY(said.count('\n') <= 10);
    }

    /// Each mapping group uses its predecessor twice, so that the cost doubles with each group.
    void mappingGroupsDoNotMultiply()
    {
        QByteArray groups = "<mappingGroup id=\"g0\"><entry>" + Value + Value + "</entry></mappingGroup>";
        for (int i = 1; i <= 40; ++i) {
            const QByteArray mapped = "<stateValue type=\"int\" value=\"1\" mappingGroup=\"g" + QByteArray::number(i - 1) + "\"/>";
            groups += "<mappingGroup id=\"g" + QByteArray::number(i) + "\"><entry>" + mapped + mapped + "</entry></mappingGroup>";
        }
        const QByteArray said = problemsOf(inProvider(groups + "<eventHandler eventName=\"e\">" + Change + "</eventHandler>"));
        QVERIFY2(said.contains("too many values"), said.constData());
    }

    void whatTakesTooLongForEachTypeOfEventsIsLimited_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("why");
        const auto many = [](int count, const QByteArray& one) {
            QByteArray all;
            for (int i = 0; i < count; ++i)
                all += QByteArray(one).replace("%", QByteArray::number(i));
            return all;
        };
        const QByteArray field =
            R"(<stateChange><stateAttribute type="eventField" value="f%"/><stateValue type="int" value="1"/></stateChange>)";
        QTest::newRow("fields") << inProvider("<eventHandler eventName=\"e\">" + many(2001, field) + "</eventHandler>")
                                << QByteArray("there are more than 2000 fields");
        QTest::newRow("handlers") << inProvider(many(5001, "<eventHandler eventName=\"e%\">" + Change + "</eventHandler>"))
                                  << QByteArray("more than 5000 names of events");
        QTest::newRow("alternatives") << inProvider("<eventHandler eventName=\"" + many(5001, "e%|") + "\">" + Change + "</eventHandler>")
                                      << QByteArray("more than 5000 names of events");
        QTest::newRow("transitions of any event") << inFsm("<state id=\"s\">" + many(5001, "<transition target=\"s\"/>") + "</state>")
                                                  << QByteArray("more than 5000 names of events");
        QTest::newRow("states") << inPattern(many(5, "<fsm id=\"f%\">" + many(2001, "<state id=\"s%\"/>") + "</fsm>"))
                                << QByteArray("more than 10000 states");
        QTest::newRow("analyses") << "<tmfxml>"
                + many(201,
                       "<stateProvider id=\"p%\" version=\"1\"><eventHandler eventName=\"e\">" + Change + "</eventHandler></stateProvider>")
                + "</tmfxml>" << QByteArray("more than 200 analyses in the file");
    }
    void whatTakesTooLongForEachTypeOfEventsIsLimited()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, why);
        const QByteArray said = problemsOf(text);
        QVERIFY2(said.contains(why), said.left(500).constData());
        QVERIFY(said.count('\n') <= 10);
    }

    /// Property: a long defined value is refused if many elements use it. Otherwise, each use would copy its text, and each problem would
    /// contain a copy.
    void longDefinedValuesDoNotMultiply()
    {
        const QByteArray definition = "<definedValue name=\"v\" value=\"" + QByteArray(4096, 'x') + "\"/>";
        QByteArray uses;
        for (int i = 0; i < 25'000; ++i)
            uses += R"(<stateChange><stateAttribute type="constant" value="a"/><stateValue type="int" value="$v"/></stateChange>)";
        const QByteArray said = problemsOf(inProvider(definition + "<eventHandler eventName=\"e\">" + uses + "</eventHandler>"));
        QVERIFY2(said.contains("the defined value \"v\" is too long to be used by so many elements"), said.left(500).constData());
        QVERIFY(said.size() < 1'000'000);
    }

    void brokenFilesAreRefusedWithoutHarm()
    {
        const std::string whole = xml_text::pattern(
            xml_text::testIf("t", xml_text::is(xml_text::ofField("a") + xml_text::integer(1)))
                + xml_text::action("a", xml_text::set("~/x/{y}", xml_text::query("z")))
                + xml_text::fsm("f",
                                xml_text::state("s", xml_text::transition("e|f*", "d", R"(cond="t" action="a" saveStoredFields="true")"))
                                    + xml_text::final("d")),
            R"(<storedField id="q"/><definedValue name="v" value="1"/>)",
            R"(<timeGraphView id="w"><head><analysis id="p"/></head><entry path="a"><display type="self"/></entry></timeGraphView>)");
        QVERIFY(xml::readFile(whole).isUsable());
        for (std::size_t i = 0; i < whole.size(); ++i) {
            QVERIFY(!xml::readFile(whole.substr(0, i)).isUsable());
            for (const char c : {'\0', '<', '\x22', '&', 'z', '\xff'}) {
                std::string other = whole;
                other[i] = c;
                xml::readFile(other);
            }
        }
    }
};

HELIO_TEST(XmlReadingTest)

#include "tst_xml_reading.moc"
