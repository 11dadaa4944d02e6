#include "core/xml_analysis/check.h"
#include "core/xml_analysis/xml_analysis.h"
#include "tests/core/xml_analysis/declared_run.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/dice.h"
#include "tests/support/made_analysis.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace helio;
using namespace helio::test;
using namespace helio::test::xml_text;

namespace {

/// Returns an equivalent condition in a form for which no index can be used.
std::string withoutIndex(const std::string& condition) { return element("not", {}, element("not", {}, condition)); }

/// Returns a random value for fields and attributes, from a small set of values of all types, so that many are equal.
std::string anyValue(Dice& dice)
{
    switch (dice.below(9)) {
    case 0: return integer(static_cast<std::int64_t>(dice.below(4)));
    case 1: return longer(static_cast<std::int64_t>(dice.below(4)) + (dice.below(2) ? 4294967296 : 0));
    case 2: return text(std::to_string(dice.below(4)));
    case 3: return text(std::to_string(dice.below(4)) + ".0", "forcedType=\"double\"");
    case 4: return null();
    case 5: return text("null");
    case 6: return value("int", dice.below(2) ? "0x7fffffff" : "-0x80000000");
    case 7: return text(dice.below(2) ? "1e10" : "-1e300", "forcedType=\"double\"");
    default: return field("k");
    }
}

/// Returns a random operand to compare with an attribute of the scenario.
std::string eventSide(Dice& dice)
{
    switch (dice.below(6)) {
    case 0: return field("k", "forcedType=\"int\"");
    case 1: return field("k", "forcedType=\"string\"");
    case 2: return field("real");
    case 3: return field("text");
    case 4: return anyValue(dice);
    default: return field("k");
    }
}

std::string ownSide(Dice& dice) { return query(dice.below(3) ? "~/key" : "~/storedFields/k"); }

std::string comparison(Dice& dice)
{
    const std::string own = ownSide(dice);
    const std::string event = eventSide(dice);
    return is(dice.below(2) ? own + event : event + own);
}

std::string oneOf(Dice& dice, const std::vector<std::string>& words) { return words[dice.below(words.size())]; }

struct Patterns {
    std::string plain;
    std::string withoutIndex;
};

/// Returns a random pattern with several machines and states, whose transitions compare values of the scenario. Patterns::withoutIndex
/// is the same pattern, but its comparisons have a form for which no index is made.
Patterns anyPattern(Dice& dice)
{
    Patterns all;
    std::string rest;
    std::vector<std::string> tests;
    for (int i = 0; i < 6; ++i) {
        const std::string condition = comparison(dice);
        const std::string id = "t" + std::to_string(i);
        const std::string other = is(field("k") + integer(static_cast<std::int64_t>(dice.below(3))), "ne");
        const bool isBoth = dice.below(3) == 0;
        all.plain += testIf(id, isBoth ? element("and", {}, other + condition) : condition);
        all.withoutIndex += testIf(id, isBoth ? element("and", {}, other + withoutIndex(condition)) : withoutIndex(condition));
        tests.push_back(id);
    }
    const std::vector<std::string> events{"a", "b", "c", "a|b", "*"};
    std::vector<std::string> actions;
    for (int i = 0; i < 4; ++i) {
        const std::string id = "act" + std::to_string(i);
        const std::string where = oneOf(dice, {"~/key", "~/key", "~/key", "log/" + id});
        rest += action(
            id, set(where, anyValue(dice)) + set("count/" + id, integer(1, "increment=\"true\"")) + set("saw/" + id, query("~/startTime")));
        actions.push_back(id);
    }
    const std::vector<std::string> states{"s0", "s1", "s2", "end"};
    for (int m = 0; m < 2; ++m) {
        std::string content;
        for (int state = 0; state < 3; ++state) {
            std::string transitions;
            for (std::uint64_t i = 0; i <= dice.below(3); ++i) {
                std::string more = "action=\"" + oneOf(dice, actions) + "\"";
                if (state > 0 || dice.below(4) == 0)
                    more += " cond=\"" + oneOf(dice, tests) + "\"";
                if (dice.below(2))
                    more += " saveStoredFields=\"true\"";
                if (dice.below(6) == 0)
                    more += " clearStoredFields=\"true\"";
                transitions += transition(oneOf(dice, events), oneOf(dice, states), more);
            }
            content += xml_text::state(states[static_cast<std::size_t>(state)], transitions);
        }
        rest += fsm("m" + std::to_string(m), content + final("end"), dice.below(2) ? "consuming=\"false\"" : "");
    }
    const std::string stored = element("storedField", "id=\"k\"");
    all.plain = pattern(all.plain + rest, stored);
    all.withoutIndex = pattern(all.withoutIndex + rest, stored);
    return all;
}

void addEvents(KernelScript& s, Dice& dice)
{
    for (int i = 0; i < 60; ++i) {
        const auto k = static_cast<std::int64_t>(dice.below(4)) + (dice.below(5) == 0 ? 4294967296 : 0);
        const double real = dice.below(4) == 0 ? 1e10 : static_cast<double>(dice.below(4));
        s.event(10 + 2 * i, 0, std::string(1, static_cast<char>('a' + dice.below(4))),
                {{"k", k}, {"real", real}, {"text", std::to_string(dice.below(4)).c_str()}});
    }
}

struct RuleStatistics {
    std::uint64_t tried = 0;
    std::uint64_t fired = 0;
    std::string never; ///< First field that the rule reads and that no event has; empty if there is none.
    bool operator==(const RuleStatistics&) const = default;
};

/// Analysis that records the statistics of its rules after the last event.
class CountedKind final : public MadeKind {
public:
    explicit CountedKind(std::shared_ptr<const xml::XmlAnalysisKind> kind)
        : m_kind(std::move(kind))
    {
    }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<Counted>(*this, input.trace, sink);
    }

