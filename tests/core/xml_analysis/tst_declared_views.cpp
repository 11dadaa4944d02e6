#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>
#include <map>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

namespace {

const std::string Head = "<head><analysis id=\"p\"/></head>";

std::string rows(const std::string& content) { return element("timeGraphView", "id=\"v\"", Head + content); }
std::string curves(const std::string& entry) { return element("xyView", "id=\"c\"", Head + entry); }
std::string entry(const std::string& path, const std::string& content, const std::string& more = {})
{
    return element("entry", "path=\"" + path + "\" " + more, content);
}
/// Returns a display, name, id or parent element. `name` is empty for the row's own attribute, else the name of an attribute below it.
std::string of(const std::string& what, const std::string& name = {})
{
    return element(what, name.empty() ? "type=\"self\"" : "type=\"constant\" value=\"" + name + "\"");
}
std::string defined(const std::string& name, const std::string& value, const std::string& more = {})
{
    return element("definedValue", "name=\"" + name + "\" value=\"" + value + "\" " + more);
}

/// Returns the rows in their order, one per line: "LABEL < PARENT".
std::string labels(const DeclaredRun& run)
{
    std::vector<const Track*> all;
    for (const Track& track : run.store().tracks())
        if (track.view == "v")
            all.push_back(&track);
    std::ranges::stable_sort(all, {}, &Track::sortKey);
    std::string text;
    for (const Track* track : all)
        text += track->label + (track->parent == NoTrack ? "" : " < " + run.store().tracks()[static_cast<std::size_t>(track->parent)].label)
            + "\n";
    return text;
}

/// Adds events of three threads: thread 8 in group "a", threads 9 and 10 in group "b".
KernelScript& threads(KernelScript& s)
{
    return s.event(10, 0, "run", {{"g", "b"}, {"t", 10}, {"st", 1}})
        .event(20, 0, "run", {{"g", "b"}, {"t", 9}, {"st", 2}})
        .event(30, 0, "run", {{"g", "a"}, {"t", 8}, {"st", 1}})
        .event(40, 0, "run", {{"g", "b"}, {"t", 10}, {"st", 3}})
        .event(50, 0, "end");
}
const std::string Run = on("run", set("T/{g}/{t}", field("st", "forcedType=\"int\"")) + set("T/{g}/{t}/name", text("n")));

} // namespace

class DeclaredViewsTest : public QObject {
    Q_OBJECT

private slots:
    void rowsShowValues()
    {
        KernelScript s;
        const DeclaredRun run(provider(Run, rows(entry("T/b/*", of("display")))), threads(s));
        QCOMPARE(run.problems(), "");
        QCOMPARE(run.view("v"), "T/b/10: int 1 10-40, int 3 40-50\nT/b/9: int 2 20-50\n");
        QCOMPARE(labels(run), "9\n10\n"); // Rows are sorted by number.
    }

    /// Property: a row named by a number alone is titled with what the number counts, if the name above it has a plain plural.
    void numbersAreTitledWithWhatTheyNumber()
    {
        KernelScript s;
        for (const char* name : {"Ranks", "CPUs", "Boxes", "Class", "Node"})
            s.event(10, 0, "run", {{"g", name}, {"t", 7}, {"st", 1}});
        s.event(10, 0, "run", {{"g", "Ranks"}, {"t", 10}, {"st", 1}});
        const DeclaredRun run(provider(Run, rows(entry("T/*/*", of("display")))), s, {}, 20);
        QCOMPARE(run.problems(), "");
        QCOMPARE(labels(run), "7\n7\n7\nCPU 7\nrank 7\nrank 10\n");
        QVERIFY(run.view("v").find("T/Ranks/7 \"rank 7\": int 1 10-20") != std::string::npos); // The id stays the path.
    }

    /// Property: a state that the file names by a number has a title that says that it is a state.
    void numbersOfStatesAreTitledAsStates()
    {
        KernelScript s;
        const DeclaredRun run(provider(Run, rows(defined("3", "3") + defined("waits", "2") + entry("T/b/*", of("display")))), threads(s));
        std::map<std::string, std::string> legends;
        for (const StateSet& set : run.store().stateSets())
            for (const StateKind& state : set.states)
                if (set.id == "rows:v" && state.style.has(StateFlag::InHeader))
                    legends[state.name] = state.style.legend;
        QCOMPARE(legends, (std::map<std::string, std::string>{{"3", "state 3"}, {"waits", ""}}));
    }

