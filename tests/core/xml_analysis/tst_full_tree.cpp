#include "core/xml_analysis/file.h"
#include "core/xml_analysis/running/pattern_run.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::xml;
using namespace helio::test::xml_text;

namespace {

constexpr std::size_t Most = 100;

class NoListener final : public TreeListener {
public:
    void onNew(Quark) override { }
    void onChange(HostTimestamp, Quark, const Value&) override { }
};

class NoSegments final : public SegmentReceiver {
public:
    void take(const PatternSegment&) override { }
};

} // namespace

class FullTreeTest : public QObject {
    Q_OBJECT

private slots:
    void attributesThatAreTooManyAreNotMade()
    {
        Texts texts;
        NoListener listener;
        StepBudget effort;
        AttributeTree tree(texts, listener, effort, Most);
        const Quark base = tree.child(Root, texts.idOf(std::string_view("a")));
        while (tree.count() < Most)
            QVERIFY(tree.childNumbered(base, static_cast<std::int64_t>(tree.count())) != NoQuark);
        QCOMPARE(tree.childNumbered(base, -1), NoQuark);
        // The attribute already exists, so that the limit on the number of attributes does not matter.
        QVERIFY(tree.childNumbered(base, 2) != NoQuark);
        QVERIFY(!tree.push(hostTime(1), base, Value::ofInt(1)) || tree.value(base) == Value::ofInt(1));
        QCOMPARE(tree.refused(), std::size_t(2));
    }

    /// Scenarios continue even if attributes that they need cannot be created.
    void scenariosGoOnWithoutWhatCannotBeMade()
    {
        const File file = readFile(
            pattern(testIf("t", element("condition", {}, "<elapsedTime unit=\"ns\"><less since=\"w\" value=\"9\"/></elapsedTime>"))
                        + action("a", set("x/%/{f}", integer(1)) + set("~/y", integer(1, "stack=\"push\"")) + set("z", query("~/q")))
                        + fsm("f",
                              state("s", transition("e", "w", "action=\"a\" saveStoredFields=\"true\" clearStoredFields=\"true\""))
                                  + state("w", transition("e", "d", "cond=\"t\"") + transition("e", "s", "action=\"a\"")) + final("d"),
                              "consuming=\"false\""),
                    "<storedField id=\"f\"/>"));
        QVERIFY(file.isUsable());
        test::KernelScript script;
        script.declare("e");
        for (std::size_t room = 0; room < 30; ++room) {
            Texts texts;
            NoListener listener;
            NoSegments segments;
            StepBudget effort;
            AttributeTree tree(texts, listener, effort, Most);
            RunProblems problems;
            PatternRun run(file.programs[0], tree, segments, problems);
            Binding binding(file.programs[0], script, texts);
            const Quark base = tree.child(Root, texts.idOf(std::string_view("filler")));
            while (tree.count() < Most - room)
                tree.childNumbered(base, static_cast<std::int64_t>(tree.count()));
            run.start(hostTime(1));
            EventRecord record;
            for (int time = 1; time < 10; ++time) {
                record.time = hostTime(time);
                const EventView event{&record, &script.eventTypes()[record.type], {}, 0};
                run.onEvent(event, binding.typeOf(record.type), nullptr);
            }
            run.finish(hostTime(10));
            QVERIFY(tree.count() == Most);
        }
    }
};

HELIO_TEST(FullTreeTest)

#include "tst_full_tree.moc"
