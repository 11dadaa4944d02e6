#include "core/xml_analysis/file.h"
#include "tests/core/xml_analysis/xml_problems.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

/// Checks that all problems of a file are reported at once, without problems that only follow from another problem.
class XmlFaultsTest : public QObject {
    Q_OBJECT

private slots:
    void oneFaultHidesNoOther_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("in several parts")
            << QByteArray(R"(<tmfxml>
<stateProvider id="q" version="1"><eventHandler/></stateProvider>
<stateProvider id="r" version="1"><eventHandler eventName="e"><stateChange>
<stateAttribute type="location" value="no"/><stateValue type="null"/></stateChange></eventHandler></stateProvider>
<xyView id="v"><head><analysis id="q"/></head><entry path="*"/></xyView>
</tmfxml>)")
            << QByteArray("2:35: eventHandler: the attribute \"eventName\" is missing\n2:35: eventHandler: stateChange is "
                          "missing\n4:1: stateAttribute: there is no location \"no\"\n");
        QTest::newRow("in one state provider")
            << QByteArray(R"(<tmfxml><stateProvider id="p" version="one">
<mappingGroup id="m"><entry>
<stateValue type="long" value="z"/></entry></mappingGroup>
<eventHandler eventName="+"><stateChange>
<stateAttribute type="constant" value="$nope"/>
<stateAttribute value="a"/>
<stateValue type="script" increment="maybe"/>
<futureTime type="int" value="y"/>
<what kind="new"><ever/></what></stateChange></eventHandler>
</stateProvider></tmfxml>)")
            << QByteArray("1:9: stateProvider: the attribute \"version\" is \"one\", not an integer\n2:22: entry: stateValue "
                          "is missing\n3:1: stateValue: the attribute \"value\" is \"z\", not a long\n4:1: eventHandler: the "
                          "event name \"+\" is not a valid regular expression: no argument for repetition operator: +\n5:1: "
                          "stateAttribute: there is no defined value \"nope\"\n6:1: stateAttribute: the attribute \"type\" is "
                          "missing\n7:1: stateValue: the attribute \"increment\" is \"maybe\", not true or false\n7:1: "
                          "stateValue: scripts are not supported: use state values and conditions instead\n8:1: futureTime: "
                          "the attribute \"value\" is \"y\", not an int\n9:1: what: not allowed here in stateChange\n");
        QTest::newRow("in one pattern")
            << QByteArray(R"(<tmfxml><pattern id="p" version="1"><patternHandler>
<test id="t"><if><not><condition/></not></if></test>
<action id="a"><segment><segTime><begin/></segTime></segment></action>
<action id="b"><stateChange>
<stateValue type="int" value="abc"/>
<stateAttribute type="location" value="no"/></stateChange></action>
<fsm id="f"><state id="s">
<transition target="nowhere" cond="u" action="a:c"/>
<foo/>
<bar/></state></fsm></patternHandler></pattern></tmfxml>)")
            << QByteArray("2:23: condition: stateAttribute is missing\n3:25: segTime: not allowed here in segment: expected "
                          "segType\n3:25: segTime: missing one of: end, duration\n3:34: begin: stateValue is missing\n5:1: "
                          "stateValue: not allowed here in stateChange: expected stateAttribute\n5:1: stateValue: the "
                          "attribute \"value\" is \"abc\", not an int\n6:1: stateAttribute: there is no location \"no\"\n8:1: "
                          "transition: there is no test \"u\"\n8:1: transition: there is no action \"c\"\n8:1: transition: "
                          "there is no state \"nowhere\" in the machine \"f\"\n9:1: foo: not allowed here in state\n10:1: bar: "
                          "not allowed here in state\n");
        QTest::newRow("too many, and too late")
            << QByteArray(R"(<tmfxml><timeGraphView id="v"><entry path="a">
<name type="self"/>
<display type="self"/>
<name type="self"/></entry>
<head><analysis id="p"/></head></timeGraphView></tmfxml>)")
            << QByteArray("3:1: display: not allowed here in entry\n4:1: name: not allowed here in entry\n5:1: head: not "
                          "allowed here in timeGraphView\n");
    }
    void oneFaultHidesNoOther()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        QCOMPARE(problemsOf(text), said);
    }

    /// Input: elements of an extension of Trace Compass's language. Property: unknown elements are ignored with a warning.
    void partsOfExtensionsAreLeftOut()
    {
        const std::string provider =
            R"(<stateProvider id="p" version="1"><eventHandler eventName="e"><stateChange><stateAttribute type="constant" value="a"/>)"
            R"(<stateValue type="int" value="1"/></stateChange></eventHandler></stateProvider>)";
        const std::string text = "<tmfxml>\n<my name=\"x\"><mine/><mine/></my>\n" + provider + "\n<o:abc/></tmfxml>";
        const xml::File file = xml::readFile(text);
        QVERIFY(file.isUsable());
        QCOMPARE(file.programs.size(), 1u);
        QCOMPARE(problemsOf(text),
                 QByteArray("2:1: my: warning: unknown element, perhaps of an extension: ignored\n4:1: o:abc: warning: unknown "
                            "element, perhaps of an extension: ignored\n"));
    }

    void slipsAreNoExtensions_data()
    {
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("a letter") << QByteArray("<stateProvder id=\"p\"/>");
        QTest::newRow("upper case") << QByteArray("<Pattern id=\"p\"/>");
        QTest::newRow("with what only ours have in it") << QByteArray("<provider><eventHandler/></provider>");
        QTest::newRow("of ours, that stands elsewhere") << QByteArray("<fsm/>");
    }
    void slipsAreNoExtensions()
    {
        QFETCH(QByteArray, part);
        const QByteArray said = problemsOf(QByteArray("<tmfxml>\n" + part + "</tmfxml>"));
        QVERIFY2(said.startsWith("2:1: ") && said.contains(": not allowed here in tmfxml"), said.constData());
        QCOMPARE(said.count('\n'), 1);
    }

    /// Property: a file in another language is not read, even if it has elements with the same names.
    void anotherLanguageIsNotRead()
    {
        QCOMPARE(problemsOf(std::string("<foo><pattern id=\"a\" version=\"1\"/><xyView/><timeGraphView/></foo>")),
                 QByteArray("1:1: foo: the file's first element is not tmfxml\n"));
    }

    /// Property: a file that nests the language's elements in any combination is either rejected or read, without a crash.
    void whatIsMendedCanBeRead()
    {
        const std::vector<std::string> words{
            "stateProvider", "pattern",     "timeGraphView", "xyView", "callstack",    "head",       "eventHandler",   "stateChange",
            "stateValue",    "if",          "then",          "entry",  "mappingGroup", "action",     "segment",        "segType",
            "segTime",       "begin",       "condition",     "not",    "timerange",    "fsm",        "patternHandler", "state",
            "initial",       "elapsedTime", "segContent",    "name",   "test",         "transition", "callstackGroup", "stateAttribute"};
        for (const std::string& a : words)
            for (const std::string& b : words)
                for (const std::string& c : words)
                    xml::readFile("<tmfxml><" + a + "><" + b + "><" + c + "/></" + b + "><" + c + "/></" + a + "></tmfxml>");
        for (const std::string& a : words)
            xml::readFile("<tmfxml><pattern><patternHandler><fsm><" + a + "/><state><" + a + "/></state></fsm><action><segment><" + a
                          + "/></segment><stateChange><if><" + a + "/></if></stateChange></action></patternHandler></pattern></tmfxml>");
    }
};

HELIO_TEST(XmlFaultsTest)

#include "tst_xml_faults.moc"