    void namesWithNumbersStandInTheirOrder()
    {
        KernelScript s;
        for (const char* name : {"cpu 10", "cpu 9", "b", "cpu 100", "cpu 2", "3", "-1"})
            s.event(10, 0, "run", {{"g", name}, {"t", 1}, {"st", 1}});
        const DeclaredRun run(provider(Run, rows(entry("T/*/1", of("display") + of("name", "name")) + entry("T/*", of("display", "1")))), s,
                              {}, 20);
        QCOMPARE(run.problems(), "");
        // The rows of the file's first entry precede those of its second entry. Within an entry, names are in natural order: "cpu 9"
        // precedes "cpu 10".
        QCOMPARE(labels(run), "n\nn\nn\nn\nn\nn\nn\n-1\n3\nb\ncpu 2\ncpu 9\ncpu 10\ncpu 100\n");
    }

    void entriesStandInOneAnother()
    {
        KernelScript s;
        const DeclaredRun run(provider(Run, rows(entry("T", entry("*", entry("*", of("display")))))), threads(s));
        QCOMPARE(run.view("v"), "T\nT/a\nT/a/8: int 1 30-50\nT/b\nT/b/10: int 1 10-40, int 3 40-50\nT/b/9: int 2 20-50\n");
        QCOMPARE(labels(run), "T\na < T\nb < T\n8 < a\n9 < b\n10 < b\n");
    }

