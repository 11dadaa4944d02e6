// Template of new analyses, and the recorded times at which rules fire.

#include "core/xml_analysis/catalog.h"
#include "core/xml_analysis/check.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;
using namespace helio::xml;

namespace {

std::vector<ListedAnalysis> analysesIn(const std::string& text)
{
    const AnalysisFile file{"template.xml", AnalysisOrigin::User, text, readFile(text)};
    return listAnalyses({file}, *Analyses::builtin());
}

} // namespace

class TemplateTest : public QObject {
    Q_OBJECT

private slots:
    void itHasNoFaultAndIsNoAnalysisByItself()
    {
        QCOMPARE(readFile(templateText()).problems.size(), std::size_t(0));
        for (const EmbeddedFile& file : builtinFiles())
            QVERIFY(file.text != templateText());
    }

    void aNewFileHasIdsOfItsOwn()
    {
        const auto listed = analysesIn(newAnalysisText("waits"));
        QCOMPARE(listed.size(), std::size_t(2));
        QCOMPARE(listed[0].id, std::string("waits"));
        QCOMPARE(listed[1].id, std::string("waits.stays"));
        QCOMPARE(listed[0].kind->views().front().id, std::string("waits.rows"));
        QVERIFY(newAnalysisText("waits").find(TemplateId) == std::string::npos);
    }

    void eachOfItsRulesFiresOnAKernelsTrace()
    {
        const auto timeline = test::sampleTimeline();
        QVERIFY(timeline);
        for (const ListedAnalysis& it : analysesIn(newAnalysisText("waits"))) {
            QVERIFY(it.kind && it.kind->appliesTo(*timeline->traces[0].trace));
            const CheckReport report = checkAnalysis(*it.kind, *timeline->traces[0].trace);
            QVERIFY(!report.rules.empty() && report.problems.empty());
            for (const RuleReport& rule : report.rules) {
                QVERIFY2(rule.fired > 0, rule.what.c_str());
                QVERIFY2(rule.missing.empty(), rule.what.c_str());
            }
            QCOMPARE(report.segments > 0, it.isPattern);
        }
    }

    void theMomentsOfARuleAreThoseItFiredAt()
    {
        const auto timeline = test::sampleTimeline();
        QVERIFY(timeline);
        const Trace& trace = *timeline->traces[0].trace;
        const auto listed = analysesIn(newAnalysisText("waits"));
        const XmlAnalysisKind& pattern = *listed[1].kind;
        const CheckReport whole = checkAnalysis(pattern, trace, {}, FiringTimesRequest{0, 1'000'000});
        QVERIFY(whole.rules[0].fired > 100);
        // Each switch begins one scenario, so each firing of rule 0 has a time of its own.
        QCOMPARE(whole.times.size(), std::size_t(whole.rules[0].fired));
        QVERIFY(std::ranges::is_sorted(whole.times));
        const CheckReport ended = checkAnalysis(pattern, trace, {}, FiringTimesRequest{1, 1'000'000});
        QCOMPARE(ended.times.size(), std::size_t(ended.rules[1].fired));
        // Each switch that ends a scenario also begins one, so the times of rule 1 are among those of rule 0.
        QVERIFY(std::ranges::includes(whole.times, ended.times));
        QVERIFY(ended.times.front() > whole.times.front());

        const CheckReport some = checkAnalysis(pattern, trace, {}, FiringTimesRequest{0, 10});

        QCOMPARE(some.rules[0].fired, whole.rules[0].fired);
        QCOMPARE(some.times, std::vector<HostTimestamp>(whole.times.begin(), whole.times.begin() + 10));
        QVERIFY(checkAnalysis(pattern, trace).times.empty());
        QVERIFY(checkAnalysis(pattern, trace, {}, FiringTimesRequest{99, 10}).times.empty());
    }
};

HELIO_TEST(TemplateTest)

#include "tst_template.moc"
