// Scenarios of a pattern, and their states, at a point in time.

#include "core/experiment/experiment.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/scenarios.h"
#include "core/query/rows/views.h"
#include "core/xml_analysis/catalog.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

const std::filesystem::path Sample = std::filesystem::path(SOURCE_DIR) / "resources/samples/workers";

std::shared_ptr<const Timeline> timelineWith(const std::string& text, const QTemporaryDir& stores)
{
    auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
    xml::addAnalyses(xml::listAnalyses({{"a.xml", xml::AnalysisOrigin::Given, text, xml::readFile(text)}}, *analyses), *analyses);
    ExperimentOptions options;
    options.storeDirectory = stores.path().toStdString();
    options.analyses = std::move(analyses);
    auto opened = Experiment::open({Sample}, options);
    if (!opened)
        return nullptr;
    (*opened)->start();
    return (*opened)->wait() ? (*opened)->timeline() : nullptr;
}

std::string field(const Scenario& scenario, std::string_view name)
{
    for (const auto& [its, value] : scenario.fields)
        if (its == name)
            return value;
    return "not there";
}

} // namespace

class ActiveScenariosTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_timeline = timelineWith(xml::newAnalysisText("t"), m_stores);
        QVERIFY(m_timeline);
        const TimeRange range = rangeOf(*m_timeline);
        m_middle = range.begin + range.duration() / 2;
    }

    /// Property: each active scenario has its state and its stored fields. Input: the pattern in the template for new analyses, with one
    /// scenario for each CPU.
    void aScenarioIsThereWithItsStateAndWhatItKeeps()
    {
        const ActiveScenarios active = scenariosAt(*m_timeline, "t.stays", m_middle, 100);

        const auto cpus = helio::cpus(*m_timeline);
        QCOMPARE(active.all, std::uint64_t(cpus.size()));
        QCOMPARE(active.some.size(), cpus.size());
        std::vector<bool> seen(cpus.size());
        for (const Scenario& it : active.some) {
            QCOMPARE(it.stateMachine, std::string("stay"));
            QCOMPARE(it.state, std::string("runs"));
            QVERIFY(it.since <= m_middle && it.started == it.since);
            const auto cpu = std::size_t(std::stoi(field(it, "cpu")));
            QVERIFY(cpu < seen.size() && !seen[cpu]);
            seen[cpu] = true;
            // The file of the template also contains a state provider with a row for each CPU. While a scenario of the CPU is active, the
            // row's value is the thread that the scenario stored; while the CPU is idle, the row has no interval.
            for (const Row& row : rows(*m_timeline, "t.rows"))
                if (const auto bar = row.label == field(it, "cpu") ? intervalAt(*m_timeline, row.ref, m_middle) : std::vector<Interval>();
                    !bar.empty())
                    QCOMPARE(valueText(*m_timeline, row.ref, bar.front().value), field(it, "thread"));
        }
    }

    void itBeginsAndEndsWhereItsTransitionsFire()
    {
        const Scenario one = scenariosAt(*m_timeline, "t.stays", m_middle, 1).some.at(0);
        const auto isThere = [&](Timestamp at) {
            for (const Scenario& it : scenariosAt(*m_timeline, "t.stays", at, 100).some)
                if (it.started == one.started && it.number == one.number)
                    return true;
            return false;
        };
        QVERIFY(isThere(one.started));
        QVERIFY(!isThere(one.started - Duration(1)));
    }

    void noMoreThanAskedForAreListedButAllAreCounted()
    {
        const ActiveScenarios all = scenariosAt(*m_timeline, "t.stays", m_middle, 100);
        const ActiveScenarios one = scenariosAt(*m_timeline, "t.stays", m_middle, 1);
        QCOMPARE(one.all, all.all);
        QCOMPARE(one.some.size(), std::size_t(1));
        QVERIFY(one.some[0] == all.some[0]);
    }

    void viewsWithoutMachinesHaveNone()
    {
        QCOMPARE(scenariosAt(*m_timeline, "t", m_middle, 100).all, std::uint64_t(0));
        QCOMPARE(scenariosAt(*m_timeline, "t.rows", m_middle, 100).all, std::uint64_t(0));
        QCOMPARE(scenariosAt(*m_timeline, "not there", m_middle, 100).all, std::uint64_t(0));
    }

private:
    QTemporaryDir m_stores;
    std::shared_ptr<const Timeline> m_timeline;
    Timestamp m_middle;
};

HELIO_TEST(ActiveScenariosTest)

#include "tst_active_scenarios.moc"