    void pathsAreExpressions_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("found");
        test::addRow("wildcards", "*/*/*", "8 9 10");
        test::addRow("a part", "T/b/1*", "10");
        test::addRow("expression", "T/[ab]/(8|9)", "8 9");
        test::addRow("whole names only", "T/b/1", "");
        test::addRow("nothing there", "U/*", "");
        test::addRow("slash before", "/T/a/*", "8");
        test::addRow("broken expression", "T/b/(", "");
    }
    void pathsAreExpressions()
    {
        QFETCH(QString, path);
        QFETCH(QString, found);
        KernelScript s;
        const DeclaredRun run(provider(Run, rows(entry(path.toStdString(), of("display")))), threads(s));
        QCOMPARE(QString::fromStdString(labels(run)).simplified(), found);
    }

    void whatAWildcardStandsForIsKnownBelow()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"k", "a.b"}, {"l", "q"}, {"m", "of a.b and q"}})
            .event(20, 0, "x", {{"k", "axb"}, {"l", "r"}, {"m", "of axb and r"}})
            .event(30, 0, "x", {{"k", "a.b"}, {"l", "q"}, {"m", "of axb and q"}})
            .event(40, 0, "end");
        const DeclaredRun run(
            provider(on("x", set("M/{k}/{l}/{m}", integer(1))), rows(entry("M/*", entry("*", entry("of $1 and $2", of("display")))))), s);
        QCOMPARE(run.view("v"), "M/a.b\nM/a.b/q\nM/a.b/q/of a.b and q: int 1 10-40\nM/axb\nM/axb/r\nM/axb/r/of axb and r: int 1 20-40\n");
        const DeclaredRun part(
            provider(on("x", set("M/{k}/{l}/{m}", integer(1))), rows(entry("M/*", entry("*", entry("*f $1.*", of("display")))))), s);
        QCOMPARE(part.view("v"), "M/a.b\nM/a.b/q\nM/a.b/q/of a.b and q: int 1 10-40\nM/axb\nM/axb/r\nM/axb/r/of axb and r: int 1 20-40\n");
    }

    void namesIdsAndParentsAreOfAttributes()
    {
        KernelScript s;
        const auto born = [&](int time, int id, const char* name, int parent) {
            s.event(time, 0, "born", {{"id", id}, {"name", name}, {"parent", parent}});
        };
        born(10, 1, "init", 0);
        born(20, 3, "ls", 2);
        born(30, 2, "sh", 1);
        s.event(40, 0, "renamed", {{"id", 3}, {"name", "cat"}}).event(50, 0, "end");
        const DeclaredRun run(provider(on("born",
                                          set("P/{id}", text("alive")) + set("P/{id}/name", field("name")) + set("P/{id}/pid", field("id"))
                                              + set("P/{id}/ppid", field("parent")))
                                           + on("renamed", set("P/{id}/name", field("name"))),
                                       rows(entry("P/*", of("display") + of("id", "pid") + of("parent", "ppid") + of("name", "name")))),
                              s);
        // The first value of the attribute "name" becomes the label, so the row stays "ls" after the thread was renamed to "cat".
        QCOMPARE(labels(run), "init\nls < sh\nsh < init\n");
    }

    void withoutAnIdTheNameIsOne()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"k", "a"}, {"p", "b"}}).event(20, 0, "x", {{"k", "b"}, {"p", "nobody"}}).event(30, 0, "end");
        const DeclaredRun run(provider(on("x", set("K/{k}", integer(1)) + set("K/{k}/up", field("p"))),
                                       rows(entry("K/*", of("display") + of("parent", "up")))),
                              s);
        QCOMPARE(labels(run), "a < b\nb\n");
    }

    void circlesOfParentsAreCut()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"k", "a"}, {"p", "b"}}).event(20, 0, "x", {{"k", "b"}, {"p", "c"}});
        s.event(25, 0, "x", {{"k", "c"}, {"p", "a"}}).event(26, 0, "x", {{"k", "d"}, {"p", "d"}}).event(30, 0, "end");
        const DeclaredRun run(provider(on("x", set("K/{k}", integer(1)) + set("K/{k}/up", field("p"))),
                                       rows(entry("K/*", of("display") + of("parent", "up")))),
                              s);
        QCOMPARE(labels(run), "a < b\nb < c\nc\nd\n");
    }

    void whatIsShownMayLieBelow()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"k", "a"}}).event(20, 0, "y", {{"k", "b"}}).event(30, 0, "end");
        const DeclaredRun run(provider(on("x", set("K/{k}/used (kB)", integer(1))) + on("y", set("K/{k}/other", integer(2))),
                                       rows(entry("K/*", of("display", "used (kB)")))),
                              s);
        // Row "b" is missing, because it has no value to show.
        QCOMPARE(run.view("v"), "K/a: int 1 10-30\n");
    }

    void namesOfAttributesAreNoExpressions()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"k", "$1"}, {"l", "*"}}).event(30, 0, "end");
        const DeclaredRun run(
            provider(on("x", set("K/axb", integer(1)) + set("K/a.b", integer(2)) + set("K/{k}", integer(3)) + set("K/{l}", integer(4))),
                     rows(entry("*", of("display", "a.b")) + entry("K", of("display", "$1")) + entry("K", of("display", "*")))),
            s);
        QCOMPARE(run.view("v"), "K#2 \"K\": int 3 10-30\nK#3 \"K\": int 4 10-30\nK: int 2 10-30\n");
    }

    void whatIsShownMayBeALocation()
    {
        const std::string locations = element("definedValue", R"(name="z" value="Z")")
            + element("location", R"(id="inner")", element("stateAttribute", R"(type="constant" value="$z")"))
            + element("location", R"(id="L")", path("Q/@inner")) + element("location", R"(id="moving")", path("{k}"))
            + element("location", R"(id="round")", path("@round"));
        const std::string changes =
            locations + on("x", set("G", integer(1)) + set("G/Q/Z", integer(2)) + set("Q/Z", integer(3)) + set("Q/Z/name", text("n")));
        const auto shown = [&](const std::string& display) {
            KernelScript s;
            s.event(10, 0, "x", {{"k", "a"}}).event(20, 0, "end");
            const DeclaredRun run(provider(changes, rows(entry("G", display))), s);
            return run.problems() + run.view("v");
        };
        QCOMPARE(shown(element("display", R"(type="location" value="L")")), "G: int 2 10-20\n");
        QCOMPARE(shown(element("display", R"(type="location" value="L" reference="absolute")")), "G: int 3 10-20\n");
        QCOMPARE(shown(element("display", R"(type="constant" value="Q/Z" reference="absolute")")), "G: int 3 10-20\n");
        for (const auto& [id, why] : {std::pair("moving", "the location \"moving\" differs from event to event"),
                                      std::pair("no", "no analysis of the view has a location \"no\" in this file"),
                                      std::pair("round", "the location \"round\" is too long or contains itself")}) {
            const std::string said = shown(element("display", "type=\"location\" value=\"" + std::string(id) + "\""));
            QVERIFY2(said.find(std::string("display: warning: ") + why + ": ignored\n") != std::string::npos, said.c_str());
        }
    }

    // A view may take the name of the shown attribute from another attribute's value, with a query. The path in the query begins at the
    // root of the attribute tree.
    void whatIsShownMayBeCalledAsAValueSays()
    {
        const auto asked = [](const std::string& what, const std::string& where, const std::string& more = {}) {
            return element(what, "type=\"query\" " + more, path(where));
        };
        const auto shown = [](const std::string& content) {
            KernelScript s;
            s.event(10, 0, "x").event(20, 0, "which", {{"k", 7}}).event(30, 0, "which", {{"k", 8}}).event(40, 0, "end");
            const std::string changes = on("x",
                                           set("G/7", integer(1)) + set("G/8", integer(2)) + set("7", integer(3)) + set("G/A/7", integer(4))
                                               + set("words", text("A")) + set("A", text("label")))
                + on("which", set("S/now", field("k")) + set("G/9", integer(5)));
            const DeclaredRun run(provider(changes, rows(entry("G", content))), s);
            return run.problems() + run.view("v") + labels(run);
        };
        // The row has values from the time at which the name is known. Later names are ignored.
        QCOMPARE(shown(asked("display", "S/now")), "G: int 1 10-40\nG\n");
        QCOMPARE(shown(asked("display", "S/now", "reference=\"absolute\"")), "G: int 3 10-40\nG\n");
        QCOMPARE(shown(element("display", "type=\"constant\" value=\"A\"", element("stateAttribute", "type=\"query\"", path("S/now")))),
                 "G: int 4 10-40\nG\n");
        QCOMPARE(shown(of("display", "8") + asked("name", "words", "reference=\"absolute\"")), "G \"label\": int 2 10-40\nlabel\n");
        QCOMPARE(shown(asked("display", "never")), "");
        const std::string behind = shown(
            element("display", "type=\"constant\" value=\"A\"", element("stateAttribute", "type=\"query\"", path("S/now")) + path("b")));
        QVERIFY2(behind.find("queries in views cannot be resolved: ignored") != std::string::npos, behind.c_str());
        const std::string inQuery = shown(element("display", "type=\"query\"", element("stateAttribute", "type=\"query\"", path("S/now"))));
        QVERIFY2(inQuery.find("nested queries in views cannot be resolved: ignored") != std::string::npos, inQuery.c_str());
    }

    void curvesMayBeCalledAsAValueSays()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "which", {{"k", "b"}}).event(30, 0, "end");
        const DeclaredRun run(provider(on("x", set("K/r/a", integer(1)) + set("K/r/b", integer(2))) + on("which", set("w", field("k"))),
                                       curves(entry("K/*", element("display", "type=\"query\"", path("w"))))),
                              s);
        QCOMPARE(run.problems(), "");
        QCOMPARE(run.curves(), "c/K/r (r): 10=2\n");
    }

    void valuesAreCalledAndColouredAsDefined()
    {
        KernelScript s;
        s.event(10, 0, "i").event(20, 0, "l").event(30, 0, "d").event(40, 0, "s").event(50, 0, "u").event(60, 0, "n").event(70, 0, "end");
        const auto is = [](const char* event, const std::string& value) { return on(event, set("a", value)); };
        const DeclaredRun run(provider(is("i", integer(1)) + is("l", longer(2)) + is("d", text("3.7", "forcedType=\"double\""))
                                           + is("s", text("run")) + is("u", integer(9)) + is("n", null()),
                                       rows(defined("ONE", "1", "color=\"#112233\"") + defined("TWO", "2") + defined("THREE", "3")
                                            + defined("RUNNING", "run", "color=\"#445566\"") + entry("a", of("display")))),
                              s);
        QCOMPARE(run.view("v"), "a: ONE 10-20, TWO 20-30, THREE 30-40, RUNNING 40-50, int 9 50-60\n");
        QCOMPARE(run.details("v", "a"), "1, 2, 3.7, run, 9");
        const Track& row = *std::ranges::find(run.store().tracks(), "v", &Track::view);
        for (const StateKind& kind : run.store().stateSets()[static_cast<std::size_t>(row.states)].states) {
            if (kind.name == "ONE")
                QCOMPARE(kind.style.color, "#112233");
            if (kind.name == "TWO")
                QCOMPARE(kind.style.color, "TWO");
            if (kind.name == "RUNNING")
                QCOMPARE(kind.style.color, "#445566");
        }
    }

    void theLastDefinitionOfAValueCounts()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "end");
        const DeclaredRun run(
            provider(on("x", set("a", integer(1))), rows(defined("A", "1") + defined("B", "1") + entry("a", of("display")))), s);
        QCOMPARE(run.view("v"), "a: B 10-20\n");
    }

    void anyNumberOfValuesMayBeDefined()
    {
        KernelScript s;
        std::string values;
        std::string expected;
        for (int i = 0; i < 60; ++i) {
            s.event(10 + i, 0, "x", {{"v", i}});
            values += defined("N" + std::to_string(i), std::to_string(i));
        }
        s.event(100, 0, "end");
        const DeclaredRun run(provider(on("x", set("a", field("v"))), rows(values + entry("a", of("display")))), s);
        const std::string is = run.view("v");
        for (int i = 0; i < 60; ++i)
            QVERIFY2(is.find("N" + std::to_string(i) + " " + std::to_string(10 + i) + "-") != std::string::npos, is.c_str());
    }

    void noNumbersAreDrawnWithoutHarm()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"v", std::numeric_limits<double>::quiet_NaN()}});
        s.event(20, 0, "x", {{"v", std::numeric_limits<double>::infinity()}}).event(30, 0, "x", {{"v", -1e300}}).event(40, 0, "end");
        const DeclaredRun run(provider(on("x", set("a", field("v"))), rows(defined("ZERO", "0") + entry("a", of("display")))), s);
        QCOMPARE(run.view("v"), "a: ZERO 10-20, double Infinity 20-30, double -1.0E300 30-40\n");
    }

    void barsSayTheirValuesWhereAsked()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"v", 1}}).event(20, 0, "x", {{"v", 2}}).event(30, 0, "end");
        const DeclaredRun run(
            provider(on("x", set("a", field("v")) + set("b", field("v"))),
                     rows(defined("ONE", "1") + entry("a", of("display"), "displayText=\"true\"") + entry("b", of("display")))),
            s);
        for (const Track& track : run.store().tracks())
            if (track.view == "v")
                for (const StateKind& kind : run.store().stateSets()[static_cast<std::size_t>(track.states)].states)
                    if (kind.name == "ONE" || kind.name == "int")
                        QCOMPARE(kind.style.has(StateFlag::Labelled), track.key == "a");
        // The details of a value with a defined name contain both the name and the value.
        QCOMPARE(run.details("v", "a"), "ONE (1), 2");
        QCOMPARE(run.details("v", "b"), "1, 2");
    }

    void whatIsCalledAsItsValueIsSaidOnce()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"v", "WAIT"}}).event(20, 0, "end");
        const DeclaredRun run(
            provider(on("x", set("a", field("v"))), rows(defined("WAIT", "WAIT") + entry("a", of("display"), "displayText=\"true\""))), s);
        QCOMPARE(run.details("v", "a"), "WAIT");
    }

    void fractionsMayBeDefined()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"v", 1.5}}).event(20, 0, "x", {{"v", 1.25}}).event(30, 0, "x", {{"v", -0.5}}).event(40, 0, "end");
        const DeclaredRun run(provider(on("x", set("a", field("v"))),
                                       rows(defined("ONE", "1") + defined("HALF", "1.50") + defined("LESS", "-0.5") + defined("BAD", "nan")
                                            + entry("a", of("display")))),
                              s);
        // The value 1.25 has no definition. Such a value matches by its integer part, here ONE, as the language defines.
        QCOMPARE(run.view("v"), "a: HALF 10-20, ONE 20-30, LESS 30-40\n");
    }

    void rowsAreInTheOrderOfEntriesAndOfTheirNames()
    {
        KernelScript s;
        for (const char* name : {"2", "10", "1a", "b", "-3", "a"})
            s.event(10, 0, "x", {{"k", name}});
        s.event(20, 0, "end");
        // The XML text is a single line, so line numbers cannot determine the order of the entries.
        const DeclaredRun run(provider(on("x", set("K/{k}", integer(1)) + set("L/{k}", integer(1))),
                                       rows(entry("L/b", of("display")) + entry("K/*", of("display")))),
                              s);
        QCOMPARE(labels(run), "b\n-3\n2\n10\n1a\na\nb\n");
    }

    void oneAttributeMayHaveSeveralRows()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "end");
        const DeclaredRun run(provider(on("x", set("a", integer(1))), rows(entry("a", of("display")) + entry("*", of("display")))), s);
        QCOMPARE(run.view("v"), "a#2 \"a\": int 1 10-20\na: int 1 10-20\n");
    }

    void anUpdateIsSeenInViews()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "y").event(30, 0, "end");
        const DeclaredRun run(provider(on("x", set("a", text("?"))) + on("y", set("a", text("good", "update=\"true\"")) + set("a", null())),
                                       rows(entry("a", of("display")))),
                              s);
        QCOMPARE(run.view("v"), "a: string good 10-20\n");
    }

    void viewsOfOtherAnalysesAreNotShown()
    {
        KernelScript s;
        s.event(10, 0, "x").event(20, 0, "end");
        const DeclaredRun run(
            provider(on("x", set("a", integer(1))),
                     element("timeGraphView", "id=\"v\"", "<head><analysis id=\"other\"/></head>" + entry("a", of("display")))),
            s);
        QCOMPARE(run.view("v"), "");
        QCOMPARE(run.view("p"), "a: int 1 10-20\n");
    }

    // Property: curves (xyView) have the values of attributes.

    void curvesHaveTheValuesOfAttributes()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"k", "a"}, {"v", 5}}).event(20, 0, "x", {{"k", "b"}, {"v", 7}}).event(30, 0, "x", {{"k", "a"}, {"v", 6}});
        s.event(40, 0, "none", {{"k", "b"}}).event(50, 0, "end");
        const DeclaredRun run(
            provider(on("x", set("K/{k}", field("v"))) + on("none", set("K/{k}", null())), curves(entry("K/*", of("display")))), s);
        QCOMPARE(run.problems(), "");
        // A null value is shown as 0.
        QCOMPARE(run.curves(), "c/K/a (a): 10=5 30=6\nc/K/b (b): 20=7 40=0\n");
        QVERIFY(run.store().counters().series()[0].kind == CounterSeries::Kind::Gauge);
    }

    void curvesMayBeOfGrowthAndOfAnythingThatIsANumber()
    {
        KernelScript s;
        s.event(10, 0, "x", {{"d", 0.5}, {"t", "2.5"}, {"n", "name"}})
            .event(20, 0, "x", {{"d", 1.5}, {"t", "no"}, {"n", "other"}})
            .event(30, 0, "end");
        const DeclaredRun run(provider(on("x", set("K/d/v", field("d")) + set("K/d/name", field("n")) + set("K/t/v", field("t"))),
                                       curves(entry("K/*", of("display", "v") + of("name", "name"), "displayType=\"delta\""))),
                              s);
        QVERIFY(run.curves().find("10=0.5 20=1.5\n") != std::string::npos);
        QVERIFY(run.curves().find("10=2.5 20=0.0\n") != std::string::npos);
        QVERIFY(run.store().counters().series()[0].kind == CounterSeries::Kind::Accumulating);
    }
};

HELIO_TEST(DeclaredViewsTest)

#include "tst_declared_views.moc"
