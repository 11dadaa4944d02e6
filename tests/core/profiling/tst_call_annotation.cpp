// Annotation of a function with recorded calls instead of samples.

#include "core/profiling/samples/annotation.h"
#include "core/profiling/samples/stack_names.h"
#include "tests/support/opened_calls.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

class CallAnnotationTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: source lines have no share of the time. An entry event names only the function that was called, so the time of a call
    /// cannot be attributed to lines.
    void callsGiveNoLineAShare()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const QTemporaryDir stores;
        const auto timeline = test::openedCalls(trace, stores);
        SampleFilter filter;
        filter.kinds = {"call"};
        const StackProfile profile = collectStacks(*timeline, filter);
        const StackNames names = nameStacks(profile, *timeline, {});
        const auto request = std::ranges::find(names.functions, "app::request", &SampledFunction::name);
        QVERIFY(request != names.functions.end());

        const Annotation annotation = annotate(profile, names, *timeline, *request);

        QVERIFY(!annotation.hasAddresses);
        QVERIFY(!annotation.lines.empty() && !annotation.addresses.empty()); // Source and instructions are shown, without shares.
        QVERIFY(annotation.sums.total.weight > annotation.sums.self.weight && annotation.sums.self.weight > 0);
        const auto isNothing = [](const CodeSums& sums) {
            return sums.self.weight == 0 && sums.total.weight == 0 && sums.total.samples == 0;
        };
        QVERIFY(std::ranges::all_of(annotation.lines, isNothing, &AnnotatedLine::sums));
        QVERIFY(std::ranges::all_of(annotation.addresses, isNothing, &AnnotatedAddress::sums));
    }
};

HELIO_TEST(CallAnnotationTest)
#include "tst_call_annotation.moc"