    mutable std::vector<RuleStatistics> all;

private:
    class Counted final : public Analysis {
    public:
        Counted(const CountedKind& kind, const Trace& trace, StateSink& sink)
            : m_kind(kind)
            , m_analysis(kind.m_kind->declaration(), trace, sink)
        {
        }
        void begin(HostTimestamp at) override { m_analysis.begin(at); }
        void onEvents(const EventRun& run) override { m_analysis.onEvents(run); }
        void onLoss(const Loss& loss) override { m_analysis.onLoss(loss); }
        void finish(HostTimestamp at) override
        {
            m_analysis.finish(at);
            for (const xml::RuleReport& rule : xml::makeCheckReport(*m_kind.m_kind, m_analysis).rules)
                m_kind.all.push_back({rule.events, rule.fired, rule.alwaysMissing.empty() ? "" : rule.alwaysMissing.front()});
        }
        std::vector<Diagnostic> diagnostics() override { return m_analysis.diagnostics(); }

    private:
        const CountedKind& m_kind;
        xml::XmlAnalysis m_analysis;
    };

    const std::shared_ptr<const xml::XmlAnalysisKind> m_kind;
};

/// Returns the statistics of the pattern's rules after a run, in file order.
std::vector<RuleStatistics> statisticsOn(const std::string& xml, KernelScript& s)
{
    const xml::AnalysisFile file{"test.xml", xml::AnalysisOrigin::Given, xml, xml::readFile(xml)};
    for (const auto& it : xml::listAnalyses({file}, *Analyses::builtin()))
        if (it.kind) {
            const CountedKind kind(it.kind);
            s.run(-1, KernelScript::Gaps::ReportedAtBegin, kind);
            return kind.all;
        }
    return {};
}

} // namespace

class ScenarioIndexTest : public QObject {
    Q_OBJECT

private slots:
    void theIndexFindsWhatTryingAllFinds()
    {
        int found = 0;
        for (quint64 seed = 1; seed <= 400; ++seed) {
            Dice dice(seed);
            const Patterns patterns = anyPattern(dice);
            KernelScript s;
            addEvents(s, dice);
            const DeclaredRun indexed(patterns.plain, s, {}, 200);
            const std::string tree = indexed.tree();
            const DeclaredRun tried(patterns.withoutIndex, s, {}, 200);
            QVERIFY2(indexed.problems().find("error") == std::string::npos, indexed.problems().c_str());
            if (tree != tried.tree())
                qWarning("seed %llu:\n%s", static_cast<unsigned long long>(seed), patterns.plain.c_str());
            QCOMPARE(tree, tried.tree());
            found += tree.find("scenarios/m0/2") != std::string::npos ? 1 : 0;
        }
        QVERIFY(found > 100); // The comparison is not trivial: enough scenarios matched.
    }

