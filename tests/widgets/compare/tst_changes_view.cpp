// The page "What changed" of a comparison. Input: two simulated schedulers, of which one keeps a thread waiting.

#include "core/query/rows/facts.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/simulated_scheduling.h"
#include "tests/support/test_program.h"
#include "widgets/compare/changes/changes_view.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

constexpr qint64 LongWait = 40 * test::Simulation::Ms;

std::unique_ptr<test::OpenedExperiment> opened(qint64 longWait, const QTemporaryDir& folder)
{
    if (!test::writeScheduling(folder.filePath("trace"), test::Simulation{.seed = 3, .longWait = longWait}.events(), false))
        qFatal("not written");
    return std::make_unique<test::OpenedExperiment>(
        std::vector<std::filesystem::path>{std::filesystem::path(folder.filePath("trace").toStdString())});
}

void show(ViewContext& side, const test::OpenedExperiment& recording)
{
    side.time().setFull(rangeOf(*recording.timeline));
    side.setTimeline(recording.timeline);
}

} // namespace

class ChangesViewTest : public QObject {
    Q_OBJECT

private slots:
    void changesLeadToTheirSide_data()
    {
        QTest::addColumn<bool>("isNew");
        test::addRow("new", true);
        test::addRow("gone", false);
    }
    void changesLeadToTheirSide()
    {
        QFETCH(bool, isNew);
        const QTemporaryDir folderA, folderB;
        const auto a = opened(isNew ? 0 : LongWait, folderA), b = opened(isNew ? LongWait : 0, folderB);
        ViewContext sideA, sideB;
        CompareContext context(sideA, sideB);
        ChangesView view(context);
        view.resize(460, 500);
        view.QWidget::show();
        show(sideA, *a);
        show(sideB, *b);
        QVERIFY(!view.changes()); // The sides may still be read.
        context.setSettled(true);
        QTRY_VERIFY(view.changes());
        const auto& changes = *view.changes();
        const auto tail = std::ranges::find(changes, "scheduling-tail", [](const FindingChange& it) { return it.shown().finder; });
        QVERIFY(tail != changes.end());
        QCOMPARE(QString(tail->word()), QString(isNew ? "new" : "gone"));

        view.showChange(std::size_t(tail - changes.begin()));

        ViewContext& side = isNew ? sideB : sideA;
        QVERIFY(side.findingMarks() && !(isNew ? sideA : sideB).findingMarks());
        QVERIFY(tail->shown().evidence.front().range.contains(side.time().cursor()));
        QCOMPARE(side.time().row(), tail->shown().evidence.front().row);
    }
};

HELIO_TEST(ChangesViewTest)
#include "tst_changes_view.moc"
