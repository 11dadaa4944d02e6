// State of a comparison that its views share.

#include "tests/support/test_program.h"
#include "widgets/compare/compare_context.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

class CompareContextTest : public QObject {
    Q_OBJECT

private slots:
    void aTimelineOfEitherSideIsReported()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        QSignalSpy timelines(&context, &CompareContext::timelineChanged);
        QSignalSpy questions(&context, &CompareContext::questionChanged);
        a.setTimeline({});
        b.setTimeline({});
        QCOMPARE(timelines.count(), 2);
        QCOMPARE(questions.count(), 0);
    }

    void theQuestionIsOfWhatIsSelectedAndComparedAndOfWhetherAllIsRead()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        QSignalSpy questions(&context, &CompareContext::questionChanged);
        context.setProgram("solver");
        QCOMPARE(questions.count(), 1);
        context.setProgram("solver"); // The program is the same, so no signal is emitted.
        QCOMPARE(questions.count(), 1);
        context.setSettled(true);
        QCOMPARE(questions.count(), 2);
        b.time().setSelection({timestamp(0), timestamp(10)});
        QVERIFY(questions.count() > 2);
    }
};

HELIO_TEST(CompareContextTest)
#include "tst_compare_context.moc"