    void manyScenariosAreFoundByWhatTheyKeep()
    {
        KernelScript s;
        constexpr int Count = 2000;
        for (int i = 0; i < Count; ++i)
            s.event(10 + i, 0, "begin", {{"k", i}});
        for (int i = 0; i < Count; ++i)
            s.event(10'000 + i, 0, "end", {{"k", (i * 7919) % Count}});
        s.event(20'000, 0, "last");
        const DeclaredRun run(pattern(testIf("mine", is(query("~/storedFields/k") + field("k")))
                                          + action("count", set("n", integer(1, "increment=\"true\"")))
                                          + fsm("f",
                                                state("s", transition("begin", "w", "saveStoredFields=\"true\""))
                                                    + state("w", transition("end", "d", "cond=\"mine\" action=\"count\"")) + final("d")),
                                      element("storedField", "id=\"k\"")),
                              s);
        QVERIFY(run.attribute("n").ends_with("int 2000 11999-20000"));
    }

    // Three scenarios for k = 0, 1 and 2 have waited since 10, 11 and 12. Ten events "end" follow: nine with k = 2, 3, 4, ... and one with
    // k = 0. Without an index, each scenario is tried ten times.
    void aTransitionIsTriedOnceAnEventAlsoWhereTheIndexSparesIt_data()
    {
        QTest::addColumn<std::string>("condition");
        QTest::addColumn<qulonglong>("fired");
        QTest::addColumn<std::string>("never");
        QTest::newRow("by a key") << is(query("~/storedFields/k") + field("k")) << qulonglong(2) << std::string();
        QTest::newRow("without an index") << withoutIndex(is(query("~/storedFields/k") + field("k"))) << qulonglong(2) << std::string();
        QTest::newRow("not equal") << is(field("k") + query("~/storedFields/k"), "lt") << qulonglong(1) << std::string();
        QTest::newRow("nobody has such a key") << is(query("~/storedFields/k") + integer(77)) << qulonglong(0) << std::string();
        QTest::newRow("an attribute that is never there") << is(query("~/other") + field("k")) << qulonglong(0) << std::string();
        QTest::newRow("a field that is never there")
            << is(query("~/storedFields/k") + field("none")) << qulonglong(0) << std::string("none");
    }
    void aTransitionIsTriedOnceAnEventAlsoWhereTheIndexSparesIt()
    {
        QFETCH(std::string, condition);
        QFETCH(qulonglong, fired);
        QFETCH(std::string, never);
        KernelScript s;
        s.event(9, 0, "end", {{"k", 0}}); // This event is not counted, because no scenario waits yet.
        for (int i = 0; i < 3; ++i)
            s.event(10 + i, 0, "begin", {{"k", i}});
        for (int i = 2; i < 11; ++i)
            s.event(20 + i, 0, "end", {{"k", i}});
        s.event(40, 0, "end", {{"k", 0}});
        const std::string machine = fsm("f",
                                        state("s", transition("begin", "w", "saveStoredFields=\"true\""))
                                            + state("w", transition("end", "d", "cond=\"mine\"")) + final("d"));
        const auto statistics = statisticsOn(pattern(testIf("mine", condition) + machine, element("storedField", "id=\"k\"")), s);
        QCOMPARE(statistics.size(), std::size_t(2));
        QVERIFY(statistics[0] == (RuleStatistics{3, 3, ""}));
        QCOMPARE(statistics[1].tried, std::uint64_t(10));
        QCOMPARE(statistics[1].fired, std::uint64_t(fired));
        QCOMPARE(statistics[1].never, never);
    }

    // Input: three events "end". At one of them, the first transition is taken, so the condition "odd" of the second transition is not
    // evaluated there. Property: the missing field of "odd" is reported all the same, because the condition is evaluated at the two
    // remaining events.
    void missingFieldsCountOnlyWhereEvaluated()
    {
        KernelScript s;
        s.event(10, 0, "begin", {{"k", 1}}).event(11, 0, "end", {{"k", 2}}).event(12, 0, "end", {{"k", 3}}).event(13, 0, "end", {{"k", 1}});
        const std::string machine =
            fsm("f",
                state("s", transition("begin", "w", "saveStoredFields=\"true\""))
                    + state("w", transition("end", "d", "cond=\"mine\"") + transition("end", "d", "cond=\"odd\"")) + final("d"));
        const auto statistics = statisticsOn(pattern(testIf("mine", withoutIndex(is(query("~/storedFields/k") + field("k"))))
                                                         + testIf("odd", is(field("none") + integer(1))) + machine,
                                                     element("storedField", "id=\"k\"")),
                                             s);
        QCOMPARE(statistics[1].fired, std::uint64_t(1));
        QCOMPARE(statistics[2].tried, std::uint64_t(3));
        QCOMPARE(statistics[2].never, std::string("none"));
    }

    // Input: the scenario that waits for its first event is in the same state as the active scenarios. Property: an event that is tested
    // for several scenarios counts as tested once.
    void waitingScenarioCountsOnce()
    {
        KernelScript s;
        for (int i = 0; i < 5; ++i)
            s.event(10 + i, 0, "a", {{"k", i}});
        const auto statistics = statisticsOn(
            pattern(fsm("f", state("s", transition("a", "s", "") + transition("b", "d", "")) + final("d"), "consuming=\"false\"")), s);
        QCOMPARE(statistics[0].tried, std::uint64_t(5));
        // Each event begins a scenario and is also taken by all earlier scenarios.
        QCOMPARE(statistics[0].fired, std::uint64_t(1 + 2 + 3 + 4 + 5));
        QVERIFY(statistics[1] == RuleStatistics());
    }
};

HELIO_TEST(ScenarioIndexTest)

#include "tst_scenario_index.moc"
